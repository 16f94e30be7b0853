/* cholesky.c - LAPACK's Cholesky factorization, with a ridge where rounding asks for one.
 *
 * LAPACK counts by columns: our lower triangle is its upper one. */
#include "math/cholesky.h"

#include <math.h>

void dpotrf_(const char *triangle, const int *n, double *a, const int *stride, int *info);
void dpotrs_(const char *triangle, const int *n, const int *columns, const double *a,
             const int *stride, double *b, const int *b_stride, int *info);

/* The upper triangle keeps what the factor overwrites. */
static void keep(double *a, double *diagonal, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        diagonal[i] = a[i * n + i];
        for (int64_t j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
    }
}

static void restore(double *a, const double *diagonal, double ridge, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i];
        a[i * n + i] = diagonal[i] + ridge;
    }
}

int cholesky_factor(double *a, double *diagonal, int64_t n) {
    static const double first = 1e-13, growth = 100, last = 1;
    int size = (int)n, info;
    double trace = 0;
    for (int64_t i = 0; i < n; i++)
        trace += a[i * n + i];
    if (!isfinite(trace))
        return -1;
    keep(a, diagonal, n);
    dpotrf_("U", &size, a, &size, &info);
    for (double ridge = first; info != 0 && ridge < last; ridge *= growth) {
        restore(a, diagonal, ridge * trace / (double)n, n);
        dpotrf_("U", &size, a, &size, &info);
    }
    return info == 0 ? 0 : -1;
}

void cholesky_solve(const double *factor, double *b, int64_t n) {
    int size = (int)n, one = 1, info;
    dpotrs_("U", &size, &one, factor, &size, b, &size, &info);
}
