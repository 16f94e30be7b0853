/* smoothed_risk.h - the smooth part f(w) = R_mu(w) of the primal form: the risk with its kinks smoothed,
 *
 *     R_mu(w) = max over a of sum_i p_i (a_i <w,x_i> - l*(a_i, y_i) - mu/2 a_i^2),   R_mu <= R,
 *
 * as a function of the regularized weights alone. An unregularized offset b is minimized out,
 *
 *     f(w) = min over b of R_mu(w, b),   where sum p_i a_i = 0.
 *
 * f is convex and as smooth as R_mu. Its average holds the mean of the dual variables and of the gradients.
 * Without mu, their conjugates give the lower bound (dual_bound.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 5.1.1; Nesterov 2005. */
#ifndef RRM_SMOOTHED_RISK_H
#define RRM_SMOOTHED_RISK_H

#include "risk/offset.h"
#include "solvers/accelerated/smooth_part.h"
#include "solvers/solver.h"

struct smoothed_risk {
    struct smooth_part part; /* first */
    const struct problem *problem;
    /* metric of the proximal problem, in which gradients are given; NULL: all are 1 */
    const double *metric;
    struct smoothing smoothing; /* mu, and the offset of the latest value (`shift`) */
    struct offset offset;       /* finds the offset, if there is one */
    double constant;        /* R_mu(u) - <g,u> of the latest gradient g, for risks without scores */
    double proven_constant; /* the largest known t with R(v) >= t + <g,v> for all v */
    double *latest_dual;    /* rows: c_i a_i of the latest gradient */
    double *gradient;       /* dimension: the latest gradient, with an entry for the offset */
    double *mean_dual;      /* rows: average of latest_dual */
    double *mean_gradient;  /* dimension: average of the gradients */
    double mean_constant;   /* average of `constant` */
    double mean_proven_constant; /* average of `proven_constant` */
    double *work;                /* dimension + rows: scratch memory */
    double *gradient_work;       /* dimension: scratch memory of a bound */
};

int smoothed_risk_init(struct smoothed_risk *risk, const struct problem *problem, double mu,
                       struct error *e);
void smoothed_risk_free(struct smoothed_risk *risk);

/* Lists what is carried from step to step. */
void smoothed_risk_visit(struct smoothed_risk *risk, struct state *state);

/* A lower bound of min J from the averages. *smooth: nearly the same for min J_mu, without what smoothing
 * loses. With an offset, half a pass. */
double smoothed_risk_bound(struct smoothed_risk *risk, double *smooth);

/* The same from the linearization at w alone, whose image is given and where f was last evaluated. Half a
 * pass; a whole one with an offset. It is better near the optimum; the average is better far from it. */
double smoothed_risk_bound_at(struct smoothed_risk *risk, const double *w, const double *image,
                              double *smooth);

/* The latest gradient, for example that of smoothed_risk_bound_at, in the metric. */
void smoothed_risk_gradient(const struct smoothed_risk *risk, double *gradient);

/* R(w) without smoothing, at the offset of the latest value. */
double smoothed_risk_exact(const struct smoothed_risk *risk, const double *w, const double *image);

#endif
