/* ground_box.h - the ground problem of dual variables a of a scalar risk, for losses with conjugates that
 * are quadratic (loss.h): in the metric p_i = c_i / sum c,
 *
 *     Psi(a) = sum_i p_i (y_i a_i + (1/curvature + mu)/2 a_i^2)   on  low_i <= a_i <= high_i,
 *
 * and sum_i p_i a_i = 0 where the risk has an unregularized offset b, of which -share b is the multiplier:
 *
 *     argmin of <s, a> + k/2 ||a||^2 + share Psi(a)  =  clip((u_i + b - y_i)/W, low_i, high_i),
 *     u = -s/share,  W = k/share + 1/curvature + mu,
 *
 * the derivatives of a loss smoothed by k/share + mu at the scores u + b (offset.h). Rows without weight
 * keep a_i = 0. Reference: Zhang, Saha & Vishwanathan 2010, sections 2.2 (12), 5.5.1 and Algorithm 8. */
#ifndef RRM_GROUND_BOX_H
#define RRM_GROUND_BOX_H

#include "risk/offset.h"
#include "solvers/accelerated/ground.h"

struct ground_box {
    struct ground ground; /* first */
    const struct scalar_parts *parts;
    double mu;
    bool plane;
    struct offset offset;
    double *p, *low, *high;
};

/* 0, or -1 with the error set; to be freed in either case. */
int ground_box_init(struct ground_box *box, const struct risk *risk, double mu, struct error *e);
void ground_box_free(struct ground_box *box);

/* Another mu in Psi. */
void ground_box_smooth(struct ground_box *box, double mu);

#endif
