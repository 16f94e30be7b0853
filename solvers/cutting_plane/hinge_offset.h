/* hinge_offset.h - the best unregularized offset of the hinge risk at a given w, and the fractions
 * that make its subgradient vanish there.
 *
 *     F(w) = min over b of sum_i p_i max(0, 1 - y_i (<w,x_i> + b))
 *
 * The minimizer is a weighted quantile of y_i - <w,x_i>. Subgradients of F are cuts with
 * sum p_i u_i y_i = 0: u_i = 1 where the margin is short, and rows that lie just at it take the
 * fraction that balances the classes.
 *
 * Reference: partial minimization in place of the equality (5.10b) of Lee 2011. */
#ifndef RRM_HINGE_OFFSET_H
#define RRM_HINGE_OFFSET_H

#include "solvers/cutting_plane/hinge_search.h"

/* The shift of the offset that minimizes the risk, for margins v_i = 1 - y_i (u_i + b); `label` is
 * y, `weight` p (NULL: all are 1). The margins are moved along. */
double hinge_offset_move(struct hinge_search *search, const double *label, const double *weight,
                         double *margin);

/* The subgradient's u, by class (0: y = -1, 1: y = +1): of rows with a short margin, and of rows
 * whose margin is exactly 0. */
struct hinge_shares {
    double active[2], tied[2];
};

/* For margins at the best offset: active is 1, tied what balances the classes. Where they are not,
 * the surplus is taken from the active rows of its class: sum p u y = 0 up to rounding in any
 * case. */
struct hinge_shares hinge_offset_balance(const double *label, const double *weight,
                                         const double *margin, int64_t rows);

#endif
