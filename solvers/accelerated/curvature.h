/* curvature.h - the curvature of the smoothed risk: the constant L in
 *
 *     f(w) <= f(u) + <grad f(u), w - u> + L/2 ||w - u||^2,   f = R_mu,
 *
 * in the norm of the prox-function. Row i contributes p_i kappa_i x_i x_i' to the Hessian. kappa_i is at most
 * the curvature of the loss, or 1/(mu b_i) for a loss with kinks, where b_i is the weight of row i in the
 * prox-function of the dual variables (smoothing.each; 1 without).
 *
 * The weights b can be chosen. Of all b with sum p_i b_i = 1, which leave R - R_mu as it is, b_i proportional
 * to |<x_i, v>|, v the top eigenvector of X'diag(p)X, gives the smallest curvature along v.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, (55) and section 5.6. */
#ifndef RRM_CURVATURE_H
#define RRM_CURVATURE_H

#include "risk/scores.h"
#include "solvers/accelerated/prox.h"

struct curvature {
    double unit; /* L at mu = 1; without kinks L at any mu */
    bool kinks;
    double passes; /* over the data that curvature_find took */
};

enum { CURVATURE_ITERATIONS = 100 }; /* power iterations; more hardly lower the bound */

/* L at mu. */
double curvature_at(const struct curvature *curvature, double mu);

/* An upper bound of the largest eigenvalue of H = X'diag(p kappa)X: by so many power iterations, or with 0 of
 * them (or in a metric) its trace, in half a pass. For the entropy, the largest diagonal entry of H: x'Hx is
 * at most that for ||x||_1 = 1. (Steps within the simplex, which sum to 0, may have less curvature.) `out` is
 * always filled in. 0, or -1 with the error set. */
int curvature_find(const struct scalar_terms *terms, const struct prox *prox, const double *each,
                   int iterations, struct curvature *out, struct error *e);

/* each (rows) = the optimized weights b: |<x_i, v>| is raised to at least half its mean and scaled to a mean
 * of 1 by p, so that no weight is below a third. All are 1 if this L is no smaller, measured by so many
 * iterations. 0, or -1 with the error set. */
int curvature_optimize(const struct scalar_terms *terms, const struct prox *prox, double *each,
                       int iterations, double *passes, struct error *e);

#endif
