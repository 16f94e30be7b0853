/* subset_sums.c - bounds by tangents, and values and marginals in windows. */
#include "math/subset_sums.h"

#include "io/memory.h"
#include "math/exponential.h"
#include "math/simd.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double sure = 40;    /* exp(-sure) is nothing beside 1 */
static const double depth = 250;  /* -log of the smallest f(b) of a run */
static const double nothing = 46; /* exp(-nothing) may be dropped */

/* ---- tangents */

/* The first place from which x + theta <= bound. */
static int64_t place_of(const struct subset_sums *s, double theta, double bound) {
    int64_t low = 0, high = s->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (s->x[middle] + theta > bound)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct subset_tangent tangent_at(const struct subset_sums *s, double theta) {
    int64_t first = place_of(s, theta, sure), last = place_of(s, theta, -sure);
    double K = s->sum[first] + theta * (double)first, M = (double)first, product = 1;
    for (int64_t i = first; i < last; i++)
        s->room[i - first] = -fabs(s->x[i] + theta);
    exponentials(s->room, last - first);
    for (int64_t i = first; i < last; i++) {
        double y = s->x[i] + theta, small = s->room[i - first], p = small / (1 + small);
        K += y > 0 ? y : 0;
        M += y > 0 ? 1 - p : p;
        product *= 1 + small;
        if (product > 1e200) {
            K += log(product);
            product = 1;
        }
    }
    K += log(product);
    return (struct subset_tangent){.theta = theta, .K = K, .size = M, .height = K - theta * M};
}

/* A bound on the sizes from one tangent to the next, of which an end has none (theta infinite). */
static double upper_at(const struct subset_tangent *l, const struct subset_tangent *r, double b) {
    double left = isfinite(l->theta) ? l->K - l->theta * b : INFINITY;
    double right = isfinite(r->theta) ? r->K - r->theta * b : INFINITY;
    return left == INFINITY && right == INFINITY ? fmax(l->height, r->height) : fmin(left, right);
}

static double chord_at(const struct subset_tangent *l, const struct subset_tangent *r, double b) {
    double share = r->size > l->size ? (b - l->size) / (r->size - l->size) : 0;
    return (1 - share) * l->height + share * r->height;
}

static void set_bounds(struct subset_sums *s) {
    double less = log((double)s->n + 1);
    int64_t b = 0;
    for (int64_t k = 0; k + 1 < s->tangents; k++) {
        const struct subset_tangent *l = &s->tangent[k], *r = l + 1;
        for (; b <= s->n && (double)b <= r->size; b++) {
            s->upper[b] = upper_at(l, r, (double)b);
            s->lower[b] = chord_at(l, r, (double)b) - less;
        }
    }
    s->upper[0] = 0;
    s->upper[s->n] = s->sum[s->n];
}

void subset_sums_begin(struct subset_sums *s, const double *x, const double *sum) {
    s->x = x;
    s->sum = sum;
    s->tangents = s->n > 0 ? 2 : 1;
    s->tangent[0] = (struct subset_tangent){.theta = -INFINITY, .K = 0, .size = 0, .height = 0};
    if (s->n == 0) {
        s->upper[0] = s->lower[0] = 0;
        return;
    }
    s->tangent[1] =
        (struct subset_tangent){.theta = INFINITY, .size = (double)s->n, .height = sum[s->n]};
    memset(s->wanted, 1, (size_t)s->n + 1);
    subset_sums_refine(s, -INFINITY);
}

/* Whether a wanted size is strictly between them, where the bounds differ too much. */
static bool is_wide(const struct subset_sums *s, const struct subset_tangent *l, double slack) {
    const struct subset_tangent *r = l + 1;
    for (int64_t b = (int64_t)floor(l->size) + 1; (double)b < r->size; b++)
        if (s->wanted[b] && upper_at(l, r, (double)b) - chord_at(l, r, (double)b) > slack)
            return true;
    return slack == -INFINITY;
}

bool subset_sums_refine(struct subset_sums *s, double slack) {
    int64_t count = 0;
    bool refined = false;
    if (s->n == 0)
        return false;
    for (int64_t k = 0; k + 1 < s->tangents; k++) {
        struct subset_tangent *l = &s->tangent[k], *r = l + 1;
        int64_t left = s->tangents - k - 1;
        bool wide = !l->closed && count + left + 2 < s->n + 64 && is_wide(s, l, slack);
        s->more[count++] = *l;
        if (!wide)
            continue;
        struct subset_tangent next = tangent_at(s, -(r->height - l->height) / (r->size - l->size));
        if (next.size > l->size && next.size < r->size) {
            s->more[count++] = next;
            refined = true;
        } else {
            s->more[count - 1].closed = true;
        }
    }
    s->more[count++] = s->tangent[s->tangents - 1];
    memcpy(s->tangent, s->more, sizeof *s->tangent * (size_t)count);
    s->tangents = count;
    set_bounds(s);
    return refined;
}

/* ---- runs: sizes low .. high that one theta serves */

struct run {
    int64_t low, high;
    double theta, K;
    double depth; /* log of a lower bound of f over them */
    int64_t first, last;
    double least; /* what smaller is dropped */
};

/* log of a lower bound of f(b) at a tangent. */
static double log_least(const struct subset_sums *s, const struct subset_tangent *t, int64_t b) {
    return s->lower[b] + t->theta * (double)b - t->K;
}

/* How far a tangent serves from LOW on, not beyond HIGH. */
static int64_t reach(const struct subset_sums *s, const struct subset_tangent *t, int64_t low,
                     int64_t high) {
    int64_t b = low;
    while (b < high && log_least(s, t, b + 1) >= -depth)
        b++;
    return b;
}

/* The run from LOW on that goes furthest, of several the least deep. */
static struct run next_run(const struct subset_sums *s, int64_t low, int64_t high) {
    struct run best = {.low = low, .high = low - 1, .depth = -INFINITY};
    for (int64_t k = 1; k + 1 < s->tangents; k++) {
        const struct subset_tangent *t = &s->tangent[k];
        double start = log_least(s, t, low);
        bool serves = start >= -depth;
        int64_t end = serves ? reach(s, t, low, high) : low;
        double deep = fmin(start, log_least(s, t, end));
        if (end > best.high || (end == best.high && deep > best.depth))
            best = (struct run){low, end, t->theta, t->K, deep, 0, 0, 0};
    }
    double log_n = log((double)s->n + 1), cut;
    best.depth = fmax(best.depth, -depth);
    cut = nothing + log_n - best.depth;
    best.first = place_of(s, best.theta, cut);
    best.last = place_of(s, best.theta, -cut);
    best.least = exp(best.depth - nothing - log_n);
    return best;
}

/* The next wanted sizes without a gap, from *LOW on; false: none. */
static bool next_wanted(const struct subset_sums *s, int64_t *low, int64_t *high) {
    while (*low <= s->n && !s->wanted[*low])
        ++*low;
    for (*high = *low; *high < s->n && s->wanted[*high + 1];)
        ++*high;
    return *low <= s->n;
}

/* ---- rows: f after some of the numbers, sizes less the sure ones */

/* g[b] = q f[b] + p f[b - 1] for 0 < b < count */
static SIMD_BODY void mix_body(const double *restrict f, double p, double q, double *restrict g,
                               int64_t count) {
    for (int64_t b = 1; b < count; b++)
        g[b] = q * f[b] + p * f[b - 1];
}
static void mix(const double *f, double p, double q, double *g, int64_t count);
SIMD_CLONES(void, mix, (const double *f, double p, double q, double *g, int64_t count),
            (f, p, q, g, count))

static void step_row(const struct subset_row *in, double p, double q, struct subset_row *out) {
    out->from = in->from;
    out->count = in->count + 1;
    out->f[0] = q * in->f[0];
    mix(in->f, p, q, out->f, in->count);
    out->f[in->count] = p * in->f[in->count - 1];
}

/* Drops what is small, or from where no wanted size is reached. */
static void trim(struct subset_row *row, double least, int64_t low, int64_t high) {
    int64_t skip = low > row->from ? low - row->from : 0, end = high - row->from + 1;
    if (row->count > end && end > 0)
        row->count = end;
    while (row->count > 1 && row->f[row->count - 1] < least)
        row->count--;
    while (skip < row->count - 1 && row->f[skip] < least)
        skip++;
    if (skip >= row->count)
        skip = row->count - 1;
    row->from += skip;
    row->count -= skip;
    memmove(row->f, row->f + skip, sizeof *row->f * (size_t)row->count);
}

/* Row i + 1 from row i, in numbers behind the sure ones. */
static void forward(const struct subset_sums *s, const struct run *run, int64_t i,
                    const struct subset_row *in, struct subset_row *out) {
    double y = s->x[run->first + i] + run->theta;
    step_row(in, 1 / (1 + exp(-y)), 1 / (1 + exp(y)), out);
    trim(out, run->least, run->low - run->first - (run->last - run->first - i - 1),
         run->high - run->first);
}

static void first_row(struct subset_row *row) {
    row->from = 0;
    row->count = 1;
    row->f[0] = 1;
}

static double row_value(const struct subset_row *row, int64_t b) {
    return b >= row->from && b < row->from + row->count ? row->f[b - row->from] : 0;
}

static void run_values(struct subset_sums *s, const struct run *run) {
    struct subset_row *now = &s->row[0], *next = &s->row[1];
    first_row(now);
    for (int64_t i = 0; i < run->last - run->first; i++) {
        forward(s, run, i, now, next);
        struct subset_row *swap = now;
        now = next;
        next = swap;
    }
    for (int64_t b = run->low; b <= run->high; b++)
        s->F[b] = log(row_value(now, b - run->first)) + run->K - run->theta * (double)b;
}

/* ---- backward */

/* out = q beta[b] + p beta[b + 1], *sum += f[b] beta[b + 1], 0 <= b < count */
static SIMD_BODY void back_body(const double *restrict f, const double *restrict beta, double p,
                                double q, double *restrict out, int64_t count, double *total) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int64_t b = 0; b < count; b++) {
        out[b] = q * beta[b] + p * beta[b + 1];
        sum += f[b] * beta[b + 1];
    }
    *total += sum;
}
static void back(const double *f, const double *beta, double p, double q, double *out,
                 int64_t count, double *total);
