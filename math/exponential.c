/* exponential.c - exp(x) = 2^k exp(r), |r| <= ln(2) / 2, by the Taylor polynomial of degree 13, whose
 * remainder is below 5e-18. */
#include "math/exponential.h"

#include "math/simd.h"

#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum { LANES = 8 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));
typedef int64_t integers __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/* Adding this rounds to a whole number, which the low bits of the sum hold. */
static const double rounding_shift = 0x1.8p52;

/* ln(2) in two parts, the first of 32 bits: a product with any k is exact. */
static const double ln2_high = 0x1.62e42fee00000p-1, ln2_low = 0x1.a39ef35793c76p-33;

#define FACTOR(n) (1.0 / (n))

/* exp(x[0 .. 7]) */
static SIMD_BODY void exponentials_8(double *x) {
    lanes at = *(const lanes *)x;
    lanes sum = at * 0x1.71547652b82fep0 + rounding_shift, k = sum - rounding_shift;
    integers power = (integers)sum - 0x4338000000000000;
    lanes r = at - k * ln2_high;
    r = r - k * ln2_low;
    lanes p = r * FACTOR(6227020800) + FACTOR(479001600);
    p = p * r + FACTOR(39916800);
    p = p * r + FACTOR(3628800);
    p = p * r + FACTOR(362880);
    p = p * r + FACTOR(40320);
    p = p * r + FACTOR(5040);
    p = p * r + FACTOR(720);
    p = p * r + FACTOR(120);
    p = p * r + FACTOR(24);
    p = p * r + FACTOR(6);
    p = p * r + FACTOR(2);
    p = p * (r * r) + r;
    p = p + 1;
    /* In two steps: 2^k alone may be beyond all numbers, or below all normal ones. */
    integers half = power >> 1;
    lanes first = (lanes)((half + 1023) << 52), second = (lanes)((power - half + 1023) << 52);
    *(lanes *)x = p * first * second;
}

static SIMD_BODY void exponentials_body(double *x, int64_t n) {
    int64_t k = 0;
    for (int64_t j = 0; j < n; j++) /* beyond, the result is 0 or infinity already */
        x[j] = x[j] < -746 ? -746 : x[j] > 710 ? 710 : x[j];
    for (; k + LANES <= n; k += LANES)
        exponentials_8(x + k);
    if (k < n) {
        double buffer[LANES] = {0};
        memcpy(buffer, x + k, sizeof *x * (size_t)(n - k));
        exponentials_8(buffer);
        memcpy(x + k, buffer, sizeof *x * (size_t)(n - k));
    }
}

SIMD_CLONES(void, exponentials, (double *x, int64_t n), (x, n))
