/* certificate.h - lower bounds of min J, from linearizations of the risk.
 *
 * For convex R and a subgradient g at u, R(w) >= <g,w> + R(u) - <g,u>; any linearization R(w) >=
 * <s,w> + t bounds min J from below through the conjugate of Omega. */
#ifndef RRM_CERTIFICATE_H
#define RRM_CERTIFICATE_H

#include "solvers/solver.h"

/* J(w), and in *bound a lower bound of min J from the linearization of R at w, shrunken towards the
 * zero plane where that is better (all risks here are >= 0). With an unregularized offset whose
 * slope is not exactly 0 the bound is 0. `gradient` is room for the risk's dimension. One pass. */
double certificate_evaluate(const struct problem *problem, const double *w, double *gradient,
                            double *bound);

#endif
