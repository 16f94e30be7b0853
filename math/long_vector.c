/* long_vector.c - operations on long vectors; sums go by pieces whose number depends on the length
 * alone, and are added in order. */
#include "math/long_vector.h"

#include <stddef.h>

enum { MIN_PARALLEL_LENGTH = 32768, BLOCKS = 32 };

void long_combine(double *out, double a, const double *x, double b, const double *y, int64_t n) {
#pragma omp parallel for simd schedule(static) if (n > MIN_PARALLEL_LENGTH)
    for (int64_t i = 0; i < n; i++)
        out[i] = (x == NULL ? 0 : a * x[i]) + b * y[i];
}

void long_mix(double *out, const double *x, const double *y, double eta, int64_t n) {
    long_combine(out, 1 - eta, x, eta, y, n); /* y where eta is 1 */
}

/* The terms of a sum over one piece, p_i f(x_i, y_i, z_i), one function for each f. */
typedef double piece_sum(const double *p, const double *x, const double *y, const double *z,
                         int64_t n);

static inline double dot_term(double x, double y, double z) {
    (void)z;
    return x * y;
}

static inline double slope_term(double x, double y, double z) {
    return x * (y - z);
}

static inline double square_term(double x, double y, double z) {
    (void)z;
    return (x - y) * (x - y);
}

static inline double size_term(double x, double y, double z) {
    (void)z;
    return x > y ? x - y : y - x;
}

/* Four running sums, which the compiler may keep in one register. */
static inline double sum_terms(double (*term)(double, double, double), const double *p,
                               const double *x, const double *y, const double *z, int64_t n) {
    double sum[4] = {0, 0, 0, 0};
    int64_t i = 0;
    for (; i + 3 < n; i += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] +=
                (p == NULL ? 1 : p[i + lane]) * term(x[i + lane], y[i + lane], z[i + lane]);
    for (; i < n; i++)
        sum[0] += (p == NULL ? 1 : p[i]) * term(x[i], y[i], z[i]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static double dot_piece(const double *p, const double *x, const double *y, const double *z,
                        int64_t n) {
    return sum_terms(dot_term, p, x, y, z, n);
}

static double slope_piece(const double *p, const double *x, const double *y, const double *z,
                          int64_t n) {
    return sum_terms(slope_term, p, x, y, z, n);
}

static double square_piece(const double *p, const double *x, const double *y, const double *z,
                           int64_t n) {
    return sum_terms(square_term, p, x, y, z, n);
}

static double size_piece(const double *p, const double *x, const double *y, const double *z,
                         int64_t n) {
    return sum_terms(size_term, p, x, y, z, n);
}

static double sum_pieces(piece_sum *piece, const double *p, const double *x, const double *y,
                         const double *z, int64_t n) {
    double part[BLOCKS], sum = 0;
    if (n <= MIN_PARALLEL_LENGTH)
        return piece(p, x, y, z, n);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < BLOCKS; k++) {
        int64_t from = n / BLOCKS * k, to = k + 1 < BLOCKS ? n / BLOCKS * (k + 1) : n;
        part[k] = piece(p == NULL ? NULL : p + from, x + from, y + from, z + from, to - from);
    }
    for (int k = 0; k < BLOCKS; k++)
        sum += part[k];
    return sum;
}

double long_dot(const double *p, const double *x, const double *y, int64_t n) {
    return sum_pieces(dot_piece, p, x, y, y, n);
}

double long_slope(const double *p, const double *x, const double *y, const double *z, int64_t n) {
    return sum_pieces(slope_piece, p, x, y, z, n);
}

double long_square(const double *p, const double *x, const double *y, int64_t n) {
    return sum_pieces(square_piece, p, x, y, y, n);
}

double long_size(const double *x, const double *y, int64_t n) {
    return sum_pieces(size_piece, NULL, x, y, y, n);
}
