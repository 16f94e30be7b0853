/* number_digits.c - doubles with 17 significant digits, the text of "%.17g".
 *
 * A positive double is m 2^e with a whole m, and its digits are the number m 2^e 10^k = m 5^k / 2^shift, rounded to a
 * whole one, for the k that leaves 17 of them. For k <= 54 the product m 5^k has at most 180 bits and is exact, and so
 * is the rounding: to the nearest, of two the even one. Other values are written by snprintf. */
#include "io/number_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 17, MANTISSA = 53, LIMB = 64, HALF_SCALE = 27, MOST_SCALE = 2 * HALF_SCALE };
enum { LEAST_FIXED = -4 }; /* the least exponent that "%g" writes without an "e" */

typedef unsigned __int128 wide;

static const uint64_t power_of_five[HALF_SCALE + 1] = {UINT64_C(1),
                                                       UINT64_C(5),
                                                       UINT64_C(25),
                                                       UINT64_C(125),
                                                       UINT64_C(625),
                                                       UINT64_C(3125),
                                                       UINT64_C(15625),
                                                       UINT64_C(78125),
                                                       UINT64_C(390625),
                                                       UINT64_C(1953125),
                                                       UINT64_C(9765625),
                                                       UINT64_C(48828125),
                                                       UINT64_C(244140625),
                                                       UINT64_C(1220703125),
                                                       UINT64_C(6103515625),
                                                       UINT64_C(30517578125),
                                                       UINT64_C(152587890625),
                                                       UINT64_C(762939453125),
                                                       UINT64_C(3814697265625),
                                                       UINT64_C(19073486328125),
                                                       UINT64_C(95367431640625),
                                                       UINT64_C(476837158203125),
                                                       UINT64_C(2384185791015625),
                                                       UINT64_C(11920928955078125),
                                                       UINT64_C(59604644775390625),
                                                       UINT64_C(298023223876953125),
                                                       UINT64_C(1490116119384765625),
                                                       UINT64_C(7450580596923828125)};

/* m 5^scale / 2^shift, 0 < shift, rounded; below 2^64. */
static uint64_t round_product(uint64_t m, int scale, int shift) {
    int first = scale < HALF_SCALE ? scale : HALF_SCALE;
    wide half = (wide)m * power_of_five[first];
    uint64_t factor = power_of_five[scale - first];
    wide bottom = (wide)(uint64_t)half * factor, top = (half >> LIMB) * factor + (bottom >> LIMB);
    bool below = (uint64_t)bottom != 0; /* whether there are ones below `top` */
    if (shift <= LIMB) {
        top = top << LIMB | (uint64_t)bottom;
        below = false;
    } else {
        shift -= LIMB;
    }
    wide middle = (wide)1 << (shift - 1), rest = top & (2 * middle - 1);
    uint64_t whole = (uint64_t)(top >> shift);
    return whole + (rest > middle || (rest == middle && (below || whole % 2 == 1)));
}

/* VALUE > 0 is DIGITS digits, the first one times 10^*exponent. 0 if they are not found here. */
static uint64_t digits_of(double value, int *exponent) {
    static const double decimals_of_a_bit = 0.30102999566398120;
    static const uint64_t limit = UINT64_C(100000000000000000); /* 10^DIGITS */
    int binary;
    uint64_t m = (uint64_t)ldexp(frexp(value, &binary), MANTISSA), digits = limit;
    *exponent =
        (int)floor((binary - 1) * decimals_of_a_bit) - 1; /* that of the value or one less */
    while (digits >= limit) {
        int scale = DIGITS - 1 - ++*exponent, shift = MANTISSA - binary - scale;
        if (scale < 0 || scale > MOST_SCALE || shift < 1)
            return 0;
        digits = round_product(m, scale, shift);
    }
    return digits;
}

/* COUNT digits with a point behind the first BEFORE of them. */
static char *write_digits(const char *digit, int count, int before, char *text) {
    for (int k = 0; k < count || k < before; k++) {
        if (k == before)
            *text++ = '.';
        *text++ = k < count ? digit[k] : '0';
    }
    return text;
}

static char *write_exponent(int exponent, char *text) {
    *text++ = 'e';
    *text++ = exponent < 0 ? '-' : '+';
    exponent = exponent < 0 ? -exponent : exponent;
    *text++ = (char)('0' + exponent / 10);
    *text++ = (char)('0' + exponent % 10);
    return text;
}

/* The text of the digits; of none, "0". */
static char *write_number(uint64_t digits, int exponent, char *text) {
    char digit[DIGITS];
    int count = DIGITS;
    for (int k = DIGITS - 1; k >= 0; k--, digits /= 10)
        digit[k] = (char)('0' + digits % 10);
    while (count > 1 && digit[count - 1] == '0')
        count--;
    if (exponent < LEAST_FIXED)
        return write_exponent(exponent, write_digits(digit, count, 1, text));
    if (exponent >= 0)
        return write_digits(digit, count, exponent + 1, text);
    memcpy(text, "0.0000", sizeof "0.0000");
    text += 1 - exponent;
    return write_digits(digit, count, count, text);
}

char *number_digits_text(double value, char *text) {
    int exponent = 0;
    uint64_t digits = isfinite(value) && value != 0 ? digits_of(fabs(value), &exponent) : 0;
    if (digits == 0 && value != 0)
        return text + snprintf(text, NUMBER_TEXT, "%.17g", value);
    if (signbit(value))
        *text++ = '-';
    text = write_number(digits, exponent, text);
    *text = '\0';
    return text;
}
