/* subset_sums.c - values in windows, run by run. */
#include "io/memory.h"
#include "math/subset_sums/subset_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- runs */

/* log of a lower bound of f(b) at a tangent. */
static double log_least(const struct subset_sums *s, const struct subset_tangent *t, int64_t b) {
    return s->lower[b] + t->theta * (double)b - t->K;
}

/* How far a tangent serves from LOW on, not beyond HIGH. */
static int64_t reach(const struct subset_sums *s, const struct subset_tangent *t, int64_t low,
                     int64_t high) {
    int64_t b = low;
    while (b < high && log_least(s, t, b + 1) >= -SUBSET_DEPTH)
        b++;
    return b;
}

/* log of the largest W_b/f(b), of values not yet known that of 1/f(b): what one lost of f loses. */
static double worst_loss(const struct subset_sums *s, const struct subset_run *run, bool known) {
    double worst = 0;
    for (int64_t b = run->low; b <= run->high && known; b++) {
        double log_f = s->F[b] + run->theta * (double)b - run->K;
        worst = s->weight[b] > 0 ? fmax(worst, log(s->weight[b]) - log_f) : worst;
    }
    return known ? fmin(worst, SUBSET_DEPTH) : -run->depth;
}

/* The run of sizes from LOW on with the largest end; among equal ones that with the largest lower bound of f. */
static struct subset_run next_run(const struct subset_sums *s, int64_t low, int64_t high,
                                  bool known) {
    struct subset_run best = {.low = low, .high = low - 1, .depth = -INFINITY};
    for (int64_t k = 1; k + 1 < s->tangents; k++) {
        const struct subset_tangent *t = &s->tangent[k];
        double start = log_least(s, t, low);
        int64_t end = start >= -SUBSET_DEPTH ? reach(s, t, low, high) : low;
        double deep = fmin(start, log_least(s, t, end));
        if (end > best.high || (end == best.high && deep > best.depth))
            best = (struct subset_run){low, end, t->theta, t->K, deep, 0, 0, 0};
    }
    best.depth = fmax(best.depth, -SUBSET_DEPTH);
    double cut = SUBSET_NOTHING + log((double)s->n + 1) + worst_loss(s, &best, known);
    best.first = subset_index(s, best.theta, cut);
    best.last = subset_index(s, best.theta, -cut);
    best.cutoff = exp(-cut);
    return best;
}

/* The next interval of needed sizes, from *LOW on; false: none. */
static bool next_needed(const struct subset_sums *s, int64_t *low, int64_t *high) {
    while (*low <= s->n && !s->needed[*low])
        ++*low;
    for (*high = *low; *high < s->n && s->needed[*high + 1];)
        ++*high;
    return *low <= s->n;
}

/* ---- values */

static double row_value(const struct subset_row *row, int64_t b) {
    return b >= row->from && b < row->from + row->count ? row->f[b - row->from] : 0;
}

static void run_values(struct subset_sums *s, const struct subset_run *run) {
    struct subset_row *now = &s->row[0], *next = &s->row[1];
    subset_first_row(now);
    for (int64_t i = 0; i < run->last - run->first; i++) {
        subset_forward(s, run, i, now, next);
        struct subset_row *swap = now;
        now = next;
        next = swap;
    }
    for (int64_t b = run->low; b <= run->high; b++)
        s->F[b] = log(row_value(now, b - run->first)) + run->K - run->theta * (double)b;
}

/* None or all of the numbers: a single set, for which no theta is certain to be good. */
static void take_end(struct subset_sums *s, int64_t b, double *marginal) {
    s->F[b] = b == 0 ? 0 : s->sum[b];
    for (int64_t i = 0; i < b && marginal != NULL; i++)
        marginal[i] += s->weight[b];
}

/* Values, or marginals, for each interval of needed sizes. */
static void each_run(struct subset_sums *s, double *marginal) {
    int64_t high;
    for (int64_t low = 0; next_needed(s, &low, &high); low = high + 1)
        for (int64_t b = low; b <= high;) {
            if (b == 0 || b == s->n) {
                take_end(s, b++, marginal);
                continue;
            }
            struct subset_run run = next_run(s, b, high < s->n ? high : s->n - 1, marginal != NULL);
            if (marginal == NULL)
                run_values(s, &run);
            else
                subset_run_marginals(s, &run, marginal);
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

/* f >= exp(-T) within sqrt(n T/2) of the mean, T = SUBSET_DEPTH + SUBSET_NOTHING + log(n + 1). */
static int64_t window_width(int64_t n) {
    double T = SUBSET_DEPTH + SUBSET_NOTHING + log((double)n + 1),
           wide = 2 * sqrt((double)n * T / 2) + 3;
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
        s->row[k].base = s->windows + k * s->width + 1;
    return 0;
}

int subset_sums_init(struct subset_sums *s, int64_t n, struct error *e) {
    int64_t tangents = 2 * (n + 64);
    *s = (struct subset_sums){.n = n};
    s->upper = memory_zeroed(5 * (n + 2), sizeof *s->upper, "sums over subsets", e);
    s->needed = memory_zeroed(n + 1, sizeof *s->needed, "sums over subsets", e);
    s->tangent = memory_new(tangents, sizeof *s->tangent, "sums over subsets", e);
    if (s->upper == NULL || s->needed == NULL || s->tangent == NULL)
        return -1;
    s->lower = s->upper + n + 2;
    s->F = s->lower + n + 2;
    s->weight = s->F + n + 2;
    s->work = s->weight + n + 2;
    s->more = s->tangent + n + 64;
    return make_windows(s, e);
}

void subset_sums_free(struct subset_sums *s) {
    free(s->upper);
    free(s->needed);
    free(s->tangent);
    free(s->windows);
    free(s->row);
    *s = (struct subset_sums){0};
}
