/* number.h - decimal text to double, fast, with exactly the bits of strtod in the C locale.
 *
 * The text must be followed by at least NUMBER_PADDING readable bytes, and by a byte that cannot
 * belong to a number (a newline) before them: the scanners read eight bytes at a time without
 * bounds checks. */
#ifndef RRM_NUMBER_H
#define RRM_NUMBER_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NUMBER_PADDING = 16, NUMBER_TOO_LARGE = -1 };

/* False on machines (x87) whose intermediates have more bits than a double: there one division would round twice. */
enum { NUMBER_ONE_ROUNDING = FLT_EVAL_METHOD == 0 };

extern const double number_power[23];           /* 10^0 .. 10^22, all exact */
extern const uint32_t number_integer_power[10]; /* 10^0 .. 10^9 */

/* Scans [+-]digits[.digits][e[+-]digits] with at least one digit before the exponent. Returns the
 * end and the value (infinite on overflow), or NULL if the text is not such a number; "inf", "nan"
 * and hexadecimal are not. */
const char *number_scan(const char *text, double *value);

/* Scans digits without a sign; returns the end and the value, NUMBER_TOO_LARGE above INT64_MAX, or
 * NULL when there is no digit. */
const char *number_scan_integer(const char *text, int64_t *value);

/* Loads eight bytes; the first one is the lowest byte of the result, on any machine. */
static inline uint64_t number_load(const char *text) {
    uint64_t word;
    memcpy(&word, text, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* The number of leading bytes (0 to 8) that are digits. A byte that is no digit gets its high bit set in one of the
 * terms; carries and borrows change only the bytes after it. */
static inline int number_digits(uint64_t word) {
    uint64_t other = ((word + 0x4646464646464646) | (word - 0x3030303030303030) | word) &
                     UINT64_C(0x8080808080808080);
    return other == 0 ? 8 : __builtin_ctzll(other) >> 3;
}

/* Whether the first COUNT bytes (1 to 8) are digits. */
static inline int number_are_digits(uint64_t word, int count) {
    uint64_t value = (word ^ 0x3030303030303030) << (64 - 8 * count);
    return (((value + 0x7676767676767676) | value) & UINT64_C(0x8080808080808080)) == 0;
}

/* The value of the first DIGITS bytes (1 to 8). A shift puts zeros before them; then one multiplication each joins
 * pairs, fours and eights of digits. */
static inline uint32_t number_join(uint64_t word, int digits) {
    word = (word & 0x0f0f0f0f0f0f0f0f) << (64 - 8 * digits);
    word = (word * (10 * 256 + 1)) >> 8;
    word = ((word & 0x00ff00ff00ff00ff) * (100 * 65536 + 1)) >> 16;
    return (uint32_t)(((word & 0x0000ffff0000ffff) * (10000 * (UINT64_C(1) << 32) + 1)) >> 32);
}

/* Scans the short form that most data has: [-]digits[.digits], fewer than 8 digits before the point and at most 8
 * after it. Returns the end, or NULL for any other form. If the byte at the end is a digit or "e", the number
 * continues and the caller must use number_scan. */
static inline const char *number_scan_short(const char *text, double *value) {
    int negative = *text == '-';
    const char *p = text + negative;
    uint64_t word = number_load(p);
    uint32_t integer_part = 0;
    double magnitude;
    if ((word & 0xffff) == ('0' | '.' << 8)) {
        p += 2;
    } else {
        int digits = number_digits(word);
        if (digits == 0 || digits == 8)
            return NULL;
        integer_part = number_join(word, digits);
        p += digits;
        if (*p != '.') {
            magnitude = integer_part;
            *value = negative ? -magnitude : magnitude;
            return p;
        }
        p++;
    }
    word = number_load(p);
    int decimals = number_digits(word);
    if (decimals == 0 || !NUMBER_ONE_ROUNDING)
        return NULL;
    uint64_t mantissa = (uint64_t)integer_part * number_integer_power[decimals];
    magnitude = (double)(int64_t)(mantissa + number_join(word, decimals)) / number_power[decimals];
    *value = negative ? -magnitude : magnitude;
    return p + decimals;
}

#endif
