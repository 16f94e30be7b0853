/* simplex.h - projections to a simplex { w >= 0 : sum w = total }.
 *
 * Euclidean: w = max(v - L, 0). With upper bounds of w, too, it is a projection of math/projections/box_plane.h.
 *
 * Entropic, with w <= top, of weights e^v: w = min(top, theta e^v), sum 1. The largest weights are at the top;
 * selection finds their number: x is at the top if (1 - top count) e^x > top (sum of e^v over the others), where count
 * is the number of those above x. Zhang, Saha & Vishwanathan 2010, "Regularized risk minimization by Nesterov's
 * accelerated gradient methods"; Warmuth, Glocer & Ratsch 2007, "Boosting algorithms for maximizing the soft margin",
 * NIPS 20. */
#ifndef RRM_SIMPLEX_H
#define RRM_SIMPLEX_H

#include <stdint.h>

/* The multiplier L of the projection max(v - L, 0) of few numbers: passes over those above the last L until none
 * falls below, at most n of them (Michelot 1986, JOTA 50). n > 0, total >= 0; permutes v. */
double simplex_multiplier(double *v, int64_t n, double total);

/* From log-weights (finite or -infinity) in w to weights min(top, theta e^w), sum 1. top >= 1: the
 * plain softmax; top n <= 1: all 1/n. Where too few are finite, these are at the top and the others
 * share what is left. work: n doubles. */
void simplex_cap(double *w, int64_t n, double top, double *work);

#endif
