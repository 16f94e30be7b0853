/* simplex.h - projections to { w >= 0 : sum w = total }, and to it with w <= top.
 *
 * Euclidean: w = max(v - L, 0), L by selection (math/threshold.h; Duchi et al. 2008, ICML); with a top
 * each coordinate has two kinks, and it is math/box_plane.h that knows what to do with these.
 *
 * Entropic, of weights e^v: w = min(top, theta e^v), sum 1. The largest are at the top; how many are,
 * by selection again: x is there when (1 - top count) e^x > top (sum of e^v over the others), for the
 * count of those above x. Zhang, Saha & Vishwanathan 2010, "Regularized risk minimization by
 * Nesterov's accelerated gradient methods"; Warmuth, Glocer & Ratsch 2007, "Boosting algorithms for
 * maximizing the soft margin", NIPS 20. */
#ifndef RRM_SIMPLEX_H
#define RRM_SIMPLEX_H

#include "math/box_plane.h"

#include <stdint.h>

/* Writes the nearest point of the simplex to w over it; returns L. total >= 0; work: n doubles. */
double simplex_project(double *w, int64_t n, double total, double *work);

/* The same with w <= top; total in [0, n top], from outside of it the nearest end. Returns L, of
 * box_plane_multiplier. */
double simplex_project_capped(double *w, int64_t n, double top, double total,
                              struct box_plane_work *work);

/* From log-weights (finite or -infinity) in w to weights min(top, theta e^w), sum 1. top >= 1: the
 * plain softmax; top n <= 1: all 1/n. Where too few are finite, these are at the top and the others
 * share what is left. work: n doubles. */
void simplex_cap(double *w, int64_t n, double top, double *work);

#endif
