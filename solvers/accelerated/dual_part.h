/* dual_part.h - the smooth part f of the dual problem, in the metric p_i = c_i / sum c:
 *
 *     f(a) = lambda Omega*(-s/lambda),  s = X'(p a) the image of a;   grad f(a) = -X w(a),
 *     w(a) = argmin over w of <s,w> + lambda Omega(w);   L <= lambda_max(X' diag(p) X)/l2,
 *
 * where lambda Omega is l2-strongly convex. Its average is a primal point wbar: the mean of the w(a), weighted
 * like the linearizations, with its scores. For the method's point a with its A (estimation.h),
 *
 *     J_mu(wbar) - D_mu(a) <= 1/A max over the domain of D(., a_0),
 *
 * J_mu the objective with the smoothed risk, D_mu(a) = -f(a) - sum p (l*(a,y) + mu/2 a^2) <= D(a) <= J.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 3.3, (22) and Theorem 10; 4.2, (35). */
#ifndef RRM_DUAL_PART_H
#define RRM_DUAL_PART_H

#include "solvers/accelerated/prox_box.h"
#include "solvers/accelerated/smooth_part.h"
#include "solvers/batch.h"

struct dual_part {
    struct smooth_part part; /* first */
    const struct problem *problem;
    struct prox_box *box;   /* the caller's: the domains, the offset */
    double *slope;          /* columns: -w(a) of the latest gradient */
    const double *gradient; /* rows: the latest gradient -X w(a), in the method's memory */
    double *average;        /* columns: average of `slope` */
    double *mean_gradient;  /* rows: average of the gradients */
    double *point;          /* columns: scratch memory, -average with the offset */
    double *sparse;         /* columns: scratch memory, -slope with the offset */
    double *scores;         /* rows: scratch memory, -mean_gradient */
    double *dual;           /* rows: scratch memory, c a */
};

int dual_part_init(struct dual_part *part, const struct problem *problem, struct prox_box *box,
                   struct error *e);
void dual_part_free(struct dual_part *part);

/* Lists the averages and the latest gradient but for itself, which lies in GRADIENT, the method's memory. */
void dual_part_visit(struct dual_part *part, const double *gradient, struct state *state);

/* J and J_mu at the average; D and D_mu at a, a point of the domain. */
struct dual_values {
    double objective, smooth_objective, bound, smooth_bound;
};

/* Offers the average to the batch, or with a 1-norm the latest w(a), which has zeros, if it is as good. Raises
 * the bound by D(a). Costs no pass over the data, since scores and images are known; with an offset half a
 * pass, for the bound of an a that is moved to sum p a = 0. */
struct dual_values dual_part_certify(struct dual_part *part, double mu, const double *a,
                                     const double *image, struct batch *batch);

#endif
