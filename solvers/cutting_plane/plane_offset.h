/* plane_offset.h - the unregularized offset of the relaxed problem's minimizer.
 *
 * With an offset b0 the relaxed problem over planes (solvers/bundle/planes.h) has the minimizer (w, b0), where b0 is
 * the multiplier of the program's constraint sum alpha_j o_j = 0. At a known w it minimizes
 *
 *     sum over blocks k of max(0, max over j in k of <a_j, w> + o_j b0 + b_j),
 *
 * which is piecewise linear and convex. */
#ifndef RRM_PLANE_OFFSET_H
#define RRM_PLANE_OFFSET_H

#include "solvers/bundle/planes.h"

/* A minimizer at W, nearly: it is no more than where a solver looks next. FROM: where the search begins. Leaves the
 * products with W in planes->product. */
double plane_offset_find(struct planes *planes, const double *w, double from);

#endif
