/* level.c - the cut by selection: the keys on the wrong side of a pivot are done with. */
#include "math/level.h"

#include "math/select.h"

#include <stdbool.h>
#include <stddef.h>

enum { CHUNK = 256, LANES = 4 };

static const double enough = 0.8; /* of the keys at most: what a pivot should leave */

/* A chunk of at most CHUNK keys in plain doubles. */
static void add_chunk(const struct level *level, const double *depth, int64_t n,
                      struct level_sums *sums) {
    double f[LANES] = {0}, square[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int lane = 0; lane < LANES; lane++) {
            double rest = level->p - level->k * depth[i + lane];
            f[lane] += level_f(level, depth[i + lane]);
            square[lane] += rest * rest;
        }
    for (; i < n; i++) {
        double rest = level->p - level->k * depth[i];
        f[0] += level_f(level, depth[i]);
        square[0] += rest * rest;
    }
    sums->f = wide_add(sums->f, wide_of((f[0] + f[1]) + (f[2] + f[3])));
    sums->square =
        wide_add(sums->square, wide_of((square[0] + square[1]) + (square[2] + square[3])));
}

void level_add(const struct level *level, const double *depth, int64_t n, struct level_sums *sums) {
    for (int64_t i = 0; i < n; i += CHUNK)
        add_chunk(level, depth + i, n - i < CHUNK ? n - i : CHUNK, sums);
    sums->count += n;
}

double level_height(const struct level *level, const struct level_sums *sums) {
    double asked = level->r * level->p * level->p;
    return wide_add(sums->f, wide_of(asked)).hi / ((double)sums->count + 2 * level->k * level->r);
}

struct level_cut level_cut(const struct level *level, const struct level_sums *sums) {
    struct level_cut cut = {level_height(level, sums) / level->p, level->p};
    if (level->k > 0) {
        double keys = (double)sums->count + 2 * level->k * level->r;
        cut.scale = sqrt(sums->square.hi / keys);
        cut.depth = 2 * level_height(level, sums) / (level->p + cut.scale);
    }
    return cut;
}

/* Are keys as deep as x out of it? With those above it in `sums`. */
static bool is_below(const struct level *level, double x, const struct level_sums *sums) {
    return sums->count > 0 && level_f(level, x) >= level_height(level, sums);
}

struct level_cut level_find(const struct level *level, double *depth, int64_t n, int64_t *touched) {
    struct level_sums sums = {0};
    int64_t unread = 0;
    bool failed = false;
    touched = touched == NULL ? &unread : touched;
    while (n > 0) {
        double pivot = failed ? select_smallest(depth, n, n / 2, touched) : select_sample(depth, n);
        int64_t before = n, above, equal;
        select_split(depth, n, pivot, &above, &equal);
        *touched += n;
        struct level_sums with = sums;
        level_add(level, depth, above, &with);
        if (is_below(level, pivot, &with)) {
            n = above;
        } else {
            level_add(level, depth + above, equal, &with);
            sums = with;
            depth += above + equal;
            n -= above + equal;
        }
        failed = (double)n > enough * (double)before;
    }
    return level_cut(level, &sums);
}
