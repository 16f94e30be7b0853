/* smoothed_risk.h - the smooth part f(w) = R_mu(w), the risk with its kinks rounded off,
 *
 *     R_mu(w) = max over a of sum_i p_i (a_i <w,x_i> - l*(a_i, y_i) - mu/2 a_i^2),   R_mu <= R,
 *
 * over the regularized weights alone: an unregularized offset b is where R_mu is least,
 *
 *     f(w) = min over b of R_mu(w, b),   sum p_i a_i = 0 there,
 *
 * which is convex, and as smooth as R_mu. Its average holds the dual variables and the slope of a
 * linearization of R itself: their conjugate, without mu, makes the bound (dual.h).
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
    const double *metric; /* of the gradients handed out: the proximal problem's; NULL: all are 1 */
    struct smoothing by;  /* mu, and the offset of the latest value */
    struct offset offset; /* its search, where there is one */
    double constant;      /* R_mu(u) - <g,u> of the latest gradient g, where there are no scores, */
    double certain;       /* and t >= it with R(v) >= t + <g,v> for all v */
    double *push;         /* rows: c_i a_i of the latest gradient */
    double *gradient;     /* dimension: the latest gradient, with the offset's place */
    double *dual;         /* rows: average of push */
    double *slope;        /* dimension: average of the gradients */
    double intercept;     /* average of the constants, */
    double known;         /* and of the certain ones */
    double *room;         /* dimension, rows: weights, dual variables of a bound */
    double *slope_room;   /* dimension: of a bound */
};

int smoothed_risk_init(struct smoothed_risk *risk, const struct problem *problem, double mu,
                       struct error *e);
void smoothed_risk_free(struct smoothed_risk *risk);

/* A lower bound of min J by the average; in *smooth nearly that of min J_mu, of which the other lacks
 * less. With an offset half a pass. */
double smoothed_risk_bound(struct smoothed_risk *risk, double *smooth);

/* The same by the linearization at w alone, whose image is given and whose value was the latest. A half
 * pass, one with an offset. It is better near the optimum, the average far from it. */
double smoothed_risk_bound_at(struct smoothed_risk *risk, const double *w, const double *image,
                              double *smooth);

/* The latest gradient, such as that at the w of a bound, in the metric. */
void smoothed_risk_gradient(const struct smoothed_risk *risk, double *gradient);

/* R(w) without mu, at the offset of the latest value. */
double smoothed_risk_exact(const struct smoothed_risk *risk, const double *w, const double *image);

#endif
