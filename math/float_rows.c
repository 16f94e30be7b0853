/* float_rows.c - products and sums of rows of floats in doubles. */
#include "math/float_rows.h"

#include "math/simd.h"

enum { LANES = 32 }; /* sums side by side: enough that additions do not wait for each other */

static SIMD_BODY void float_dot_into_body(const float *restrict x, const double *restrict y,
                                          int64_t n, double *restrict result) {
    double sum[LANES] = {0}, tail = 0;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += (double)x[k + lane] * y[k + lane];
    for (; k < n; k++)
        tail += (double)x[k] * y[k];
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++)
            sum[lane] += sum[lane + width];
    *result = sum[0] + tail;
}
SIMD_CLONES(void, float_dot_into, (const float *x, const double *y, int64_t n, double *result),
            (x, y, n, result))

double float_dot(const float *x, const double *y, int64_t n) {
    double result;
    float_dot_into(x, y, n, &result);
    return result;
}

static SIMD_BODY void float_add_body(double *restrict y, double c, const float *restrict x,
                                     int64_t n) {
    for (int64_t i = 0; i < n; i++)
        y[i] += c * (double)x[i];
}
SIMD_CLONES(void, float_add, (double *y, double c, const float *x, int64_t n), (y, c, x, n))

static SIMD_BODY void float_add_signed_body(double *y, double c, const double *s, const float *x,
                                            int64_t n) {
    for (int64_t i = 0; i < n; i++)
        y[i] += c * s[i] * (double)x[i];
}

SIMD_CLONES(void, float_add_signed,
            (double *y, double c, const double *s, const float *x, int64_t n), (y, c, s, x, n))

static SIMD_BODY void float_add_rows_body(double *y, const double *c, const float *const *x,
                                          int64_t count, int64_t from, int64_t to) {
    int64_t k = 0;
    for (; k + 7 < count; k += 8) {
        const float *const *r = x + k;
        const double *f = c + k;
        for (int64_t i = from; i < to; i++)
            y[i] += ((f[0] * (double)r[0][i] + f[1] * (double)r[1][i]) +
                     (f[2] * (double)r[2][i] + f[3] * (double)r[3][i])) +
                    ((f[4] * (double)r[4][i] + f[5] * (double)r[5][i]) +
                     (f[6] * (double)r[6][i] + f[7] * (double)r[7][i]));
    }
    for (; k + 3 < count; k += 4) {
        const float *x0 = x[k], *x1 = x[k + 1], *x2 = x[k + 2], *x3 = x[k + 3];
        double c0 = c[k], c1 = c[k + 1], c2 = c[k + 2], c3 = c[k + 3];
        for (int64_t i = from; i < to; i++)
            y[i] +=
                c0 * (double)x0[i] + c1 * (double)x1[i] + c2 * (double)x2[i] + c3 * (double)x3[i];
    }
    for (; k < count; k++) {
        const float *row = x[k];
        double factor = c[k];
        for (int64_t i = from; i < to; i++)
            y[i] += factor * (double)row[i];
    }
}

SIMD_CLONES(void, float_add_rows,
            (double *y, const double *c, const float *const *x, int64_t count, int64_t from,
             int64_t to),
            (y, c, x, count, from, to))
