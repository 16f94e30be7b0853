/* tridiagonal.h - a symmetric matrix as Q T Q' with a tridiagonal T, by Householder reflections.
 *
 *     Q = H_(n-1) ... H_1,   H_i = I - tau_i v_i v_i',   v_i of i entries, the last of which is 1
 *
 * Row i is reduced from the last row upward. A panel of rows is reduced one by one, each by a product
 * with the matrix before the panel; the matrix has all of the panel subtracted at once. Vectors are
 * multiplied by many reflections at once, too: H_a ... H_b = I - V F V' with F upper triangular. The
 * number of threads does not change a bit. Either is INTERRUPTED (NULL: it never is) after at most some n^2
 * operations: -1, without an error.
 *
 * Reference: Dongarra, Sorensen & Hammarling 1989, J. Comput. Appl. Math. 27 (panels); Schreiber &
 * Van Loan 1989, SIAM J. Sci. Stat. Comput. 10(1) (F). */
#ifndef RRM_TRIDIAGONAL_H
#define RRM_TRIDIAGONAL_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdint.h>

/* A (n x n row by row; its lower triangle is read) becomes the v_i, in row i; T comes out in d (n) and
 * e (n - 1), the reflections' tau in tau (n). Entries far below 1e-100 count as 0: scale A before. 0, or
 * -1 with the error set. 4/3 n^3 operations. */
int tridiagonal_reduce(double *a, int64_t n, double *d, double *e, double *tau,
                       const struct interruption *interrupted, struct error *error);

/* X <- X Q' for n rows x of X, n x n: x' T-eigenvectors become those of A. 2 n^3 operations. 0, or -1
 * with the error set. */
int tridiagonal_restore(const double *v, int64_t n, const double *tau, double *x,
                        const struct interruption *interrupted, struct error *e);

#endif