SIMD_CLONES(void, back,
            (const double *f, const double *beta, double p, double q, double *out, int64_t count,
             double *total),
            (f, beta, p, q, out, count, total))

/* A row of beta has a 0 before it and one behind. */
static void close_row(struct subset_row *beta) {
    beta->f[-1] = beta->f[beta->count] = 0;
}

/* beta of row i from that of row i + 1, where f_i is; returns P(i in S). */
static double step_back(const struct subset_row *f, const struct subset_row *beta, double p,
                        double q, struct subset_row *out) {
    int64_t from = f->from > beta->from - 1 ? f->from : beta->from - 1;
    int64_t end = beta->from + beta->count, f_end = f->from + f->count;
    double sum = 0;
    end = end < f_end ? end : f_end;
    out->from = from;
    out->count = end > from ? end - from : 0;
    if (out->count > 0)
        back(f->f + (from - f->from), beta->f + (from - beta->from), p, q, out->f, out->count,
             &sum);
    close_row(out);
    return p * sum;
}

/* W/f(b) */
static void last_beta(const struct subset_sums *s, const struct run *run,
                      const struct subset_row *f, struct subset_row *beta) {
    int64_t low = run->low - run->first, high = run->high - run->first;
    beta->from = f->from > low ? f->from : low;
    beta->count = 0;
    for (int64_t b = beta->from; b <= high && b < f->from + f->count; b++)
        beta->f[beta->count++] = s->weight[b + run->first] / f->f[b - f->from];
    close_row(beta);
}

