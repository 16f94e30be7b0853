/* float_values.h - kernel values in single precision from products in single precision, by the machine's vectors; for
 * kernel/ alone. To be included before any function. */
#ifndef RRM_FLOAT_VALUES_H
#define RRM_FLOAT_VALUES_H

#include "kernel/kernel.h"
#include "math/simd.h"

#include <stdint.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    FLOAT_LANES = 16,
    FLOAT_GROUP = 64 /* points whose values are computed side by side */
};

typedef float float_lanes __attribute__((vector_size(FLOAT_LANES * sizeof(float)), aligned(4)));
typedef int32_t integer_lanes __attribute__((vector_size(FLOAT_LANES * sizeof(float)), aligned(4)));

/* exp(-gamma d) = 2^(d scale), with `scale` in two parts: a product with the first alone would change gamma by its
 * rounding, and so all values in the same direction. */
struct float_gaussian {
    float scale, scale_rest;
    float limit; /* of d: 2^-126 is the least value */
};

static inline struct float_gaussian float_gaussian_of(double gamma) {
    static const double log2_of_e = 0x1.71547652b82fep0;
    double exact = -gamma * log2_of_e;
    float scale = (float)exact;
    return (struct float_gaussian){scale, (float)(exact - (double)scale), 126 / -scale};
}

/* x[k] = 2^(x[k] scale), 0 <= x[k] <= limit */
static SIMD_BODY void powers_of_two(const struct float_gaussian *g, float *x) {
    static const float shift = 0x1.8p23F;
    float_lanes at = *(const float_lanes *)x;
    float_lanes sum = at * g->scale + shift, whole = sum - shift;
    float_lanes r = at * g->scale - whole;
    r += at * g->scale_rest;
    /* The polynomial nearest to 2^r over |r| <= 1/2: by 2e-9. */
    float_lanes p = r * 1.534581173e-4F + 1.339993121e-3F;
    p = p * r + 9.618488958e-3F;
    p = p * r + 5.550328777e-2F;
    p = p * r + 2.402264689e-1F;
    p = p * r + 6.931472057e-1F;
    p = p * r + 1.0F;
    *(float_lanes *)x = (float_lanes)((integer_lanes)p + ((integer_lanes)sum << 23));
}

/* x[k] = exp(-gamma ||s_k - x||^2), from the products in x and the squared norms. */
static SIMD_BODY void float_gaussians(const struct float_gaussian *g, const float *point_square,
                                      float square, float *x, int count) {
    for (int k = 0; k < count; k++) {
        float distance = point_square[k] + square - 2 * x[k];
        distance = distance < 0 ? 0 : distance;
        x[k] = distance > g->limit ? g->limit : distance;
    }
    for (int k = 0; k < count; k += FLOAT_LANES)
        powers_of_two(g, x + k);
}

/* x[k] = (gamma x[k] + shift)^degree */
static SIMD_BODY void float_polynomials(const struct kernel *kernel, float *x, int count) {
    float base[FLOAT_GROUP], gamma = (float)kernel->gamma, shift = (float)kernel->shift;
    for (int k = 0; k < count; k++) {
        base[k] = gamma * x[k] + shift;
        x[k] = 1;
    }
    for (int64_t n = kernel->degree; n > 0; n >>= 1) {
        for (int k = 0; k < count && n & 1; k++)
            x[k] *= base[k];
        for (int k = 0; k < count; k++)
            base[k] *= base[k];
    }
}

#endif
