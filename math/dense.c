/* dense.c - dense rows; see dense.h. */
#include "math/dense.h"

#include "math/simd.h"

enum { LANES = 32 }; /* sums side by side: enough that additions do not wait for each other */

/* The compiler makes no good vectors of several sums of products by itself. */
typedef double four __attribute__((vector_size(4 * sizeof(double)), aligned(8)));

static SIMD_BODY void vector_dot_into_body(const double *restrict x, const double *restrict y,
                                           int64_t n, double *restrict result) {
    double sum[LANES] = {0}, tail = 0;
    int64_t k = 0;
    for (; k + LANES <= n; k += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += x[k + lane] * y[k + lane];
    for (; k < n; k++)
        tail += x[k] * y[k];
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int lane = 0; lane < width; lane++)
            sum[lane] += sum[lane + width];
    *result = sum[0] + tail;
}
SIMD_CLONES(void, vector_dot_into, (const double *x, const double *y, int64_t n, double *result),
            (x, y, n, result))

double vector_dot_wide(const double *x, const double *y, int64_t n) {
    double result;
    vector_dot_into(x, y, n, &result);
    return result;
}

static SIMD_BODY void vector_add_wide_body(double *restrict y, double c, const double *restrict x,
                                           int64_t n) {
    for (int64_t k = 0; k < n; k++)
        y[k] += c * x[k];
}
SIMD_CLONES(void, vector_add_wide, (double *y, double c, const double *x, int64_t n), (y, c, x, n))

static SIMD_BODY void vector_adds_wide_body(double *restrict y, const double *c, double *const *x,
                                            int64_t n) {
    const double *restrict x0 = x[0], *restrict x1 = x[1], *restrict x2 = x[2], *restrict x3 = x[3];
    double c0 = c[0], c1 = c[1], c2 = c[2], c3 = c[3];
    for (int64_t k = 0; k < n; k++)
        y[k] += (c0 * x0[k] + c1 * x1[k]) + (c2 * x2[k] + c3 * x3[k]);
}
SIMD_CLONES(void, vector_adds_wide, (double *y, const double *c, double *const *x, int64_t n),
            (y, c, x, n))

static SIMD_BODY void vector_dots_wide_body(const double *x, double *const *y, int64_t n,
                                            double *result) {
    const double *restrict y0 = y[0], *restrict y1 = y[1], *restrict y2 = y[2], *restrict y3 = y[3];
    four sum[4][2] = {{{0}}};
    int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int half = 0; half < 2; half++) {
            const double *at = x + k + 4 * half;
            int64_t from = k + 4 * half;
            sum[0][half] += *(const four *)at * *(const four *)(y0 + from);
            sum[1][half] += *(const four *)at * *(const four *)(y1 + from);
            sum[2][half] += *(const four *)at * *(const four *)(y2 + from);
            sum[3][half] += *(const four *)at * *(const four *)(y3 + from);
        }
    for (int j = 0; j < 4; j++) {
        double tail = 0;
        for (int64_t i = k; i < n; i++)
            tail += x[i] * y[j][i];
        four both = sum[j][0] + sum[j][1];
        result[j] = (both[0] + both[2]) + (both[1] + both[3]) + tail;
    }
}
SIMD_CLONES(void, vector_dots_wide, (const double *x, double *const *y, int64_t n, double *result),
            (x, y, n, result))