static void copy_row(const struct subset_row *from, struct subset_row *to) {
    to->from = from->from;
    to->count = from->count;
    memcpy(to->f, from->f, sizeof *to->f * (size_t)from->count);
}

/* A run's rows: 0 and 1 beta, each `stride`-th of f, and those from one of them to the next. */
struct block_rows {
    int64_t n, stride, blocks;
    struct subset_row *beta, *mark, *own;
};

static int64_t block_end(const struct block_rows *rows, int64_t block) {
    int64_t end = (block + 1) * rows->stride;
    return end < rows->n ? end : rows->n;
}

static void fill_block(const struct subset_sums *s, const struct run *run,
                       const struct block_rows *rows, int64_t block) {
    int64_t start = block * rows->stride;
    copy_row(&rows->mark[block], &rows->own[0]);
    for (int64_t i = start; i < block_end(rows, block); i++)
        forward(s, run, i, &rows->own[i - start], &rows->own[i - start + 1]);
}

static void fill_marks(const struct subset_sums *s, const struct run *run,
                       const struct block_rows *rows) {
    first_row(&rows->mark[0]);
    for (int64_t block = 0; block < rows->blocks; block++) {
        fill_block(s, run, rows, block);
        if (block + 1 < rows->blocks)
            copy_row(&rows->own[rows->stride], &rows->mark[block + 1]);
    }
}

/* Adds those of a block; beta[0] holds that of its end, and then of its start. */
static void block_marginals(const struct subset_sums *s, const struct run *run,
                            struct block_rows *rows, int64_t block, double *marginal) {
    int64_t start = block * rows->stride;
    for (int64_t i = block_end(rows, block) - 1; i >= start; i--) {
        double y = s->x[run->first + i] + run->theta;
        marginal[run->first + i] += step_back(&rows->own[i - start], &rows->beta[0],
                                              1 / (1 + exp(-y)), 1 / (1 + exp(y)), &rows->beta[1]);
        struct subset_row swap = rows->beta[0];
        rows->beta[0] = rows->beta[1];
        rows->beta[1] = swap;
    }
}

