/* hinge_search.c - the exact minimum of the hinge risk along a line, by selection. */
#include "solvers/cutting_plane/hinge_search.h"

#include "io/memory.h"
#include "risk/target.h"

#include <math.h>
#include <stdlib.h>

enum {
    MIN_SAMPLE = 1024, /* rows in the sample, at most, where there are few */
    MAX_SAMPLE = 4096, /* the same where there are many */
    SAMPLED = 128,     /* one of so many rows, between these */
    SORT_COUNT = 32,   /* so few breakpoints are sorted, more are partitioned */
    JOIN_COUNT = 512   /* the same where they are in several processes */
};

static int64_t sample_size(const struct design *design) {
    int64_t size = dataset_whole_rows(design->data) / SAMPLED;
    return size < MIN_SAMPLE ? MIN_SAMPLE : size > MAX_SAMPLE ? MAX_SAMPLE : size;
}

/* Ranks of a sample of so many rows from the estimated root to the bracket's ends: four standard deviations of the
 * rank, at least. */
static int64_t rank_tolerance(int64_t size) {
    return 2 * (int64_t)sqrt((double)size);
}

int hinge_search_init(struct hinge_search *search, const struct design *design, struct error *e) {
    *search = (struct hinge_search){.design = design};
    search->inside =
        memory_new(design->rows + JOIN_COUNT, sizeof *search->inside, "breakpoints", e);
    search->sample = memory_new(2 * sample_size(design), sizeof *search->sample, "breakpoints", e);
    return search->inside == NULL || search->sample == NULL ? -1 : 0;
}

void hinge_search_free(struct hinge_search *search) {
    free(search->inside);
    free(search->sample);
    *search = (struct hinge_search){0};
}

static struct communicator *processes(const struct hinge_search *search) {
    return search->design->data->communicator;
}

static double row_step(const struct hinge_line *line, int64_t i) {
    return target_from(line->step[i], line->positive);
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
        double d = row_step(line, i);
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
    return communicator_sum_one(processes(search), sum);
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
        double v = line->slack[i], d = row_step(line, i), p = row_weight(line, i);
        bool at_low = is_active(v, d, low);
        sum += at_low ? p * d : 0;
        if (at_low != is_active(v, d, high))
            inside[count++] = (struct breakpoint){-v / d, p * fabs(d)};
    }
    search->sum[block] = sum;
    search->count[block] = count;
}

/* Returns the slope of the hinges just after `low`, and in *jumps by how much it rises up to `high`. Collects the
 * *count breakpoints in (low, high] of this process at the front of `inside`. */
static double collect_breakpoints(struct hinge_search *search, const struct hinge_line *line,
                                  double low, double high, int64_t *count, double *jumps) {
    const struct design *design = search->design;
    double sums[] = {0, 0};
#pragma omp parallel for schedule(static) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        collect_in_block(search, line, block, low, high);
    *count = 0;
    for (int block = 0; block < design->blocks; block++) {
        const struct breakpoint *from = search->inside + design_block_start(design, block);
        for (int64_t i = 0; i < search->count[block]; i++)
            search->inside[(*count)++] = from[i];
        sums[0] += search->sum[block];
    }
    for (int64_t i = 0; i < *count; i++)
        sums[1] += search->inside[i].jump;
    communicator_sum_few(processes(search), sums, 2);
    *jumps = sums[1];
    return sums[0];
}

/* ---- the bracket */

static int by_key(const void *left, const void *right) {
    double a = ((const struct breakpoint *)left)->key, b = ((const struct breakpoint *)right)->key;
    return (a > b) - (a < b);
}

struct bracket {
    double low, high;
};

/* B, COUNT breakpoints of this process, becomes those of all; returns how many. */
static int64_t join_breakpoints(const struct hinge_search *search, struct breakpoint *b,
                                int64_t count) {
    return communicator_join(processes(search), &b->key, count, 2, sample_size(search->design) + 1);
}

/* Estimates a bracket of the root from the breakpoints after `from` of a sample of rows. `start` is the
 * hinges' slope at `from`. */
