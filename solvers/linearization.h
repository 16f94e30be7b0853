/* linearization.h - the best linear lower bound of the risk that a run found, and what it proves at other lambdas.
 *
 * With R(w) >= <s,w> + t at every w, the objective of lambda is at least t - lambda Omega*(-s/lambda), for any lambda.
 * So a model trained at one lambda has a certified gap at every other one, without a pass over the data; for l2
 *
 *     lambda/2 ||w||^2 + R(w) - t + ||s||^2/(2 lambda).
 *
 * Reference: Giesen, Laue, Mueller & Swiercy 2012. */
#ifndef RRM_LINEARIZATION_H
#define RRM_LINEARIZATION_H

#include "solvers/solver.h"

/* 0, or -1 with the error set; to be freed in either case. */
int linearization_init(struct linearization *linearization, const struct risk *risk,
                       struct error *e);
void linearization_free(struct linearization *linearization);

/* Keeps theta (slope, constant), with this bound of min J, if the problem wants one and the bound is the best so far.
 * Slopes are 0 in the unregularized coordinates. */
void linearization_offer(const struct problem *problem, double theta, const double *slope,
                         double constant, double bound);

/* The best mixture of A and B at the problem's lambda, where Omega is ||w||^2/2, becomes the problem's. Its bound. */
double linearization_mix(const struct problem *problem, const struct linearization *a,
                         const struct linearization *b);

/* The largest interval around the problem's lambda in which w, of this objective J(w), has a relative gap of at most
 * GAP, searched up to a factor of 1e6 either way; *low > *high: the gap is larger at lambda itself. The gap's zeros
 * enclose an interval, since J(w) is linear in lambda and the best bound concave. 20 to 60 bounds, without a pass. */
void linearization_interval(const struct problem *problem, const double *w, double objective,
                            double gap, double *low, double *high);

#endif
