/* smo_interior.h - interior points for the dual of a kernel machine (canonical.h) on which smo makes no progress:
 * kernel values of many powers of ten, in doubles.
 *
 * With a and b the multipliers of z >= 0 and z <= C, a step solves
 *
 *     Q dz + A'dbeta + (a/z + b/(C - z)) dz = rho,   A dz = -A z
 *
 * for the affine direction and once more, centred and corrected. In terms of theta it is a system with K + 1/w, w_r
 * the sum of the inverse diagonals over the variables of row r, by a Cholesky factor. The equation of a learned margin
 * is one more of A, in terms of theta with coefficients that change with w.
 *
 * Reference: Mehrotra 1992, On the implementation of a primal-dual interior point method, SIAM J. Optimization 2;
 * Fine & Scheinberg 2001, Efficient SVM training using low-rank kernel representations, JMLR 2. Memory: that of
 * K (smo_interior_kernel.h), and 30 doubles a row. */
#ifndef RRM_SMO_INTERIOR_H
#define RRM_SMO_INTERIOR_H

#include "solvers/kernel_machine/smo_interior_kernel.h"
#include "solvers/kernel_machine/solution.h"
#include "solvers/monitor.h"

/* Whether it suits: a convex problem of not too many rows, whose matrices fit in BYTES. */
bool smo_interior_suits(const struct canonical *c, double bytes);

/* How many operations it takes, about. */
double smo_interior_operations(const struct canonical *c);

/* The same with a K of this rank; one of 0 does not suit. */
bool smo_interior_suits_low(const struct canonical *c, int64_t rank, double bytes);
double smo_interior_low_operations(const struct canonical *c, int64_t rank);

enum interior_end {
    INTERIOR_ERROR = -1, /* with the error set */
    INTERIOR_UNTRIED,    /* S is as it was */
    INTERIOR_UNSOLVED,
    INTERIOR_SOLVED /* the best solution and the proved bound are within the tolerance, or as near as rounding lets them
                     * be */
};

/* Solves from the middle of the box until the gap is within the tolerance, or no step is left. S has the last iterate;
 * its best solution is the better one of these and those before. */
enum interior_end smo_interior_solve(struct solution *s, struct monitor *monitor, struct error *e);

/* The same with a K of at most *RANK, if that is near to K for the theta of S. J and the bound are those of K. *RANK
 * becomes that of the next attempt: twice as many, or 0 if more columns would change nothing. */
enum interior_end smo_interior_solve_low(struct solution *s, int64_t *rank, struct monitor *monitor,
                                         struct error *e);

#endif