static void run_marginals(struct subset_sums *s, const struct run *run, double *marginal) {
    int64_t n = run->last - run->first, stride = (int64_t)ceil(sqrt((double)n + 1));
    int64_t blocks = n > 0 ? (n + stride - 1) / stride : 1;
    struct block_rows rows = {n, stride, blocks, s->row, s->row + 2, s->row + 2 + blocks};
    for (int64_t i = 0; i < run->first; i++)
        for (int64_t b = run->low; b <= run->high; b++)
            marginal[i] += s->weight[b];
    fill_marks(s, run, &rows);
    last_beta(s, run, &rows.own[block_end(&rows, blocks - 1) - (blocks - 1) * stride],
              &rows.beta[0]);
    for (int64_t block = blocks - 1; block >= 0; block--) {
        if (block + 1 < blocks)
            fill_block(s, run, &rows, block);
        block_marginals(s, run, &rows, block, marginal);
    }
}

/* None, or all: one set, which no theta serves for sure. */
static void take_end(struct subset_sums *s, int64_t b, double *marginal) {
    s->F[b] = b == 0 ? 0 : s->sum[b];
    for (int64_t i = 0; i < b && marginal != NULL; i++)
        marginal[i] += s->weight[b];
}

/* Values, or marginals, by runs of the wanted sizes. */
static void each_run(struct subset_sums *s, double *marginal) {
    int64_t high;
    for (int64_t low = 0; next_wanted(s, &low, &high); low = high + 1)
        for (int64_t b = low; b <= high;) {
            if (b == 0 || b == s->n) {
                take_end(s, b++, marginal);
                continue;
            }
            struct run run = next_run(s, b, high < s->n ? high : s->n - 1);
            if (marginal == NULL)
                run_values(s, &run);
            else
                run_marginals(s, &run, marginal);
            b = run.high + 1;
        }
}

void subset_sums_values(struct subset_sums *s) {
    each_run(s, NULL);
}

void subset_sums_marginals(struct subset_sums *s, double *marginal) {
    memset(marginal, 0, sizeof *marginal * (size_t)s->n);
    each_run(s, marginal);
}

/* ---- memory */

/* f >= exp(-T) within sqrt(n T/2) of the mean, T = depth + nothing + log(n + 1). */
static int64_t window_width(int64_t n) {
    double T = depth + nothing + log((double)n + 1), wide = 2 * sqrt((double)n * T / 2) + 3;
    return (wide < (double)n + 2 ? (int64_t)wide : n + 2) + 3;
}

static int64_t row_count(int64_t n) {
    return 2 * (int64_t)ceil(sqrt((double)n + 1)) + 6;
}

double subset_sums_bytes(int64_t n) {
    double each = 5 * sizeof(double) + 1 + 2 * sizeof(struct subset_tangent);
    return (double)n * each + 8 * (double)row_count(n) * (double)window_width(n);
}

static int make_windows(struct subset_sums *s, struct error *e) {
    s->width = window_width(s->n);
    s->rows = row_count(s->n);
    s->windows = memory_new(s->rows * s->width, sizeof *s->windows, "sums over subsets", e);
    s->row = memory_zeroed(s->rows, sizeof *s->row, "sums over subsets", e);
    if (s->windows == NULL || s->row == NULL)
        return -1;
    for (int64_t k = 0; k < s->rows; k++)
        s->row[k].f = s->windows + k * s->width + 1;
    return 0;
}

int subset_sums_init(struct subset_sums *s, int64_t n, struct error *e) {
    int64_t tangents = 2 * (n + 64);
    *s = (struct subset_sums){.n = n};
    s->upper = memory_zeroed(5 * (n + 2), sizeof *s->upper, "sums over subsets", e);
    s->wanted = memory_zeroed(n + 1, sizeof *s->wanted, "sums over subsets", e);
    s->tangent = memory_new(tangents, sizeof *s->tangent, "sums over subsets", e);
    if (s->upper == NULL || s->wanted == NULL || s->tangent == NULL)
        return -1;
    s->lower = s->upper + n + 2;
    s->F = s->lower + n + 2;
    s->weight = s->F + n + 2;
    s->room = s->weight + n + 2;
    s->more = s->tangent + n + 64;
    return make_windows(s, e);
}

void subset_sums_free(struct subset_sums *s) {
    free(s->upper);
    free(s->wanted);
    free(s->tangent);
    free(s->windows);
    free(s->row);
    *s = (struct subset_sums){0};
}
