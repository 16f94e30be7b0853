/* offset.h - the unregularized offset that minimizes a scalar risk, for given scores:
 *
 *     argmin over b of R_mu = sum_i c_i l_mu(u_i + b, y_i) / sum c,   where sum_i c_i l_mu'(u_i + b) = 0.
 *
 * If the conjugates are quadratic (loss.h: hinge, squared hinge, squared, absolute, Huber, quantile),
 * l_mu' = clip((u + b - y)/W, low, high) with W = 1/curvature + mu, and -b is the multiplier of the plane
 * sum c_i a_i = 0 (math/projections/box_plane.h), found in linear time. A loss with kinks and mu = 0 has W = 0; then W
 * is 1e-12 of the kink's distance from b. This takes about 6 passes over the rows, the time of three evaluations of
 * R. For logistic and epsilon, at any mu, a bracketing search finds the zero of the sum, which rises with b (at
 * mu = 0 that of epsilon has a jump there): tens of passes over the rows. So it is for all losses where the rows lie in
 * several processes (io/communicator.h).
 *
 * Each search begins at the last result; if that is far away (or there is none), at the mean of y - u.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Examples 1 and section 5.5.1. */
#ifndef RRM_OFFSET_H
#define RRM_OFFSET_H

#include "io/state/state.h"
#include "math/projections/box_plane.h"
#include "risk/scores.h"

struct offset {
    const struct scalar_terms *terms;
    double last; /* the last result; not-a-number before the first */
    double *m, *q;
    struct box_plane_work work;
};

/* 0, or -1 with the error set; to be freed in either case. */
int offset_init(struct offset *offset, const struct scalar_terms *terms, struct error *e);
void offset_free(struct offset *offset);

/* Lists where the next search begins. */
void offset_visit(struct offset *offset, struct state *state);

/* Returns a minimizer b of R_mu, up to rounding (of u, y and b, and 1e-12 of the distance from the last result).
 * by->shift is not read; for quadratic conjugates by->low and by->high must be set. The result is finite, even if
 * the risk has no minimum (labels of one class). */
double offset_find(struct offset *offset, const double *u, const struct smoothing *by);

/* The same for R itself, by the search, also where the rows lie in several processes; offset->m is not needed. *low
 * and *high: the last points on both sides; both are the result where the derivative is 0 there. */
double offset_search(struct offset *offset, const double *u, double *low, double *high);

#endif
