/* tridiagonal_eigen.h - eigenvalues and eigenvectors of a symmetric tridiagonal matrix, by divide and conquer. T is
 * two halves plus a matrix of rank 1. Eigenvalues that the rank-1 term changes by rounding only are deflated (kept
 * as they are). The others solve the secular equation (math/matrices/secular.h), and the eigenvectors of the halves are
 * multiplied by the eigenvectors of that problem. The result does not depend on the number of threads.
 *
 * Reference: Cuppen 1981, Numer. Math. 36; Gu & Eisenstat 1995, SIAM J. Matrix Anal. Appl. 16(1); deflation as in
 * Rutter 1994, LAPACK Working Note 69. */
#ifndef RRM_TRIDIAGONAL_EIGEN_H
#define RRM_TRIDIAGONAL_EIGEN_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdint.h>

/* d (n), e (n - 1; destroyed): T, n >= 1, its largest entry about 1. d becomes the eigenvalues; row i of `vector`
 * (n x n) the eigenvector of d[i]; `order` (n) the rows by ascending eigenvalue. At most 4/3 n^3
 * operations; 1.5 n^2 numbers of memory beside the vectors. 0, or -1 with the error set. INTERRUPTED (NULL:
 * never) is polled every O(n^2) operations; it ends the function with -1 without an error. */
int tridiagonal_eigen(double *d, double *e, int64_t n, double *vector, int64_t *order,
                      const struct interruption *interrupted, struct error *error);

#endif
