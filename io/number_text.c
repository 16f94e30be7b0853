/* number_text.c - doubles as decimal text.
 *
 * A value with k <= 10 decimals is m / 10^k with an integer m. If m <= 2^53, both are exact, and their quotient is
 * what a reader gets from these digits (number.c). Other values have 17 digits. */
#include "io/number_text.h"

#include "io/number.h"

#include <inttypes.h>
#include <math.h>

enum { MAX_DECIMALS = 10 };

static const double largest_integer = 0x1p53;

/* m / 10^decimals */
static char *write_decimal(uint64_t m, int decimals, char *text) {
    char digit[NUMBER_TEXT];
    int count = 0;
    for (; m > 0 || count <= decimals; m /= 10)
        digit[count++] = (char)('0' + m % 10);
    while (count > 0) {
        *text++ = digit[--count];
        if (count == decimals && count > 0)
            *text++ = '.';
    }
    *text = '\0';
    return text;
}

char *number_text(double value, char *text) {
    double magnitude = fabs(value);
    for (int k = 0; k <= MAX_DECIMALS && NUMBER_ONE_ROUNDING; k++) {
        double m = rint(magnitude * number_power[k]);
        if (!(m <= largest_integer))
            break;
        if (m / number_power[k] == magnitude) {
            if (signbit(value))
                *text++ = '-';
            return write_decimal((uint64_t)m, k, text);
        }
    }
    return number_digits_text(value, text);
}
