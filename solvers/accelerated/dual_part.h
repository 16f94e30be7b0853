/* dual_part.h - the smooth part f of the dual problem, in the metric p_i = c_i / sum c:
 *
 *     f(a) = lambda Omega*(-s/lambda),  s = X'(p a) the image of a;   grad f(a) = -X w(a),
 *     w(a) = argmin over w of <s,w> + lambda Omega(w);   L <= lambda_max(X' diag(p) X)/l2,
 *
 * where Omega is l2/lambda-strongly convex. Its average is a primal point: the mean of the w(a) with the
 * weights of the linearizations, with its scores. For the point a of the method, of weight A,
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
    const double *gradient; /* rows: the latest, -X w(a); the method's */
    double *average;        /* columns: of the slopes */
    double *mean_gradient;  /* rows: of the gradients */
    double *point;          /* columns: room for -average, with the offset */
    double *sparse;         /* columns: room for -slope, with the offset */
    double *scores;         /* rows: room for -mean_gradient */
    double *dual;           /* rows: room for c a */
};

int dual_part_init(struct dual_part *part, const struct problem *problem, struct prox_box *box,
                   struct error *e);
void dual_part_free(struct dual_part *part);

/* J and J_mu at the average, D and D_mu at a, which is in the domain. */
struct dual_values {
    double objective, smooth_objective, bound, smooth_bound;
};

/* Offers the average to the batch, or with a 1-norm the latest w(a), which has zeros, where that is as good;
 * and raises its bound by D(a): no pass over the data, as their scores and images are known, but with an
 * offset half a one, for the bound of an a moved to the plane. */
struct dual_values dual_part_certify(struct dual_part *part, double mu, const double *a,
                                     const double *image, struct batch *batch);

#endif
