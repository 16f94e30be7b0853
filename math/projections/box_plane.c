/* box_plane.c - the initial bracket of the multiplier: around the guess or, for long problems, from a sample. */
#include "math/projections/box_plane.h"

#include "io/memory.h"
#include "math/projections/box_plane_parts.h"
#include "math/rounding.h"
#include "math/select.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum {
    MAX_INTERVALS = 3,
    MIN_SAMPLED_LENGTH = 1 << 16,
    LENGTH_PER_SAMPLE = 32,
    MAX_SAMPLE = 1 << 14
};

static const double interval_growth = 8;   /* ratio of the widths of successive intervals */
static const double sample_deviations = 4; /* standard deviations allowed for a sample's sum */

int box_plane_work_init(struct box_plane_work *work, int64_t n, struct error *e) {
    const char *what = "a projection";
    *work = (struct box_plane_work){.capacity = n};
    work->piece = memory_new(n, sizeof *work->piece, what, e);
    work->kink = memory_new(n, 2 * sizeof *work->kink, what, e);
    work->block = memory_new(n / BOX_PLANE_BLOCK + 1, sizeof *work->block, what, e);
    if (work->piece != NULL && work->kink != NULL && work->block != NULL)
        return 0;
    box_plane_work_free(work);
    return -1;
}

void box_plane_work_free(struct box_plane_work *work) {
    free(work->piece);
    free(work->kink);
    free(work->block);
    *work = (struct box_plane_work){0};
}

/* L is known to be in [low, high]; `search` is set up for the interval gathered last. */
struct bracket {
    const struct box_plane *p;
    struct box_plane_work *work;
    double low, high;
    struct box_plane_search search;
};

static void gather(struct bracket *bracket, double a, double b) {
    bracket->work->touched += bracket->search.touched;
    box_plane_gather(bracket->p, bracket->work, a, b, &bracket->search);
}

/* Gathers [a, b]. If L is outside, continues with wider intervals on the side of L. Returns whether L is in the
 * interval gathered last. */
static bool widen_interval(struct bracket *bracket, double a, double b) {
    for (int t = 0; t < MAX_INTERVALS; t++) {
        a = fmax(a, bracket->low);
        b = fmin(b, bracket->high);
        if (!(a < b))
            return false;
        double width = interval_growth * (b - a);
        gather(bracket, a, b);
        if (a > bracket->low && box_plane_excess(&bracket->search, a) < 0) {
            b = bracket->high = a;
            a -= width;
        } else if (b < bracket->high && box_plane_excess(&bracket->search, b) > 0) {
            a = bracket->low = b;
            b += width;
        } else {
            return true;
        }
    }
    return false;
}

/* An interval from the guess to beyond the root of the line at the guess. Returns whether L is in it. */
static bool bracket_guess(struct bracket *bracket, double guess) {
    gather(bracket, guess, guess);
    double excess = box_plane_excess(&bracket->search, guess), slope = bracket->search.slope.hi;
    if (excess == 0)
        return true;
    *(excess > 0 ? &bracket->low : &bracket->high) = guess;
    if (!(slope > 0))
        return false;
    double width = 4 * fabs(excess) / slope + rounding_of_sums * fabs(guess);
    return excess > 0 ? widen_interval(bracket, guess, guess + width)
                      : widen_interval(bracket, guess - width, guess);
}

/* Sets up the search for a sample: one random coordinate from each of SIZE equal ranges, and the sum Z. */
static void draw_sample(struct bracket *bracket, int64_t size, double z) {
    const struct box_plane *p = bracket->p;
    struct box_plane_work *work = bracket->work;
    uint64_t bits = SELECT_SEED;
    for (int64_t k = 0; k < size; k++) {
        int64_t start = k * p->n / size,
                i = start + select_place(&bits, (k + 1) * p->n / size - start);
        work->piece[k] = box_plane_piece(
            p->q == NULL ? 1 : p->q[i], p->m[i], p->g == NULL ? 1 : p->g[i],
            p->low == NULL ? p->low_all : p->low[i], p->high == NULL ? p->high_all : p->high[i]);
    }
    work->touched += bracket->search.touched;
    bracket->search = (struct box_plane_search){.low = -INFINITY,
                                                .high = INFINITY,
                                                .z = z,
                                                .piece = work->piece,
                                                .open = size,
                                                .kink = work->kink,
                                                .touched = size};
}

/* The standard deviation of a sample's sum at L. */
static double sample_deviation(const struct box_plane_search *search, double at) {
    double mean = 0, square = 0;
    for (int64_t i = 0; i < search->open; i++) {
        double x = box_plane_piece_at(&search->piece[i], at);
        double step = x - mean;
        mean += step / (double)(i + 1);
        square += step * (x - mean);
    }
    return sqrt(square);
}

/* The interval between the sample's multipliers for sums some standard deviations above and below its share of z.
 * Returns whether L is in it. */
static bool bracket_sample(struct bracket *bracket) {
    int64_t n = bracket->p->n,
            size = n / LENGTH_PER_SAMPLE < MAX_SAMPLE ? n / LENGTH_PER_SAMPLE : MAX_SAMPLE;
    double z = bracket->p->z * ((double)size / (double)n);
    draw_sample(bracket, size, z);
    double centre = box_plane_root(&bracket->search);
    draw_sample(bracket, size, z);
    double margin = sample_deviations * sample_deviation(&bracket->search, centre);
    bracket->search.z = z + margin;
    double a = box_plane_root(&bracket->search);
    draw_sample(bracket, size, z - margin);
    double b = box_plane_root(&bracket->search);
    double error = isfinite(centre) ? rounding_of_sums * fabs(centre) : 0;
    return widen_interval(bracket, a - error, b + error);
}

/* The sum of |g_i a_i| and |z| for an infinite L, where all a_i are at their bounds. */
static double size_at_bounds(const struct box_plane *p, double multiplier) {
    double size = fabs(p->z);
    for (int64_t i = 0; i < p->n; i++) {
        double g = p->g == NULL ? 1 : p->g[i];
        double low = p->low == NULL ? p->low_all : p->low[i];
        double high = p->high == NULL ? p->high_all : p->high[i];
        size += g == 0 ? 0 : fabs(g * ((g > 0) == (multiplier < 0) ? high : low));
    }
    return size;
}

/* The root of the search. It is infinite only if z is out of reach by more than rounding errors. */
static double find_root(struct bracket *bracket) {
    struct box_plane_search *search = &bracket->search;
    double multiplier = box_plane_root(search);
    if (isfinite(multiplier))
        return multiplier;
    double excess = wide_subtract(search->sum, wide_of(search->z)).hi;
    bracket->work->touched += bracket->p->n;
    if (fabs(excess) > rounding_of_sums * size_at_bounds(bracket->p, multiplier))
        return multiplier;
    double finite = multiplier < 0 ? search->high : search->low;
    return isfinite(finite) ? finite : 0;
}

double box_plane_multiplier(const struct box_plane *p, double guess, struct box_plane_work *work) {
    struct bracket bracket = {.p = p, .work = work, .low = -INFINITY, .high = INFINITY};
    work->touched = 0;
    bool found = isfinite(guess) && bracket_guess(&bracket, guess);
    if (!found && p->n >= MIN_SAMPLED_LENGTH)
        found = bracket_sample(&bracket);
    if (!found)
        gather(&bracket, bracket.low, bracket.high);
    double multiplier = find_root(&bracket);
    work->touched += bracket.search.touched;
    return multiplier;
}
