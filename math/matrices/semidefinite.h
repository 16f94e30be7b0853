/* semidefinite.h - small symmetric positive semidefinite systems, whose matrix may have no inverse.
 *
 * M = L L' by rows; where what is left of a diagonal entry is rounding, its unknown is 0: a solution
 * where there is one. Golub & Van Loan, Matrix Computations, section 4.2. n^3/6 and n^2 operations. */
#ifndef RRM_SEMIDEFINITE_H
#define RRM_SEMIDEFINITE_H

#include <stdint.h>

/* Factors M (n x n row by row, its lower triangle) in place. */
void semidefinite_factor(double *m, int64_t n);

/* x <- M^-1 x */
void semidefinite_solve(const double *factor, int64_t n, double *x);

#endif
