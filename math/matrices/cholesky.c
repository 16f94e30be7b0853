/* cholesky.c - Cholesky's factor, with a ridge where rounding asks for one. */
#include "math/matrices/cholesky.h"

#include "math/matrices/symmetric.h"
#include "math/matrices/triangle.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

enum {
    VECTORS = 4,
    BLOCK_SIDE = 32,
    MIN_PARALLEL_COLUMNS = 256
}; /* BLOCK_SIDE: a square is transposed at once, in the cache */

int64_t cholesky_work_size(int64_t n) {
    int64_t factor = triangle_work_size(n), solve = (VECTORS + SYMMETRIC_PARTS) * n;
    return factor > solve ? factor : solve;
}

/* A, with a ridge relative to each diagonal element, to the upper triangle. */
static void transpose_with_ridge(double *a, const double *diagonal, double ridge, int64_t n) {
#pragma omp parallel for schedule(dynamic, 1) if (n >= MIN_PARALLEL_COLUMNS)
    for (int64_t top = 0; top < n; top += BLOCK_SIDE) {
        int64_t end = top + BLOCK_SIDE < n ? top + BLOCK_SIDE : n;
        for (int64_t left = 0; left < end; left += BLOCK_SIDE)
            for (int64_t i = top; i < end; i++)
                for (int64_t j = left; j < i && j < left + BLOCK_SIDE; j++)
                    a[j * n + i] = a[i * n + j];
        for (int64_t i = top; i < end; i++)
            a[i * n + i] = diagonal[i] * (1 + ridge) + (ridge > 0 ? DBL_MIN : 0);
    }
}

static bool is_finite(const double *a, const double *diagonal, int64_t n) {
    double sum = 0;
    for (int64_t i = 0; i < n; i++) {
        sum += diagonal[i] * 0; /* not-a-number where it is not finite */
        for (int64_t j = 0; j < i; j++)
            sum += a[i * n + j] * 0;
    }
    return sum == 0;
}

int cholesky_factor(double *a, double *diagonal, int64_t n, double *work,
                    const struct interruption *interrupted) {
    static const double first_ridge = 1e-15, ridge_growth = 10, max_ridge = 1;
    for (int64_t i = 0; i < n; i++)
        diagonal[i] = a[i * n + i];
    transpose_with_ridge(a, diagonal, 0, n);
    int status = triangle_factor(a, n, work, interrupted);
    if (status != 0 && (interruption_came(interrupted) || !is_finite(a, diagonal, n)))
        return -1;
    for (double ridge = first_ridge;
         status != 0 && ridge < max_ridge && !interruption_came(interrupted);
         ridge *= ridge_growth) {
        transpose_with_ridge(a, diagonal, ridge, n);
        status = triangle_factor(a, n, work, interrupted);
    }
    return status;
}

void cholesky_solve(const double *factor, const double *diagonal, double *b, double *work,
                    int64_t n) {
    enum { MAX_REFINEMENTS = 6 };
    double *x = work, *r = work + n, *next = work + 2 * n, *image = work + 3 * n, size = INFINITY;
    memset(x, 0, sizeof *x * (size_t)n);
    memcpy(r, b, sizeof *r * (size_t)n);
    for (int k = 0; k <= MAX_REFINEMENTS; k++) {
        memcpy(next, r, sizeof *r * (size_t)n);
        triangle_solve_transposed(factor, n, next);
        triangle_solve(factor, n, next);
        for (int64_t i = 0; i < n; i++)
            next[i] += x[i];
        symmetric_multiply(factor, n, diagonal, n, next, image, work + VECTORS * n);
        for (int64_t i = 0; i < n; i++)
            r[i] = b[i] - image[i];
        double now = vector_largest(r, n);
        if (k > 0 && !(now < size))
            break;
        memcpy(x, next, sizeof *x * (size_t)n);
        if (now > size / 2 || now == 0)
            break;
        size = now;
    }
    memcpy(b, x, sizeof *b * (size_t)n);
}
