/* hinge_offset.h - the best unregularized offset of the hinge risk at a given w, and the fractions u_i with
 * which its subgradient in the offset is 0.
 *
 *     F(w) = min over b of sum_i p_i max(0, 1 - y_i (<w,x_i> + b))
 *
 * The minimizer is a weighted quantile of y_i - <w,x_i>. Subgradients of F are cuts with
 * sum p_i u_i y_i = 0: u_i = 1 where the slack 1 - y_i (<w,x_i> + b) is positive, and rows of slack 0 have
 * the fraction u_i that balances the classes.
 *
 * Reference: partial minimization in place of the equality (5.10b) of Lee 2011. */
#ifndef RRM_HINGE_OFFSET_H
#define RRM_HINGE_OFFSET_H

#include "risk/risk.h"
#include "solvers/cutting_plane/hinge_search.h"

/* Returns the shift of the offset to its minimizer, for slacks v_i = 1 - y_i (u_i + b), which change with it.
 * y and p are the targets and weights of TERMS. */
double hinge_offset_move(struct hinge_search *search, const struct scalar_terms *terms,
                         double *slack);

/* The subgradient's u_i, by class (0: y = -1, 1: y = +1), of rows with a positive slack (active) and with
 * slack 0 (tied). */
struct hinge_fractions {
    double active[2], tied[2];
};

/* For slacks at the best offset active is 1, and tied balances the classes. For others the surplus of the
 * heavier class is taken from its active rows. In any case sum p u y = 0 up to rounding. The rows
 * are those of all processes of COMMUNICATOR (NULL: one). */
struct hinge_fractions hinge_offset_balance(const struct scalar_terms *terms, const double *slack,
                                            int64_t rows, struct communicator *communicator);

#endif
