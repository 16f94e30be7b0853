/* offset.h - the unregularized offset at which a scalar risk is least, for given scores:
 *
 *     argmin over b of R_mu = sum_i c_i l_mu(u_i + b, y_i) / sum c,   where sum_i c_i l_mu'(u_i + b) = 0.
 *
 * Where the conjugates are quadratic (loss.h: hinge, squared hinge, squared, absolute, Huber, quantile),
 * l_mu' = clip((u + b - y)/W, low, high) with W = 1/curvature + mu, and -b is the multiplier of the plane
 * sum c_i a_i = 0 (math/box_plane.h), in linear time. At a kink with mu = 0 W is 1e-12 of how far the
 * kink is from b: some 6 passes over the rows, the time of three evaluations of R. For logistic and
 * epsilon, at any mu, the sum, which rises with b, is searched for its zero, which at mu = 0 epsilon
 * has at a jump: tens of passes over the rows.
 *
 * Each begins at the last answer; from a far one (or none) the search goes to the mean of y - u first.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Examples 1 and section 5.5.1. */
#ifndef RRM_OFFSET_H
#define RRM_OFFSET_H

#include "math/box_plane.h"
#include "risk/scores.h"

struct offset {
    const struct scalar_parts *parts;
    double last; /* the latest answer; not-a-number before */
    double *m, *q;
    struct box_plane_work work;
};

/* 0, or -1 with the error set; to be freed in either case. */
int offset_init(struct offset *offset, const struct scalar_parts *parts, struct error *e);
void offset_free(struct offset *offset);

/* b, of several any. R_mu is there at its least, but for rounding: of u, y and b, and 1e-12 of how far
 * the last answer was away. by->shift is not read, and for quadratic conjugates the domains are.
 * Finite, also where the risk falls without end (labels of one class). */
double offset_find(struct offset *offset, const double *u, const struct smoothing *by);

#endif