static struct bracket sample_bracket(struct hinge_search *search, const struct hinge_line *line,
                                     double from, double start) {
    const struct dataset *data = search->design->data;
    int64_t rows = search->design->rows, size = sample_size(search->design);
    int64_t stride = dataset_whole_rows(data) / size + 1, tolerance = rank_tolerance(size);
    int64_t first = (stride - dataset_row_of_file(data, 0) % stride) % stride;
    int64_t count = 0, rank = 0;
    double slope = start + line->slope;
    struct breakpoint *sample = search->sample;
    for (int64_t i = first; i < rows; i += stride) {
        double v = line->slack[i], d = row_step(line, i);
        if (is_active(v, d, from) != is_active(v, d, INFINITY))
            sample[count++] =
                (struct breakpoint){-v / d, (double)stride * row_weight(line, i) * fabs(d)};
    }
    count = join_breakpoints(search, sample, count);
    qsort(sample, (size_t)count, sizeof *sample, by_key);
    while (rank < count && line->curvature * sample[rank].key + slope + sample[rank].jump < 0)
        slope += sample[rank++].jump;
    return (struct bracket){rank > tolerance ? sample[rank - tolerance].key : from,
                            rank + tolerance < count ? sample[rank + tolerance].key : INFINITY};
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

/* Of the pivots of all processes, the middle one by the breakpoints that are left there. */
static double middle_pivot(struct communicator *c, double pivot, int64_t count, int64_t whole) {
    double mine[] = {pivot, (double)count}, *all, below = 0;
    int rank = 0;
    if (c == NULL)
        return pivot;
    communicator_reals(c, mine, 2);
    all = c->real;
    qsort(all, (size_t)c->size, sizeof mine, by_key);
    for (; rank + 1 < c->size && 2 * (below + all[2 * rank + 1]) < (double)whole; rank++)
        below += all[2 * rank + 1];
    return all[2 * rank];
}

/* The split's sums over all processes; its counts stay those of this one. */
static void sum_jumps(struct communicator *c, struct split *s) {
    double sums[] = {s->less_jump, s->equal_jump};
    communicator_sum_few(c, sums, 2);
    s->less_jump = sums[0];
    s->equal_jump = sums[1];
}

/* The root of a k + slope + (sum of jumps up to k), for breakpoints in any order, COUNT of them in this process, by
 * quickselect. Without curvature it is a breakpoint, or `last`, the bracket's lower end, unless that is
 * not-a-number. */
static double select_root(const struct hinge_search *search, int64_t count, double a, double slope,
                          double last) {
    struct communicator *c = processes(search);
    struct breakpoint *b = search->inside;
    double next = 0; /* the first breakpoint above the remaining ones */
    for (int64_t whole;
         (whole = communicator_total(c, count)) > (c == NULL ? SORT_COUNT : JOIN_COUNT);) {
        double own = count > 0 ? median_of(b[0].key, b[count / 2].key, b[count - 1].key) : 0;
        double pivot = middle_pivot(c, own, count, whole);
        struct split s = partition_at(b, count, pivot);
        sum_jumps(c, &s);
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
    count = join_breakpoints(search, b, count);
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
    double jumps, a = line->curvature, start = slope_after(search, line, from);
    if (!isinf(from) && a * from + line->slope + start >= 0)
        return from;
    struct bracket all = {from, INFINITY};
    struct bracket bracket = sample_bracket(search, line, from, start);
    for (int attempt = 0;; attempt++) {
        double slope = line->slope +
                       collect_breakpoints(search, line, bracket.low, bracket.high, &count, &jumps);
        bool before = bracket.low > from && a * bracket.low + slope >= 0;
        bool after = !isinf(bracket.high) && a * bracket.high + slope + jumps < 0;
        if (!before && !after)
            return select_root(search, count, a, slope, isinf(bracket.low) ? NAN : bracket.low);
        /* The bracket missed the root: search beside it; after a second miss, which is rounding, on the
         * whole line. */
        if (attempt > 0)
            bracket = all;
        else
            bracket = before ? (struct bracket){from, bracket.low}
                             : (struct bracket){bracket.high, INFINITY};
    }
}
