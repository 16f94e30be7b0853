/* test_feature_hash.c - MurmurHash3 against an independent implementation, and the columns of names. */
#include "io/feature_hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The hashes with the seeds 0 and 0x9747b28c by scikit-learn's murmurhash3_32. */
static void hashes(void **state) {
    static const struct {
        const char *text;
        uint32_t plain, seeded;
    } rows[] = {{"", 0x00000000, 0xebb6c228},
                {"a", 0x3c2569b2, 0x7fa09ea6},
                {"ab", 0x9bbfd75f, 0x74875592},
                {"abc", 0xb3dd93fa, 0xc84a62dd},
                {"abcd", 0x43ed676a, 0xf0478627},
                {"hello", 0x248bfa47, 0x5d7f56e8},
                {"dog", 0xb1c109db, 0x5f052c98},
                {"h\xc3\xa9llo", 0xbc9fa068, 0x667f015f},
                {"The quick brown fox jumps over the lazy dog", 0x2e4ff723, 0x2fa826cd}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(murmur_hash(rows[i].text, strlen(rows[i].text), 0), rows[i].plain);
        assert_int_equal(murmur_hash(rows[i].text, strlen(rows[i].text), 0x9747b28c),
                         rows[i].seeded);
    }
}

static int32_t column(const char *name, int bits, bool zero_based) {
    return feature_hash(name, strlen(name), bits, zero_based);
}

static void columns(void **state) {
    (void)state;
    assert_int_equal(column("dog", 18, false), 0xb1c109db & 0x3ffff);
    assert_int_equal(column("dog", 18, true), column("dog", 18, false));
    assert_int_equal(column("dog", 30, true), 0x31c109db);
    assert_int_equal(column("7", 18, false), 6);
    assert_int_equal(column("007", 18, true), 7);
    assert_int_equal(column("262145", 18, false), 0);
    assert_int_equal(column("0", 3, false), 7);
    assert_int_equal(column("18446744073709551621", 10, true), 5); /* 2^64 + 5 */
    assert_int_equal(column("+7", 18, true), murmur_hash("+7", 2, 0) & 0x3ffff);
    assert_int_equal(feature_hash_columns(0), 0);
    assert_int_equal(feature_hash_columns(FEATURE_HASH_BITS_MOST), 1 << 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hashes), cmocka_unit_test(columns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
