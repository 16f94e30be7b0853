/* optimality.h - how far a point is from optimal, and the largest lambda worth a run, for
 * lambda Omega(w) = l1 ||w||_1 + l2/2 ||w||^2 and any risk with a gradient. */
#ifndef RRM_OPTIMALITY_H
#define RRM_OPTIMALITY_H

#include "solvers/solver.h"

/* delta(w) = 1/sqrt(n) min ||gradient + a|| over the subgradients a of lambda Omega at w: by component
 * |g + l2 w + l1 sgn w| where w != 0, max(|g| - l1, 0) where w = 0, and |g| in an unregularized
 * coordinate, which counts in n. Lee 2011, equation (2.45). `gradient` is R's, at w. */
double optimality_delta(const struct problem *problem, const double *w, const double *gradient);

/* One component of it, of a regularized coordinate. */
double optimality_violation(const struct penalty *penalty, double w, double gradient);

/* w <- 0 in the regularized coordinates, and the offset that minimizes the risk there (0 without
 * one); where the minimum is not attained (a single class) one that is close to it. Only for risks with
 * `scalar` parts. O(rows) an iteration, of which there are few. 0, or -1 with the error set. */
int optimality_null_point(const struct problem *problem, double *w, struct error *e);

/* The least lambda at which that point is optimal: max |g_j| there, by the share of the 1-norm in
 * Omega. Leaves the point in w and the gradient of R in `gradient`. Infinite for a regularizer without
 * a 1-norm, unless the gradient is 0. With an offset and a loss with kinks it is but a number of the
 * right size: there one subgradient does not tell. -1 with the error set when memory is short. */
double optimality_lambda_max(const struct problem *problem, double *w, double *gradient,
                             struct error *e);

#endif
