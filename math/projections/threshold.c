/* threshold.c - the cut by selection: keys that are known to be above or below the threshold are not read again. */
#include "math/projections/threshold.h"

#include "math/select.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHUNK = 256, LANES = 4 };

static const double max_left =
    0.8; /* fraction of the keys: if a pivot leaves more, the next is an exact median */

/* A chunk of at most CHUNK keys in plain doubles. */
static void add_chunk(const struct threshold *threshold, const double *depth, int64_t n,
                      struct threshold_sums *sums) {
    double f[LANES] = {0}, square[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double excess = threshold->p - threshold->k * depth[i + lane];
            f[lane] += threshold_f(threshold, depth[i + lane]);
            square[lane] += excess * excess;
        }
    for (; i < n; i++) {
        double excess = threshold->p - threshold->k * depth[i];
        f[0] += threshold_f(threshold, depth[i]);
        square[0] += excess * excess;
    }
    sums->f = wide_add(sums->f, wide_of((f[0] + f[1]) + (f[2] + f[3])));
    sums->square =
        wide_add(sums->square, wide_of((square[0] + square[1]) + (square[2] + square[3])));
}

void threshold_add(const struct threshold *threshold, const double *depth, int64_t n,
                   struct threshold_sums *sums) {
    for (int64_t i = 0; i < n; i += CHUNK)
        add_chunk(threshold, depth + i, n - i < CHUNK ? n - i : CHUNK, sums);
    sums->count += n;
}

double threshold_height(const struct threshold *threshold, const struct threshold_sums *sums) {
    double asked = threshold->r * threshold->p * threshold->p;
    return wide_add(sums->f, wide_of(asked)).hi /
           ((double)sums->count + 2 * threshold->k * threshold->r);
}

struct threshold_cut threshold_cut(const struct threshold *threshold,
                                   const struct threshold_sums *sums) {
    struct threshold_cut cut = {threshold_height(threshold, sums) / threshold->p, threshold->p};
    if (threshold->k > 0) {
        double keys = (double)sums->count + 2 * threshold->k * threshold->r;
        cut.scale = sqrt(sums->square.hi / keys);
        cut.depth = 2 * threshold_height(threshold, sums) / (threshold->p + cut.scale);
    }
    return cut;
}

/* Are keys as deep as x out of it? With those above it in `sums`. */
static bool is_below(const struct threshold *threshold, double x,
                     const struct threshold_sums *sums) {
    return sums->count > 0 && threshold_f(threshold, x) >= threshold_height(threshold, sums);
}

struct threshold_cut threshold_find(const struct threshold *threshold, double *depth, int64_t n,
                                    int64_t *touched) {
    struct threshold_sums sums = {0};
    int64_t unread = 0;
    bool failed = false;
    touched = touched == NULL ? &unread : touched;
    while (n > 0) {
        double pivot = failed ? select_smallest(depth, n, n / 2, touched) : select_sample(depth, n);
        int64_t before = n, above, equal;
        select_split(depth, n, pivot, &above, &equal);
        *touched += n;
        struct threshold_sums with = sums;
        threshold_add(threshold, depth, above, &with);
        if (is_below(threshold, pivot, &with)) {
            n = above;
        } else {
            threshold_add(threshold, depth + above, equal, &with);
            sums = with;
            depth += above + equal;
            n -= above + equal;
        }
        failed = (double)n > max_left * (double)before;
    }
    return threshold_cut(threshold, &sums);
}
