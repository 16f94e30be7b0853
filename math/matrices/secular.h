/* secular.h - the eigenvalues of a diagonal matrix with one of rank 1 added, D + rho z z'.
 *
 *     1 + rho sum_i z_i^2/(d_i - x) = 0
 *
 * has one root between each two neighbouring d, and one beyond the largest. A root is computed as its distance
 * from the nearer d, by interpolation with rational functions that have both d as poles, within a bracket.
 *
 * Reference: Bunch, Nielsen & Sorensen 1978, Numer. Math. 31; Li 1994, LAPACK Working Note 89; Gu &
 * Eisenstat 1995, SIAM J. Matrix Anal. Appl. 16(1) (secular_adjust). */
#ifndef RRM_SECULAR_H
#define RRM_SECULAR_H

#include <stdint.h>

struct secular {
    int64_t n;
    const double *d; /* strictly ascending */
    const double *z; /* none is 0 */
    double rho;      /* > 0 */
};

/* Root j; delta[i] = d_i - root, each to high relative accuracy. A small multiple of n operations. */
double secular_root(const struct secular *s, int64_t j, double *delta);

/* The z for which the computed roots are exact, so that the eigenvectors adjusted[i]/delta[i] are orthogonal. The rows
 * of `delta` (n x n) are those of the n roots. Computes the entries from <= i < to, with n operations each. */
void secular_adjust(const struct secular *s, const double *delta, int64_t from, int64_t to,
                    double *adjusted);

#endif
