/* hinge_search.c - the exact minimum of the hinge risk along a line, by selection. */
#include "solvers/cutting_plane/hinge_search.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_SAMPLE = 1024,   /* breakpoints in the sample, at most */
    RANK_TOLERANCE = 64, /* ranks of the sample from the estimated root to the bracket's ends */
    SORT_COUNT = 32      /* so few breakpoints are sorted, more are partitioned */
};

int hinge_search_init(struct hinge_search *search, const struct design *design, struct error *e) {
    *search = (struct hinge_search){.design = design};
    search->inside = memory_new(design->rows, sizeof *search->inside, "breakpoints", e);
    search->sample = memory_new(2 * MAX_SAMPLE, sizeof *search->sample, "breakpoints", e);
    return search->inside == NULL || search->sample == NULL ? -1 : 0;
}

void hinge_search_free(struct hinge_search *search) {
    free(search->inside);
    free(search->sample);
    *search = (struct hinge_search){0};
}

static double row_weight(const struct hinge_line *line, int64_t i) {
    return line->weight == NULL ? 1 : line->weight[i];
}

/* Whether v + k d > 0 just after k; k may be infinite. */
static inline bool is_active(double v, double d, double k) {
    if (d == 0)
        return v > 0;
    if (isinf(k))
        return (d > 0) == (k > 0);
    double t = v + k * d;
    return t > 0 || (t == 0 && d > 0);
}

/* ---- passes over the rows */

/* The sum of p d over the rows of a block that are active just after `low`. */
static double block_slope(const struct hinge_search *search, const struct hinge_line *line,
                          int block, double low) {
    int64_t end = design_block_start(search->design, block + 1);
    double sum = 0;
    for (int64_t i = design_block_start(search->design, block); i < end; i++) {
        double d = line->step[i];
        sum += is_active(line->slack[i], d, low) ? row_weight(line, i) * d : 0;
    }
    return sum;
}

/* The slope of the hinges just after `low`. */
static double slope_after(struct hinge_search *search, const struct hinge_line *line, double low) {
    const struct design *design = search->design;
    double sum = 0;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        search->sum[block] = block_slope(search, line, block, low);
    for (int block = 0; block < design->blocks; block++)
        sum += search->sum[block];
    return sum;
}

/* Computes the same sum as block_slope, and writes the block's breakpoints in (low, high] to its range of
 * `inside`. */
static void collect_in_block(struct hinge_search *search, const struct hinge_line *line, int block,
                             double low, double high) {
    int64_t first = design_block_start(search->design, block);
    int64_t end = design_block_start(search->design, block + 1);
    struct breakpoint *inside = search->inside + first;
    int64_t count = 0;
    double sum = 0;
    for (int64_t i = first; i < end; i++) {
        double v = line->slack[i], d = line->step[i], p = row_weight(line, i);
        bool at_low = is_active(v, d, low);
        sum += at_low ? p * d : 0;
        if (at_low != is_active(v, d, high))
            inside[count++] = (struct breakpoint){-v / d, p * fabs(d)};
    }
    search->sum[block] = sum;
    search->count[block] = count;
}

/* Returns the slope of the hinges just after `low`. Collects the *count breakpoints in (low, high] at the
 * front of `inside`. */
static double collect_breakpoints(struct hinge_search *search, const struct hinge_line *line,
                                  double low, double high, int64_t *count) {
    const struct design *design = search->design;
    double sum = 0;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        collect_in_block(search, line, block, low, high);
    *count = 0;
    for (int block = 0; block < design->blocks; block++) {
        const struct breakpoint *from = search->inside + design_block_start(design, block);
        for (int64_t i = 0; i < search->count[block]; i++)
            search->inside[(*count)++] = from[i];
        sum += search->sum[block];
    }
    return sum;
}

/* ---- the bracket */

static int by_key(const void *left, const void *right) {
    double a = ((const struct breakpoint *)left)->key, b = ((const struct breakpoint *)right)->key;
    return (a > b) - (a < b);
}

struct bracket {
    double low, high;
};

/* Estimates a bracket of the root from the breakpoints after `from` of a sample of rows. `start` is the
 * hinges' slope at `from`. */
