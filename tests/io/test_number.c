/* test_number.c - the decimal scanner gives the bits of strtod, on millions of tokens; the text of a double is read as
 * the same bits. */
#include "io/number.h"
#include "io/number_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/size.h"

enum { TOKEN_SIZE = 1400, CASES = PART(50000, 20000) };

static uint64_t random_bits(uint64_t *state) {
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The token must have TOKEN_SIZE bytes, so that the padding is there. */
static void check(char *token) {
    size_t length = strlen(token);
    memset(token + length, '\n', NUMBER_PADDING);
    double ours = 0, brief = 0;
    const char *end = number_scan(token, &ours);
    const char *brief_end = number_scan_short(token, &brief);
    token[length] = '\0';
    double theirs = strtod(token, NULL);
    if (end != token + length || bits_of(ours) != bits_of(theirs))
        fail_msg("%s: %a instead of %a", token, ours, theirs);
    if (brief_end == token + length && bits_of(brief) != bits_of(theirs))
        fail_msg("%s: short scan gives %a instead of %a", token, brief, theirs);
}

static void any_bit_pattern(void **state) {
    (void)state;
    static const char *const formats[] = {"%.17g", "%.6g", "%.16g", "%.15e", "%.25g", "%.9f"};
    char token[TOKEN_SIZE];
    uint64_t seed = 1;
    for (int i = 0; i < CASES; i++) {
        double x = double_of(random_bits(&seed));
        if (!isfinite(x))
            continue;
        snprintf(token, sizeof token - NUMBER_PADDING, formats[i % 6], x);
        check(token);
    }
}

static void data_like_values(void **state) {
    (void)state;
    static const char *const formats[] = {"%.17g", "%.6g", "%.16g", "%.4f", "%.12g", "%g"};
    char token[TOKEN_SIZE];
    uint64_t seed = 2;
    for (int i = 0; i < CASES; i++) {
        double x = ldexp((double)(int64_t)random_bits(&seed), -63);
        x *= number_power[random_bits(&seed) % 12];
        if (i % 3 == 0)
            x *= 1e-9;
        snprintf(token, sizeof token - NUMBER_PADDING, formats[i % 6], x);
        check(token);
    }
}

/* Up to 24 digits, with a point and an exponent anywhere. */
static void random_digits(void **state) {
    (void)state;
    char token[TOKEN_SIZE];
    uint64_t seed = 3;
    for (int i = 0; i < CASES; i++) {
        uint64_t r = random_bits(&seed);
        int digits = 1 + (int)(r % 24), point = (int)(r >> 8) % 26, n = 0;
        if (r >> 60 < 4)
            token[n++] = r >> 62 ? '+' : '-';
        for (int j = 0; j < digits; j++) {
            if (j == point)
                token[n++] = '.';
            token[n++] = (char)('0' + random_bits(&seed) % 10);
        }
        if (point == digits)
            token[n++] = '.';
        token[n] = '\0';
        if ((r >> 20) % 2)
            sprintf(token + n, "%c%+d", (r >> 21) % 2 ? 'e' : 'E', (int)((r >> 24) % 61) - 30);
        check(token);
    }
}

/* Numbers half way between two doubles, and a little to each side: sums of exact powers of two,
 * whose decimals printf writes in full. */
static void halfway_cases(void **state) {
    (void)state;
    char token[TOKEN_SIZE];
    uint64_t seed = 4;
    for (int i = 0; i < CASES / 10; i++) {
        uint64_t m = (UINT64_C(1) << 53 | random_bits(&seed) >> 11) * 2 + 1;
        int scale = (int)(random_bits(&seed) % 64) - 54;
        long double x = ldexpl((long double)m, scale);
        snprintf(token, sizeof token - NUMBER_PADDING - 8, "%.60Lf", x);
        check(token);
        strcat(token, "1");
        check(token);
        snprintf(token, sizeof token - NUMBER_PADDING, "%.18Le", x);
        check(token);
        snprintf(token, sizeof token - NUMBER_PADDING, "%llu", (unsigned long long)m);
        check(token);
    }
}

static void edges(void **state) {
    (void)state;
    static const char *const tokens[] = {"0",
                                         "-0",
                                         "+0",
                                         "0.0",
                                         "-0.0",
                                         "00000000000000000000000.5",
                                         "1.",
                                         ".5",
                                         "-.5",
                                         "+.5e1",
                                         "1e0",
                                         "0e999999999999999999999",
                                         "4.9406564584124654e-324",
                                         "2.4703282292062327e-324",
                                         "2.4703282292062328e-324",
                                         "2.2250738585072011e-308",
                                         "1.7976931348623157e308",
                                         "1.7976931348623159e308",
                                         "1e309",
                                         "-1e309",
                                         "1e99999999999999999999",
                                         "1e-99999999999999999999",
                                         "9007199254740993",
                                         "9007199254740992.999999999",
                                         "18446744073709551615",
                                         "9999999999999999999",
                                         "9999999999999999999e27",
                                         "9999999999999999999e-27",
                                         "99999999",
                                         "0.99999999",
                                         "99999999.99999999",
                                         "1234567.12345678",
                                         "7450580596923828125e-27"};
    char token[TOKEN_SIZE];
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        strcpy(token, tokens[i]);
        check(token);
    }
    memset(token, '0', 1000);
    strcpy(token + 1000, "1e1000");
    token[1] = '.';
    check(token);
    memset(token, '7', 1000);
    strcpy(token + 1000, "e-999");
    check(token);
}

