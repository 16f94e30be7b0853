/* cosine.c - cos(x) = (-1)^(q+1) sin(x - (q + 1/2) pi), |x - (q + 1/2) pi| <= pi / 2; the sine by its
 * Taylor polynomial of degree 21, whose remainder is below 2e-18. pi is in three parts, the first two of
 * 33 bits, whose products with q + 1/2 are exact (Cody & Waite 1980). */
#include "math/cosine.h"

#include "math/simd.h"

#include <math.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum { LANES = 8, BLOCK = 256 };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));
typedef int64_t integers __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

static const double largest_reduced = 1e5, rounding_shift = 0x1.8p52;
static const double pi_high = 0x1.921fb54400000p+1, pi_middle = 0x1.0b4611a600000p-33,
                    pi_low = 0x1.3198a2e037073p-68;

#define FACTOR(n) (1.0 / (n))

static SIMD_BODY void cosines_8(double *x) {
    lanes at = *(const lanes *)x;
    lanes sum = (at * 0x1.45f306dc9c883p-2 - 0.5) + rounding_shift, q = sum - rounding_shift + 0.5;
    integers even = (((integers)sum & 1) ^ 1) << 63;
    lanes r = at - q * pi_high;
    r = r - q * pi_middle;
    r = r - q * pi_low;
    lanes s = r * r;
    lanes p = s * FACTOR(51090942171709440000.0) - FACTOR(121645100408832000.0);
    p = p * s + FACTOR(355687428096000.0);
    p = p * s - FACTOR(1307674368000.0);
    p = p * s + FACTOR(6227020800.0);
    p = p * s - FACTOR(39916800.0);
    p = p * s + FACTOR(362880.0);
    p = p * s - FACTOR(5040.0);
    p = p * s + FACTOR(120.0);
    p = p * s - FACTOR(6.0);
    p = p * (s * r) + r;
    *(lanes *)x = (lanes)((integers)p ^ even);
}

/* COUNT <= BLOCK numbers. */
static SIMD_BODY void cosines_block(double *x, int64_t count) {
    double given[BLOCK + LANES] = {0};
    int any_large = 0;
    memcpy(given, x, sizeof *x * (size_t)count);
    for (int64_t k = 0; k < count; k++)
        any_large |= !(fabs(x[k]) <= largest_reduced);
    double result[BLOCK + LANES];
    memcpy(result, given, sizeof result);
    for (int64_t k = 0; k < count; k += LANES)
        cosines_8(result + k);
    for (int64_t k = 0; any_large && k < count; k++)
        if (!(fabs(given[k]) <= largest_reduced))
            result[k] = cos(given[k]);
    memcpy(x, result, sizeof *x * (size_t)count);
}

static SIMD_BODY void cosines_body(double *x, int64_t n) {
    for (int64_t k = 0; k < n; k += BLOCK)
        cosines_block(x + k, n - k < BLOCK ? n - k : BLOCK);
}

SIMD_CLONES(void, cosines, (double *x, int64_t n), (x, n))
