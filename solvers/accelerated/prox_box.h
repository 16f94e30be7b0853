/* prox_box.h - the proximal problem of the dual variables a of a scalar risk, for losses whose conjugates are
 * quadratic (loss.h). In the metric p_i = c_i / sum c,
 *
 *     Psi(a) = sum_i p_i (y_i a_i + (1/curvature + mu)/2 a_i^2)   on  low_i <= a_i <= high_i,
 *
 * and, if the risk has an unregularized offset b, on sum_i p_i a_i = 0, whose multiplier is -share b:
 *
 *     argmin of <s, a> + k/2 ||a||^2 + share Psi(a)  =  clip((u_i + b - y_i)/W, low_i, high_i),
 *     u = -s/share,  W = k/share + 1/curvature + mu,
 *
 * the derivatives of a loss smoothed by k/share + mu at the scores u + b (offset.h). Rows without weight keep
 * a_i = 0.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, sections 2.2 (12), 5.5.1 and Algorithm 8. */
#ifndef RRM_PROX_BOX_H
#define RRM_PROX_BOX_H

#include "risk/offset.h"
#include "solvers/accelerated/prox.h"

struct prox_box {
    struct prox prox; /* first */
    const struct scalar_terms *terms;
    double mu;
    bool has_offset;
    struct offset offset;
    double *p, *low, *high;
};

/* 0, or -1 with the error set; to be freed in either case. */
int prox_box_init(struct prox_box *box, const struct risk *risk, double mu, struct error *e);
void prox_box_free(struct prox_box *box);

/* Changes mu in Psi. */
void prox_box_smooth(struct prox_box *box, double mu);

#endif
