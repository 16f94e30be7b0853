/* cholesky.h - systems with a symmetric positive definite matrix, by a blocked Cholesky factor.
 *
 * Matrices are n x n, row by row, and only the lower triangle (column j <= row i, at i n + j) is
 * read. Nothing is allocated; the number of threads does not change a bit. */
#ifndef RRM_CHOLESKY_H
#define RRM_CHOLESKY_H

#include "math/matrices/triangle.h"

#include <stdint.h>

/* Doubles of scratch memory that the functions below need. */
int64_t cholesky_work_size(int64_t n);

/* Factors A = U'U: U comes to the upper triangle, A itself stays below it and its diagonal in
 * `diagonal` (n doubles). Where rounding has left A without a factor, its diagonal is raised by the
 * least of the fractions 1e-15, 1e-14, ... that gives it one. 0, or -1 when A has entries that are
 * not finite, or is far from positive definite, or the work was INTERRUPTED (triangle.h). n^3/3 operations. */
int cholesky_factor(double *a, double *diagonal, int64_t n, double *work,
                    const struct interruption *interrupted);

/* b <- A^-1 b by the factor, refined by the residual with A itself while that halves. 2 n^2
 * operations and 4 n^2 each refinement, of which there is one at least. */
void cholesky_solve(const double *factor, const double *diagonal, double *b, double *work,
                    int64_t n);

#endif