/* The exponent may compensate any number of decimals. */
static void long_decimals(void **state) {
    (void)state;
    enum { ZEROS = 100000 };
    char *token = malloc(ZEROS + TOKEN_SIZE);
    static const char *const ends[] = {"1e100001",
                                       "7.5e-100000",
                                       "1e100310",
                                       "1e99690",
                                       "123456789012345678901e100001",
                                       "1e999999999999999999999"};
    for (int i = 0; i < 6; i++) {
        memset(token, '0', ZEROS);
        if (strchr(ends[i], '.') == NULL)
            token[1] = '.';
        strcpy(token + ZEROS, ends[i]);
        check(token);
    }
    memset(token, '5', ZEROS);
    strcpy(token + ZEROS, "e-100000");
    check(token);
    free(token);
}

static void check_text(double value, const char *expected) {
    char text[NUMBER_TEXT];
    char *end = number_text(value, text);
    if (end != text + strlen(text) || bits_of(strtod(text, NULL)) != bits_of(value))
        fail_msg("%a is written as %s", value, text);
    if (expected != NULL && strcmp(text, expected) != 0)
        fail_msg("%s is written as %s", expected, text);
    char digits[TOKEN_SIZE];
    snprintf(digits, sizeof digits, "%.17g", value);
    end = number_digits_text(value, text);
    if (end != text + strlen(text) || strcmp(text, digits) != 0)
        fail_msg("%s is written as %s", digits, text);
}

static void text_of_decimals(void **state) {
    (void)state;
    char decimal[TOKEN_SIZE];
    uint64_t seed = 4;
    for (int i = 0; i < CASES; i++) {
        uint64_t r = random_bits(&seed);
        int decimals = (int)(r % 11);
        int64_t whole = (int64_t)(r >> 8) % 100000;
        sprintf(decimal, "%s%.*f", r >> 63 ? "-" : "", decimals, (double)whole / 1e5);
        size_t length = strlen(decimal);
        while (decimals > 0 && decimal[length - 1] == '0')
            decimal[--length] = '\0';
        if (decimals > 0 && decimal[length - 1] == '.')
            decimal[--length] = '\0';
        check_text(strtod(decimal, NULL), decimal);
    }
}

static void text_of_any_bits(void **state) {
    (void)state;
    static const double edges[] = {0x1p53,
                                   0x1p53 + 2,
                                   0x1.fffffffffffffp52,
                                   1e22,
                                   1e23,
                                   -0x1p-1074,
                                   0x1p-1022,
                                   0x1.fffffffffffffp1023,
                                   1 / 3.0,
                                   1e-10,
                                   1e-11,
                                   9007199.254740993,
                                   0x1.fffffffffffffp-1,
                                   1e-4,
                                   9.9999999999999995e-05,
                                   0x1p-54,
                                   1 + 0x1p-17,
                                   1e16,
                                   1e-37,
                                   1e-38};
    uint64_t seed = 5;
    for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
        check_text(edges[i], NULL);
    for (int i = 0; i < CASES; i++) {
        uint64_t bits = random_bits(&seed);
        if (isfinite(double_of(bits)))
            check_text(double_of(bits), NULL);
        check_text(ldexp((double)(int64_t)bits, -63), NULL);
        check_text(ldexp((double)(int64_t)(bits >> 30), -(int)(bits % 160)), NULL);
        check_text(double_of(bits_of((double)(bits % 1000000) / 1e6) + bits % 3), NULL);
    }
    check_text(0, "0");
    check_text(-0.0, "-0");
    check_text(-1, "-1");
    check_text(1e-10, "0.0000000001");
}

static void no_numbers(void **state) {
    (void)state;
    static const char *const tokens[] = {"",     "-",        "+",   ".",    "-.",  "e5",
                                         ".e5",  "1e",       "1e+", "1.e-", "inf", "nan",
                                         "-inf", "infinity", "+-1", "--1",  " 1",  "x"};
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        char token[TOKEN_SIZE];
        double value;
        memset(token, '\n', sizeof token);
        memcpy(token, tokens[i], strlen(tokens[i]));
        assert_null(number_scan(token, &value));
    }
}

static void integers(void **state) {
    (void)state;
    int64_t value;
    assert_non_null(number_scan_integer("9223372036854775807\n", &value));
    assert_true(value == INT64_MAX);
    assert_non_null(number_scan_integer("9223372036854775808\n", &value));
    assert_true(value == NUMBER_TOO_LARGE);
    assert_non_null(number_scan_integer("99999999999999999999999990\n", &value));
    assert_true(value == NUMBER_TOO_LARGE);
    assert_non_null(number_scan_integer("007:\n", &value));
    assert_true(value == 7);
    assert_null(number_scan_integer("-1\n", &value));
}

/* Every byte at every place before, at and behind the end. */
static void leading_digits(void **state) {
    (void)state;
    for (int count = 1; count <= 8; count++)
        for (int place = 0; place < 8; place++)
            for (int byte = 0; byte < 256; byte++) {
                char text[8] = {'0', '9', '1', '8', '5', '0', '9', '2'};
                text[place] = (char)byte;
                bool digit = byte >= '0' && byte <= '9';
                int expected = digit ? 8 : place;
                assert_int_equal(number_digits(number_load(text)), expected);
                assert_int_equal(number_are_digits(number_load(text), count), expected >= count);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(leading_digits),   cmocka_unit_test(any_bit_pattern),
        cmocka_unit_test(data_like_values), cmocka_unit_test(random_digits),
        cmocka_unit_test(halfway_cases),    cmocka_unit_test(edges),
        cmocka_unit_test(no_numbers),       cmocka_unit_test(integers),
        cmocka_unit_test(long_decimals),    cmocka_unit_test(text_of_decimals),
        cmocka_unit_test(text_of_any_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
