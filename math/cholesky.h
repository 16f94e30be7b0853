/* cholesky.h - systems with a symmetric positive definite matrix, by LAPACK's blocked Cholesky.
 *
 * Matrices are n x n, row by row, and only the lower triangle (column j <= row i, at i n + j) is
 * read. The LAPACK that is linked should be a serial one: then results do not depend on threads. */
#ifndef RRM_CHOLESKY_H
#define RRM_CHOLESKY_H

#include <stdint.h>

/* Factors A = L L' in place; `diagonal` is room for n doubles. Where rounding has left A without a
 * factor, the least ridge (a multiple of 1e-13 trace/n, growing) is added that gives it one. The
 * upper triangle is overwritten. 0, or -1 when A holds no numbers. n^3/3 operations. */
int cholesky_factor(double *a, double *diagonal, int64_t n);

/* b <- A^-1 b by the factor. */
void cholesky_solve(const double *factor, double *b, int64_t n);

#endif
