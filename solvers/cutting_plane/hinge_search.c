/* hinge_search.c - the exact minimum of the hinge risk along a line, by selection. */
#include "solvers/cutting_plane/hinge_search.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    SAMPLE = 1024, /* breakpoints at most that bracket the root */
    SPREAD = 64,   /* ranks of the sample to either side of the root's */
    FEW = 32       /* breakpoints that are sorted rather than split */
};

int hinge_search_init(struct hinge_search *search, const struct design *design, struct error *e) {
    *search = (struct hinge_search){.design = design};
    search->inside = memory_new(design->rows, sizeof *search->inside, "breakpoints", e);
    search->sample = memory_new(2 * SAMPLE, sizeof *search->sample, "breakpoints", e);
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

/* v + k d > 0 just after k; k = +-infinity included. */
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
        sum += is_active(line->margin[i], d, low) ? row_weight(line, i) * d : 0;
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

/* The same sum for low < high, and the block's breakpoints in (low, high], written to its part of
 * `inside`. */
static void visit_block(struct hinge_search *search, const struct hinge_line *line, int block,
                        double low, double high) {
    int64_t first = design_block_start(search->design, block);
    int64_t end = design_block_start(search->design, block + 1);
    struct breakpoint *inside = search->inside + first;
    int64_t count = 0;
    double sum = 0;
    for (int64_t i = first; i < end; i++) {
        double v = line->margin[i], d = line->step[i], p = row_weight(line, i);
        bool at_low = is_active(v, d, low);
        sum += at_low ? p * d : 0;
        if (at_low != is_active(v, d, high))
            inside[count++] = (struct breakpoint){-v / d, p * fabs(d)};
    }
    search->sum[block] = sum;
    search->count[block] = count;
}

/* The slope of the hinges just after `low`; the breakpoints in (low, high] come to the front of
 * `inside`, *count of them. */
static double visit(struct hinge_search *search, const struct hinge_line *line, double low,
                    double high, int64_t *count) {
    const struct design *design = search->design;
    double sum = 0;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        visit_block(search, line, block, low, high);
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

/* Where the root should be, by the breakpoints after `from` of a sample of rows; `start` is the
 * hinges' slope at `from`. */
static struct bracket guess_bracket(struct hinge_search *search, const struct hinge_line *line,
                                    double from, double start) {
    int64_t rows = search->design->rows, stride = rows / SAMPLE + 1;
    int64_t count = 0, rank = 0;
    double slope = start + line->slope;
    struct breakpoint *sample = search->sample;
    for (int64_t i = 0; i < rows; i += stride) {
        double v = line->margin[i], d = line->step[i];
        if (is_active(v, d, from) != is_active(v, d, INFINITY))
            sample[count++] =
                (struct breakpoint){-v / d, (double)stride * row_weight(line, i) * fabs(d)};
    }
    qsort(sample, (size_t)count, sizeof *sample, by_key);
    while (rank < count && line->curvature * sample[rank].key + slope + sample[rank].jump < 0)
        slope += sample[rank++].jump;
    return (struct bracket){rank > SPREAD ? sample[rank - SPREAD].key : from,
                            rank + SPREAD < count ? sample[rank + SPREAD].key : INFINITY};
}

/* ---- selection */

/* Moves keys below the pivot to the front and keys above it to the back. */
struct split {
    int64_t less, equal;          /* counts */
    double less_jump, equal_jump; /* sums */
};

static void swap(struct breakpoint *b, int64_t i, int64_t j) {
    struct breakpoint t = b[i];
    b[i] = b[j];
    b[j] = t;
}

static struct split split_at(struct breakpoint *b, int64_t count, double pivot) {
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

static double middle_of(double x, double y, double z) {
    return fmax(fmin(x, y), fmin(fmax(x, y), z));
}

/* The root of a k + slope + (jumps up to k), the breakpoints given in any order. Without curvature
 * it is a breakpoint, or `last`, the lower end of where they lie, unless not-a-number. */
static double select_root(struct breakpoint *b, int64_t count, double a, double slope,
                          double last) {
    double next = 0; /* the first breakpoint above those that are left */
    while (count > FEW) {
        double pivot = middle_of(b[0].key, b[count / 2].key, b[count - 1].key);
        struct split s = split_at(b, count, pivot);
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
    struct bracket bracket = guess_bracket(search, line, from, start);
    for (int attempt = 0;; attempt++) {
        double slope = line->slope + visit(search, line, bracket.low, bracket.high, &count);
        double jumps = 0;
        for (int64_t i = 0; i < count; i++)
            jumps += search->inside[i].jump;
        bool before = bracket.low > from && a * bracket.low + slope >= 0;
        bool after = !isinf(bracket.high) && a * bracket.high + slope + jumps < 0;
        if (!before && !after)
            return select_root(search->inside, count, a, slope,
                               isinf(bracket.low) ? NAN : bracket.low);
        if (attempt > 0) /* rounding, where the slope is flat */
            bracket = all;
        else
            bracket = before ? (struct bracket){from, bracket.low}
                             : (struct bracket){bracket.high, INFINITY};
    }
}
