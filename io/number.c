/* number.c - converts decimal text of any form to a double; see number.h.
 *
 * The text is m 10^k: the integer m is its digits, k its exponent less its decimals. There are three cases:
 *   m <= 2^53 and |k| <= 22   both are exact doubles, so one multiplication or division rounds once
 *                             (Clinger 1990, "How to read floating point numbers accurately");
 *   m < 10^19 and |k| <= 27   m 5^k exactly in 128 bits (5^27 < 2^63), then rounded once;
 *   everything else           strtod. */
#include "io/number.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

const double number_power[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                 1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

const uint32_t number_integer_power[10] = {1,      10,      100,      1000,      10000,
                                           100000, 1000000, 10000000, 100000000, 1000000000};

enum { POWERS_OF_FIVE = 28, MAX_DIGITS = 19 }; /* 5^0 .. 5^27 and 19 digits fit into 64 bits */

/* Larger exponents are cut to this: no text has so many decimals that the value could still be finite and not 0. */
static const int64_t exponent_limit = INT64_MAX / 2;

static uint64_t power_of_five(int exponent) {
    uint64_t power = 1;
    for (uint64_t square = 5; exponent > 0; exponent >>= 1, square *= square)
        if (exponent & 1)
            power *= square;
    return power;
}

/* m 5^k 2^k for |k| <= 27, m > 0. The conversion of a 64-bit integer to double rounds to nearest
 * even, once; the lowest bit is set if any dropped bit was set (a sticky bit), which keeps the rounding
 * correct, since 63 bits are more than 53 + 2. */
static double convert_wide(uint64_t m, int k) {
    int shift = __builtin_clzll(m);
    m <<= shift;
    if (k >= 0) {
        unsigned __int128 product = (unsigned __int128)m * power_of_five(k);
        uint64_t high = (uint64_t)(product >> 64);
        int bits = high == 0 ? 0 : 64 - __builtin_clzll(high);
        uint64_t top = (uint64_t)(product >> bits);
        bool sticky = (product & (((unsigned __int128)1 << bits) - 1)) != 0;
        return ldexp((double)(top | sticky), bits - shift + k);
    }
    uint64_t divisor = power_of_five(-k);
    int divisor_shift = __builtin_clzll(divisor);
    divisor <<= divisor_shift;
    unsigned __int128 dividend = (unsigned __int128)m << 63;
    uint64_t quotient = (uint64_t)(dividend / divisor);
    bool sticky = dividend % divisor != 0;
    return ldexp((double)(quotient | sticky), divisor_shift - shift - 63 + k);
}

/* The C locale is a constant object of the C library: nothing is allocated here. */
static double convert_any(const char *text) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(c);
    double value = strtod(text, NULL);
    uselocale(before);
    freelocale(c);
    return value;
}

/* Appends the digits at p to *m (modulo 2^64). Returns the first byte that is no digit. */
static const char *scan_digits(const char *p, uint64_t *m) {
    for (;;) {
        uint64_t word = number_load(p);
        int digits = number_digits(word);
        if (digits == 0)
            return p;
        *m = *m * number_integer_power[digits] + number_join(word, digits);
        p += digits;
        if (digits < 8)
            return p;
    }
}

static const char *scan_exponent(const char *p, int64_t *exponent) {
    bool negative = *p == '-';
    p += *p == '-' || *p == '+';
    p = number_scan_integer(p, exponent);
    if (p == NULL)
        return NULL;
    if (*exponent == NUMBER_TOO_LARGE || *exponent > exponent_limit)
        *exponent = exponent_limit;
    if (negative)
        *exponent = -*exponent;
    return p;
}

static int64_t leading_zeros(const char *p) {
    int64_t zeros = 0;
    for (; *p == '0' || *p == '.'; p++)
        zeros += *p == '0';
    return zeros;
}

const char *number_scan(const char *text, double *value) {
    bool negative = *text == '-';
    const char *first = text + (*text == '-' || *text == '+');
    uint64_t m = 0;
    const char *p = scan_digits(first, &m);
    int64_t digits = p - first;
    int64_t decimals = 0;
    if (*p == '.') {
        const char *point = p++;
        p = scan_digits(p, &m);
        decimals = p - point - 1;
        digits += decimals;
    }
    if (digits == 0)
        return NULL;
    int64_t exponent = 0;
    if (*p == 'e' || *p == 'E') {
        p = scan_exponent(p + 1, &exponent);
        if (p == NULL)
            return NULL;
    }
    exponent -= decimals;
    if (digits > MAX_DIGITS)
        digits -= leading_zeros(first);
    bool exact = digits <= MAX_DIGITS && NUMBER_ONE_ROUNDING;
    double magnitude;
    if (exact && m == 0)
        magnitude = 0;
    else if (exact && m <= UINT64_C(1) << 53 && exponent >= 0 && exponent <= 22)
        magnitude = (double)m * number_power[exponent];
    else if (exact && m <= UINT64_C(1) << 53 && exponent < 0 && exponent >= -22)
        magnitude = (double)m / number_power[-exponent];
    else if (exact && exponent > -POWERS_OF_FIVE && exponent < POWERS_OF_FIVE)
        magnitude = convert_wide(m, (int)exponent);
    else
        magnitude = convert_any(first);
    *value = negative ? -magnitude : magnitude;
    return p;
}

const char *number_scan_integer(const char *text, int64_t *value) {
    const char *p = text;
    bool fits = true;
    int64_t n = 0;
    for (; *p >= '0' && *p <= '9'; p++)
        fits =
            fits && !__builtin_mul_overflow(n, 10, &n) && !__builtin_add_overflow(n, *p - '0', &n);
    if (p == text)
        return NULL;
    *value = fits ? n : NUMBER_TOO_LARGE;
    return p;
}
