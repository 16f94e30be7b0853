/* subset_marginals.c - the way back: how likely each number is in the subset. */
#include "math/simd.h"
#include "math/subset_sums/subset_parts.h"

#include <math.h>
#include <string.h>

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
    out->f = out->base;
    out->count = end > from ? end - from : 0;
    if (out->count > 0)
        back(f->f + (from - f->from), beta->f + (from - beta->from), p, q, out->f, out->count,
             &sum);
    close_row(out);
    return p * sum;
}

/* W/f(b) */
static void last_beta(const struct subset_sums *s, const struct subset_run *run,
                      const struct subset_row *f, struct subset_row *beta) {
    int64_t low = run->low - run->first, high = run->high - run->first;
    beta->from = f->from > low ? f->from : low;
    beta->count = 0;
    beta->f = beta->base;
    for (int64_t b = beta->from; b <= high && b < f->from + f->count; b++)
        beta->f[beta->count++] = s->weight[b + run->first] / f->f[b - f->from];
    close_row(beta);
}

static void copy_row(const struct subset_row *from, struct subset_row *to) {
    to->from = from->from;
    to->count = from->count;
    to->f = to->base;
    memcpy(to->f, from->f, sizeof *to->f * (size_t)from->count);
}

/* A run's rows: 0 and 1 beta, each `stride`-th of f, and those from one of them to the next. */
struct block_rows {
    int64_t n, stride, blocks;
    struct subset_row *beta, *mark, *current;
};

static int64_t block_end(const struct block_rows *rows, int64_t block) {
    int64_t end = (block + 1) * rows->stride;
    return end < rows->n ? end : rows->n;
}

static void fill_block(const struct subset_sums *s, const struct subset_run *run,
                       const struct block_rows *rows, int64_t block) {
    int64_t start = block * rows->stride;
    copy_row(&rows->mark[block], &rows->current[0]);
    for (int64_t i = start; i < block_end(rows, block); i++)
        subset_forward(s, run, i, &rows->current[i - start], &rows->current[i - start + 1]);
}

static void fill_marks(const struct subset_sums *s, const struct subset_run *run,
                       const struct block_rows *rows) {
    subset_first_row(&rows->mark[0]);
    for (int64_t block = 0; block < rows->blocks; block++) {
        fill_block(s, run, rows, block);
        if (block + 1 < rows->blocks)
            copy_row(&rows->current[rows->stride], &rows->mark[block + 1]);
    }
}

/* Adds those of a block; beta[0] holds that of its end, and then of its start. */
static void block_marginals(const struct subset_sums *s, const struct subset_run *run,
                            struct block_rows *rows, int64_t block, double *marginal) {
    int64_t start = block * rows->stride;
    for (int64_t i = block_end(rows, block) - 1; i >= start; i--) {
        double p, q;
        subset_odds(s, run, i, &p, &q);
        marginal[run->first + i] +=
            step_back(&rows->current[i - start], &rows->beta[0], p, q, &rows->beta[1]);
        struct subset_row swap = rows->beta[0];
        rows->beta[0] = rows->beta[1];
        rows->beta[1] = swap;
    }
}

void subset_run_marginals(struct subset_sums *s, const struct subset_run *run, double *marginal) {
    int64_t n = run->last - run->first, stride = (int64_t)ceil(sqrt((double)n + 1));
    int64_t blocks = n > 0 ? (n + stride - 1) / stride : 1;
    struct block_rows rows = {n, stride, blocks, s->row, s->row + 2, s->row + 2 + blocks};
    for (int64_t i = 0; i < run->first; i++)
        for (int64_t b = run->low; b <= run->high; b++)
            marginal[i] += s->weight[b];
    fill_marks(s, run, &rows);
    last_beta(s, run, &rows.current[block_end(&rows, blocks - 1) - (blocks - 1) * stride],
              &rows.beta[0]);
    for (int64_t block = blocks - 1; block >= 0; block--) {
        if (block + 1 < blocks)
            fill_block(s, run, &rows, block);
        block_marginals(s, run, &rows, block, marginal);
    }
}