static struct bracket sample_bracket(struct hinge_search *search, const struct hinge_line *line,
                                     double from, double start) {
    int64_t rows = search->design->rows, stride = rows / MAX_SAMPLE + 1;
    int64_t count = 0, rank = 0;
    double slope = start + line->slope;
    struct breakpoint *sample = search->sample;
    for (int64_t i = 0; i < rows; i += stride) {
        double v = line->slack[i], d = line->step[i];
        if (is_active(v, d, from) != is_active(v, d, INFINITY))
            sample[count++] =
                (struct breakpoint){-v / d, (double)stride * row_weight(line, i) * fabs(d)};
    }
    qsort(sample, (size_t)count, sizeof *sample, by_key);
    while (rank < count && line->curvature * sample[rank].key + slope + sample[rank].jump < 0)
        slope += sample[rank++].jump;
    return (struct bracket){rank > RANK_TOLERANCE ? sample[rank - RANK_TOLERANCE].key : from,
                            rank + RANK_TOLERANCE < count ? sample[rank + RANK_TOLERANCE].key
                                                          : INFINITY};
}

/* ---- selection */

/* A partition of breakpoints by a pivot: those below it, equal to it and above it, in this order. */
struct split {
    int64_t less, equal;          /* counts */
    double less_jump, equal_jump; /* sums */
};

static void swap(struct breakpoint *b, int64_t i, int64_t j) {
    struct breakpoint t = b[i];
    b[i] = b[j];
    b[j] = t;
}

static struct split partition_at(struct breakpoint *b, int64_t count, double pivot) {
    int64_t less = 0, next = 0, more = count;
    struct split s = {0};
    while (next < more) {
        double key = b[next].key;
        if (key < pivot) {
            s.less_jump += b[next].jump;
            swap(b, less++, next++);
        } else if (key > pivot) {
            swap(b, next, --more);
        } else {
            s.equal_jump += b[next++].jump;
        }
    }
    s.less = less;
    s.equal = more - less;
    return s;
}

static double median_of(double x, double y, double z) {
    return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

/* The root of a k + slope + (sum of jumps up to k), for breakpoints in any order, by quickselect. Without
 * curvature it is a breakpoint, or `last`, the bracket's lower end, unless that is not-a-number. */
static double select_root(struct breakpoint *b, int64_t count, double a, double slope,
                          double last) {
    double next = 0; /* the first breakpoint above the remaining ones */
    while (count > SORT_COUNT) {
        double pivot = median_of(b[0].key, b[count / 2].key, b[count - 1].key);
        struct split s = partition_at(b, count, pivot);
        if (a * pivot + slope + s.less_jump >= 0) {
            count = s.less;
            next = pivot;
        } else if (a * pivot + slope + s.less_jump + s.equal_jump >= 0) {
            return pivot;
        } else {
            slope += s.less_jump + s.equal_jump;
            last = pivot;
            b += s.less + s.equal;
            count -= s.less + s.equal;
        }
    }
    qsort(b, (size_t)count, sizeof *b, by_key);
    for (int64_t i = 0; i < count; i++) {
        if (a * b[i].key + slope >= 0) {
            next = b[i].key;
            break;
        }
        slope += b[i].jump;
        last = b[i].key;
        if (a * last + slope >= 0)
            return last;
    }
    if (a > 0)
        return -slope / a;
    return isnan(last) ? next : last;
}

double hinge_search_minimum(struct hinge_search *search, const struct hinge_line *line,
                            double from) {
    int64_t count;
    double a = line->curvature, start = slope_after(search, line, from);
    if (!isinf(from) && a * from + line->slope + start >= 0)
        return from;
    struct bracket all = {from, INFINITY};
    struct bracket bracket = sample_bracket(search, line, from, start);
    for (int attempt = 0;; attempt++) {
        double slope =
            line->slope + collect_breakpoints(search, line, bracket.low, bracket.high, &count);
        double jumps = 0;
        for (int64_t i = 0; i < count; i++)
            jumps += search->inside[i].jump;
        bool before = bracket.low > from && a * bracket.low + slope >= 0;
        bool after = !isinf(bracket.high) && a * bracket.high + slope + jumps < 0;
        if (!before && !after)
            return select_root(search->inside, count, a, slope,
                               isinf(bracket.low) ? NAN : bracket.low);
        /* The bracket missed the root: search beside it; after a second miss, which is rounding, on the
         * whole line. */
        if (attempt > 0)
            bracket = all;
        else
            bracket = before ? (struct bracket){from, bracket.low}
                             : (struct bracket){bracket.high, INFINITY};
    }
}
