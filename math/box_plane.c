/* box_plane.c - where to look for the multiplier: about the guess, or where a sample says. */
#include "math/box_plane.h"

#include "io/memory.h"
#include "math/box_plane_parts.h"
#include "math/select.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TRIES = 3, SAMPLE_FROM = 1 << 16, SAMPLE_PART = 32, SAMPLE_MOST = 1 << 14 };

static const double interval_growth = 8;   /* an interval that missed, from one try to the next */
static const double sample_deviations = 4; /* of a sample's sum: how far off it may be */
static const double relative_rounding = 1e-14; /* of L, and of the sizes in a sum */

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

/* What is known of L, and the search. */
struct hunt {
    const struct box_plane *p;
    struct box_plane_work *work;
    double low, high;
    struct box_plane_search search;
};

static void gather(struct hunt *hunt, double a, double b) {
    hunt->work->touched += hunt->search.touched;
    box_plane_gather(hunt->p, hunt->work, a, b, &hunt->search);
}

/* Tries [a, b], and wider ones on the side where L turns out to be. Is L in the one gathered last? */
static bool is_bracketed(struct hunt *hunt, double a, double b) {
    for (int t = 0; t < TRIES; t++) {
        a = fmax(a, hunt->low);
        b = fmin(b, hunt->high);
        if (!(a < b))
            return false;
        double width = interval_growth * (b - a);
        gather(hunt, a, b);
        if (a > hunt->low && box_plane_excess(&hunt->search, a) < 0) {
            b = hunt->high = a;
            a -= width;
        } else if (b < hunt->high && box_plane_excess(&hunt->search, b) > 0) {
            a = hunt->low = b;
            b += width;
        } else {
            return true;
        }
    }
    return false;
}

/* From the guess to beyond the root of the line there. */
static bool is_near(struct hunt *hunt, double guess) {
    gather(hunt, guess, guess);
    double excess = box_plane_excess(&hunt->search, guess), slope = hunt->search.slope.hi;
    if (excess == 0)
        return true;
    *(excess > 0 ? &hunt->low : &hunt->high) = guess;
    if (!(slope > 0))
        return false;
    double width = 4 * fabs(excess) / slope + relative_rounding * fabs(guess);
    return excess > 0 ? is_bracketed(hunt, guess, guess + width)
                      : is_bracketed(hunt, guess - width, guess);
}

/* The pieces of one coordinate from each of `size` parts of all, and no others; to be settled at z. */
static void take_sample(struct hunt *hunt, int64_t size, double z) {
    const struct box_plane *p = hunt->p;
    struct box_plane_work *work = hunt->work;
    uint64_t bits = SELECT_SEED;
    for (int64_t k = 0; k < size; k++) {
        int64_t start = k * p->n / size,
                i = start + select_place(&bits, (k + 1) * p->n / size - start);
        work->piece[k] = box_plane_piece(
            p->q == NULL ? 1 : p->q[i], p->m[i], p->g == NULL ? 1 : p->g[i],
            p->low == NULL ? p->low_all : p->low[i], p->high == NULL ? p->high_all : p->high[i]);
    }
    work->touched += hunt->search.touched;
    hunt->search = (struct box_plane_search){.low = -INFINITY,
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

/* Between the multipliers of a sample for sums that are too large and too small for it. */
static bool is_sampled(struct hunt *hunt) {
    int64_t n = hunt->p->n, size = n / SAMPLE_PART < SAMPLE_MOST ? n / SAMPLE_PART : SAMPLE_MOST;
    double z = hunt->p->z * ((double)size / (double)n);
    take_sample(hunt, size, z);
    double middle = box_plane_settle(&hunt->search);
    take_sample(hunt, size, z);
    double margin = sample_deviations * sample_deviation(&hunt->search, middle);
    hunt->search.z = z + margin;
    double a = box_plane_settle(&hunt->search);
    take_sample(hunt, size, z - margin);
    double b = box_plane_settle(&hunt->search);
    double off = isfinite(middle) ? relative_rounding * fabs(middle) : 0;
    return is_bracketed(hunt, a - off, b + off);
}

/* The size of what is summed where all a_i are at the ends that L infinite gives. */
static double end_size(const struct box_plane *p, double multiplier) {
    double size = fabs(p->z);
    for (int64_t i = 0; i < p->n; i++) {
        double g = p->g == NULL ? 1 : p->g[i];
        double low = p->low == NULL ? p->low_all : p->low[i];
        double high = p->high == NULL ? p->high_all : p->high[i];
        size += g == 0 ? 0 : fabs(g * ((g > 0) == (multiplier < 0) ? high : low));
    }
    return size;
}

/* Infinite only where z is beyond what rounding explains. */
static double settle(struct hunt *hunt) {
    struct box_plane_search *search = &hunt->search;
    double multiplier = box_plane_settle(search);
    if (isfinite(multiplier))
        return multiplier;
    double excess = wide_subtract(search->sum, wide_of(search->z)).hi;
    hunt->work->touched += hunt->p->n;
    if (fabs(excess) > relative_rounding * end_size(hunt->p, multiplier))
        return multiplier;
    double other = multiplier < 0 ? search->high : search->low;
    return isfinite(other) ? other : 0;
}

double box_plane_multiplier(const struct box_plane *p, double guess, struct box_plane_work *work) {
    struct hunt hunt = {.p = p, .work = work, .low = -INFINITY, .high = INFINITY};
    work->touched = 0;
    bool found = isfinite(guess) && is_near(&hunt, guess);
    if (!found && p->n >= SAMPLE_FROM)
        found = is_sampled(&hunt);
    if (!found)
        gather(&hunt, hunt.low, hunt.high);
    double multiplier = settle(&hunt);
    work->touched += hunt.search.touched;
    return multiplier;
}
