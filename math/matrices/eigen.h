/* eigen.h - eigenvalues and eigenvectors of a symmetric matrix: A = V' diag(value) V.
 *
 * Householder reflections to a tridiagonal matrix (math/matrices/tridiagonal.h), divide and conquer
 * (math/matrices/tridiagonal_eigen.h). The number of threads does not change a bit. */
#ifndef RRM_EIGEN_H
#define RRM_EIGEN_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdint.h>

/* A is n x n row by row, its lower triangle is read; row j becomes the eigenvector of value[j],
 * ascending. Residuals and products of vectors are off by some rounding errors of the largest
 * eigenvalue. 0, or -1 with the error set: entries that are not finite, or memory. At most 14/3 n^3
 * operations; 2.5 n^2 numbers of memory beside A. INTERRUPTED (NULL: it never is) is asked from any thread, after
 * at most some n^2 operations: then -1, without an error, and A is of no use. */
int eigen_symmetric(double *a, int64_t n, double *value, const struct interruption *interrupted,
                    struct error *e);

#endif
