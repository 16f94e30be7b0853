/* cholesky.c - LAPACK's Cholesky factorization, with a ridge where rounding asks for one.
 *
 * LAPACK counts by columns: our lower triangle is its upper one. */
#include "math/cholesky.h"

#include "math/lapack.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* The upper triangle keeps what the factor overwrites. */
static void keep(double *a, double *diagonal, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        diagonal[i] = a[i * n + i];
        for (int64_t j = 0; j < i; j++)
            a[j * n + i] = a[i * n + j];
    }
}

/* A with a ridge, relative to each diagonal element. */
static void restore(double *a, const double *diagonal, double ridge, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++)
            a[i * n + j] = a[j * n + i];
        a[i * n + i] = diagonal[i] * (1 + ridge) + DBL_MIN;
    }
}

int cholesky_factor(double *a, double *diagonal, int64_t n) {
    static const double first = 1e-15, growth = 10, last = 1;
    int size = (int)n, info;
    double trace = 0;
    for (int64_t i = 0; i < n; i++)
        trace += a[i * n + i];
    const struct lapack *lapack = lapack_load(NULL, NULL);
    if (!isfinite(trace) || lapack == NULL || n == 0)
        return lapack != NULL && n == 0 ? 0 : -1;
    keep(a, diagonal, n);
    lapack->dpotrf("U", &size, a, &size, &info, 1);
    for (double ridge = first; info != 0 && ridge < last; ridge *= growth) {
        restore(a, diagonal, ridge, n);
        lapack->dpotrf("U", &size, a, &size, &info, 1);
    }
    return info == 0 ? 0 : -1;
}

static void solve(const double *factor, double *b, int64_t n) {
    int size = (int)n, one = 1, info;
    if (n == 0)
        return;
    lapack_load(NULL, NULL)->dpotrs("U", &size, &one, factor, &size, b, &size, &info, 1);
}

/* r -= A x, A from the upper triangle and the diagonal. */
static void subtract_product(const double *a, const double *diagonal, const double *x, double *r,
                             int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        double sum = diagonal[i] * x[i], at = x[i];
        const double *row = a + i * n;
        for (int64_t j = i + 1; j < n; j++) {
            sum += row[j] * x[j];
            r[j] -= row[j] * at;
        }
        r[i] -= sum;
    }
}

static double size_of(const double *r, int64_t n) {
    double size = 0;
    for (int64_t i = 0; i < n; i++)
        size = fmax(size, fabs(r[i]));
    return size;
}

void cholesky_solve(const double *factor, const double *diagonal, double *b, double *work,
                    int64_t n) {
    enum { REFINEMENTS = 6 };
    double *x = work, *r = work + n, *next = work + 2 * n, size = INFINITY;
    memset(x, 0, sizeof *x * (size_t)n);
    memcpy(r, b, sizeof *r * (size_t)n);
    for (int k = 0; k <= REFINEMENTS; k++) {
        memcpy(next, r, sizeof *r * (size_t)n);
        solve(factor, next, n);
        for (int64_t i = 0; i < n; i++)
            next[i] += x[i];
        memcpy(r, b, sizeof *r * (size_t)n);
        subtract_product(factor, diagonal, next, r, n);
        double now = size_of(r, n);
        if (k > 0 && !(now < size))
            break;
        memcpy(x, next, sizeof *x * (size_t)n);
        if (now > size / 2 || now == 0)
            break;
        size = now;
    }
    memcpy(b, x, sizeof *b * (size_t)n);
}
