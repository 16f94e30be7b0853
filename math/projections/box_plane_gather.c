/* box_plane_gather.c - the passes over all coordinates of math/projections/box_plane.h.
 *
 * The blocks do not depend on the number of threads, and their sums are added in order. A block is summed in chunks
 * that are small enough for sums in double precision. */
#include "math/projections/box_plane_parts.h"

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { CHUNK = BOX_PLANE_CHUNK, BLOCK = BOX_PLANE_BLOCK, LANES = 4, MIN_PARALLEL_LENGTH = 1 << 16 };

struct chunk {
    int64_t count;
    const double *q, *m, *g, *low, *high;
    double copies[4][CHUNK];
};

static void load_chunk(const struct box_plane *p, int64_t start, int64_t count, struct chunk *c) {
    c->count = count;
    c->m = p->m + start;
    c->q = box_plane_chunk(p->q, 1, start, count, c->copies[0]);
    c->g = box_plane_chunk(p->g, 1, start, count, c->copies[1]);
    c->low = box_plane_chunk(p->low, p->low_all, start, count, c->copies[2]);
    c->high = box_plane_chunk(p->high, p->high_all, start, count, c->copies[3]);
}

static double add_up(const double *x, int64_t count) {
    double sum[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (int lane = 0; lane < LANES; lane++)
            sum[lane] += x[i + lane];
    for (; i < count; i++)
        sum[0] += x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Adds the coordinates of the chunk that are linear in L between a and b to the block's sums: those that are at the
 * same bound for both, or between the bounds for both. Sets open[i] = 1 for the others and returns their number.
 * Two loops without branches, so that the compiler vectorizes them. */
static double fold_chunk(const struct chunk *c, double a, double b, struct box_plane_block *block,
                         double *open) {
    double constant[CHUNK], decrease[CHUNK], sum[CHUNK], slope[CHUNK];
    for (int64_t i = 0; i < c->count; i++) {
        double m = c->m[i], low = c->low[i], high = c->high[i], ratio = c->g[i] / c->q[i];
        double line_a = m - a * ratio, line_b = m - b * ratio;
        double value_a = line_a > low ? line_a : low, value_b = line_b > low ? line_b : low;
        value_a = value_a < high ? value_a : high;
        value_b = value_b < high ? value_b : high;
        double interior = value_a == line_a
                              ? line_b
                              : NAN; /* between the bounds at a and b: interior == value_b */
        double at_bound = interior == value_b ? value_a : value_b; /* linear: at_bound == value_a */
        constant[i] = interior == value_b ? m : value_a;
        decrease[i] = interior == value_b ? ratio : 0;
        open[i] = at_bound == value_a ? 0 : 1;
    }
    for (int64_t i = 0; i < c->count; i++) {
        double known = open[i] == 0 ? constant[i] : 0;
        sum[i] = c->g[i] * known;
        slope[i] = c->g[i] * decrease[i];
    }
    block->sum = wide_add(block->sum, wide_of(add_up(sum, c->count)));
    block->slope = wide_add(block->slope, wide_of(add_up(slope, c->count)));
    return add_up(open, c->count);
}

static struct box_plane_block fold_block(const struct box_plane *p, int64_t first, double a,
                                         double b, struct box_plane_piece *piece) {
    struct box_plane_block block = {0};
    int64_t last = p->n - first < BLOCK ? p->n : first + BLOCK;
    for (int64_t start = first; start < last; start += CHUNK) {
        struct chunk c;
        double open[CHUNK];
        load_chunk(p, start, last - start < CHUNK ? last - start : CHUNK, &c);
        if (fold_chunk(&c, a, b, &block, open) == 0)
            continue;
        for (int64_t i = 0; i < c.count; i++)
            if (open[i] > 0)
                piece[block.open++] = box_plane_piece(c.q[i], c.m[i], c.g[i], c.low[i], c.high[i]);
    }
    return block;
}

void box_plane_gather(const struct box_plane *p, struct box_plane_work *work, double low,
                      double high, struct box_plane_search *search) {
    int64_t blocks = (p->n + BLOCK - 1) / BLOCK;
    double a = fmax(low, -DBL_MAX), b = fmin(high, DBL_MAX);
#pragma omp parallel for schedule(static) if (p->n >= MIN_PARALLEL_LENGTH)
    for (int64_t k = 0; k < blocks; k++)
        work->block[k] = fold_block(p, k * BLOCK, a, b, work->piece + k * BLOCK);
    *search = (struct box_plane_search){.low = low,
                                        .high = high,
                                        .z = p->z,
                                        .piece = work->piece,
                                        .kink = work->kink,
                                        .touched = p->n};
    for (int64_t k = 0; k < blocks; k++) {
        const struct box_plane_block *block = &work->block[k];
        search->sum = wide_add(search->sum, block->sum);
        search->slope = wide_add(search->slope, block->slope);
        memmove(work->piece + search->open, work->piece + k * BLOCK,
                sizeof *work->piece * (size_t)block->open);
        search->open += block->open;
    }
}

void box_plane_point(const struct box_plane *p, double multiplier, double *a) {
    int64_t chunks = (p->n + CHUNK - 1) / CHUNK;
#pragma omp parallel for schedule(static) if (p->n >= MIN_PARALLEL_LENGTH)
    for (int64_t k = 0; k < chunks; k++) {
        struct chunk c;
        double *to = a + k * CHUNK;
        load_chunk(p, k * CHUNK, p->n - k * CHUNK < CHUNK ? p->n - k * CHUNK : CHUNK, &c);
        for (int64_t i = 0; i < c.count; i++) {
            double step = c.g[i] == 0 ? 0 : multiplier * c.g[i] / c.q[i], at = c.m[i] - step;
            at = at > c.low[i] ? at : c.low[i];
            to[i] = at < c.high[i] ? at : c.high[i];
        }
    }
}
