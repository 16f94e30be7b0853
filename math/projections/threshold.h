/* threshold.h - the soft threshold at which n keys have a given elastic-net size r:
 *
 *     sum of w_i + k/2 w_i^2 = r,   w_i = max(e - d_i, 0)/(p - k e),   d_i >= 0 the depth of key i
 *
 * below the largest, e the depth of the cut, k >= 0, p > 0, p >= k d_i, r > 0. With the keys |v_i| and
 * p = 1 + k max |v| that is the projection of v to an elastic-net ball, with k = 0 the one to the
 * 1-norm ball (math/projections/ball.h). Since p - k d_i = (p - k e)(1 + k w_i), a cut over the m keys A is
 *
 *     y = (r p^2 + sum of f(d_i) over A)/(m + 2 k r),   f(d) = d (p - k d/2),   f(e) = y,
 *
 * sums of positive numbers: nothing cancels, whatever the size of k, and of the keys beside r. */
#ifndef RRM_THRESHOLD_H
#define RRM_THRESHOLD_H

#include "math/matrices/wide.h"

#include <stdint.h>

struct threshold {
    double k, p, r;
};

struct threshold_cut {
    double depth; /* e */
    double scale; /* p - k e */
};

/* Sums over the keys that are assumed to be above the threshold. */
struct threshold_sums {
    int64_t count;
    struct wide f, square; /* sums of f(d_i) and (p - k d_i)^2 */
};

static inline double threshold_f(const struct threshold *threshold, double depth) {
    return depth * (threshold->p - threshold->k / 2 * depth);
}

/* Adds n keys by their depths. */
void threshold_add(const struct threshold *threshold, const double *depth, int64_t n,
                   struct threshold_sums *sums);

/* f(e) for the keys added; at least one. */
double threshold_height(const struct threshold *threshold, const struct threshold_sums *sums);
struct threshold_cut threshold_cut(const struct threshold *threshold,
                                   const struct threshold_sums *sums);

/* The cut by selection, in linear time; permutes the depths, of which there is at least one. How many
 * were read is added to *touched (NULL: not counted). */
struct threshold_cut threshold_find(const struct threshold *threshold, double *depth, int64_t n,
                                    int64_t *touched);

#endif
