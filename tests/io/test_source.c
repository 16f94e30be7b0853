/* test_source.c - bytes of a file that becomes shorter while it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "io/source.h"
#include "tests/temporary.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 300000, PART = 1000 }; /* more than a source reads at once */

static char bytes[BYTES];

static void write_file(void) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    memset(bytes, '7', sizeof bytes);
    assert_int_equal(fwrite(bytes, 1, sizeof bytes, file), sizeof bytes);
    assert_int_equal(fclose(file), 0);
}

/* The bytes that are read in parts, or -1 with the error set; behind the first part the file has LENGTH bytes. */
static int64_t read_all(struct source *source, int64_t length, struct error *e) {
    int64_t total = 0, got;
    while ((got = source_read(source, bytes, PART, e)) > 0) {
        if (total == 0)
            assert_int_equal(truncate(path, length), 0);
        total += got;
    }
    return got < 0 ? -1 : total;
}

static void check(int64_t from, int64_t to, int64_t length, int64_t wanted) {
    struct error e = {0};
    write_file();
    struct source *source = source_open(path, &e);
    assert_non_null(source);
    if (from > 0 || to < BYTES)
        assert_int_equal(source_restrict(source, from, to, &e), 0);
    assert_int_equal(read_all(source, length, &e), wanted);
    assert_int_equal(wanted < 0, strstr(e.words, "became shorter while it was read") != NULL);
    source_close(source);
}

static void a_file_that_becomes_shorter_is_refused(void **state) {
    (void)state;
    check(0, BYTES, BYTES, BYTES);
    check(0, BYTES, BYTES - 1, -1);
    check(0, BYTES, 10, -1);
    check(0, BYTES, BYTES + 5, BYTES + 5);
}

static void a_part_needs_its_own_bytes(void **state) {
    (void)state;
    check(5000, 200000, BYTES, 195000);
    check(5000, 200000, 200000, 195000);
    check(5000, 200000, 199999, -1);
    check(5000, BYTES, BYTES - 1, -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_that_becomes_shorter_is_refused),
        cmocka_unit_test(a_part_needs_its_own_bytes),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
