/* cholesky.h - systems with a symmetric positive definite matrix, by LAPACK's blocked Cholesky.
 *
 * Matrices are n x n, row by row, and only the lower triangle (column j <= row i, at i n + j) is
 * read. lapack_load must have succeeded. */
#ifndef RRM_CHOLESKY_H
#define RRM_CHOLESKY_H

#include <stdint.h>

/* Factors A = L L' in place; A itself stays in the upper triangle and `diagonal` (n doubles). Where
 * rounding has left A without a factor, its diagonal is raised by the least of the fractions 1e-15,
 * 1e-14, ... that gives it one. 0, or -1 when A holds no numbers. n^3/3 operations. */
int cholesky_factor(double *a, double *diagonal, int64_t n);

/* b <- A^-1 b by the factor, refined by the residual with A itself while that halves; `work` is
 * room for 3 n. 2 n^2 operations and 4 n^2 each refinement, of which there is one at least. */
void cholesky_solve(const double *factor, const double *diagonal, double *b, double *work,
                    int64_t n);

#endif
