/* triangle.h - the factor of a symmetric positive definite matrix, A = U'U, by blocks, and the
 * systems of its triangle.
 *
 * Matrices are n x n, row by row; only the upper triangle (column j >= row i, at i n + j) is read
 * and written. Right-looking: a row of blocks is factored, then what is behind it has its products
 * subtracted, by the tiles of math/matrices/gram_tiles.h. Each entry is summed in one order, so that the number of
 * threads does not change a bit.
 *
 * Reference: Golub & Van Loan, Matrix Computations, sections 3.1 and 4.2. */
#ifndef RRM_TRIANGLE_H
#define RRM_TRIANGLE_H

#include "io/interruption.h"

#include <stdint.h>

/* Doubles of scratch memory that triangle_factor needs: a row of blocks. */
int64_t triangle_work_size(int64_t n);

/* A becomes U. 0, or -1 when A is not positive definite (or has entries that are not finite), or the work was
 * INTERRUPTED (NULL: it never is), which is asked for each row of blocks: its triangle is then overwritten in
 * part. n^3/3 operations; nothing is allocated. */
int triangle_factor(double *a, int64_t n, double *work, const struct interruption *interrupted);

/* x <- U'^-1 x and x <- U^-1 x: together A^-1 x. n^2 operations each. */
void triangle_solve_transposed(const double *u, int64_t n, double *x);
void triangle_solve(const double *u, int64_t n, double *x);

#endif
