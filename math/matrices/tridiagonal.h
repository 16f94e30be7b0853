/* tridiagonal.h - a symmetric matrix as Q T Q' with a tridiagonal T, by Householder reflections.
 *
 *     Q = H_(n-1) ... H_1,   H_i = I - tau_i v_i v_i',   v_i of i entries, the last of which is 1
 *
 * The rows are reduced from the last one upward, in panels. Each row of a panel takes one product with the matrix as it
 * was before the panel; then the updates of all rows of the panel are subtracted from the matrix at once. Vectors are
 * multiplied by many reflections at once too: H_a ... H_b = I - V F V' with F upper triangular. The result does not
 * depend on the number of threads. INTERRUPTED (NULL: never) is polled every O(n^2) operations; it ends either function
 * with -1 without an error.
 *
 * Reference: Dongarra, Sorensen & Hammarling 1989, J. Comput. Appl. Math. 27 (panels); Schreiber &
 * Van Loan 1989, SIAM J. Sci. Stat. Comput. 10(1) (F). */
#ifndef RRM_TRIDIAGONAL_H
#define RRM_TRIDIAGONAL_H

#include "io/error.h"
#include "io/interruption.h"

#include <stdint.h>

/* A (n x n row by row; its lower triangle is read) becomes the v_i, in row i; T comes out in d (n) and
 * e (n - 1), the reflections' tau in tau (n). Entries below 1e-100 count as 0, so A should be scaled to
 * a largest entry of about 1. 0, or -1 with the error set. 4/3 n^3 operations. */
int tridiagonal_reduce(double *a, int64_t n, double *d, double *e, double *tau,
                       const struct interruption *interrupted, struct error *error);

/* X <- X Q' for X n x n. If the rows of X are eigenvectors of T, they become eigenvectors of A. 2 n^3 operations. 0, or
 * -1 with the error set. */
int tridiagonal_restore(const double *v, int64_t n, const double *tau, double *x,
                        const struct interruption *interrupted, struct error *e);

#endif
