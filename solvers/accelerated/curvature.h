/* curvature.h - how curved the smoothed risk is: L with
 *
 *     f(w) <= f(u) + <grad f(u), w - u> + L/2 ||w - u||^2,   f = R_mu,
 *
 * in the norm of the prox-function. A row adds p_i kappa_i x_i x_i' with kappa_i at most the curvature of
 * the loss, and 1/(mu b_i) for one with kinks, b_i the weight of row i in the prox-function of the dual
 * variables (smoothing.each; 1 without).
 *
 * The weights can be chosen: of all b with sum p_i b_i = 1, which leave R - R_mu as it is, those with
 * b_i proportional to |<x_i, v>|, v the top eigenvector of X'diag(p)X, are best along v.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, (55) and section 5.6. */
#ifndef RRM_CURVATURE_H
#define RRM_CURVATURE_H

#include "risk/scores.h"
#include "solvers/accelerated/prox.h"

struct curvature {
    double unit; /* L at mu = 1; without kinks at any mu */
    bool kinks;
    double passes; /* that it took to find */
};

enum { CURVATURE_NEAR = 100 }; /* power iterations: as near as is of use */

/* L at mu. */
double curvature_at(const struct curvature *curvature, double mu);

/* An upper bound, of the largest eigenvalue of H = X'diag(p kappa)X: near, by so many power
 * iterations, or where there are none, within half a pass, a coarse one, the trace; in a metric always its trace there. For the entropy the largest
 * diagonal entry, the most that x'Hx can be where ||x||_1 = 1; steps within the simplex, which sum to
 * 0, may have less. `out` is filled whatever happens. 0, or -1 with the error set. */
int curvature_find(const struct scalar_parts *parts, const struct prox *prox, const double *each,
                   int iterations, struct curvature *out, struct error *e);

/* In each (rows) the optimized weights: first all are raised to half their mean, then scaled back to a mean
 * of 1, by p, so that none is less than a third; all 1 where their L is no less, by so many iterations. 0, or -1 with the
 * error set. */
int curvature_optimize(const struct scalar_parts *parts, const struct prox *prox, double *each,
                       int iterations, double *passes, struct error *e);

#endif
