/* rna_scaled.c - sums over the internal loops of a pair by products of exponentials that are computed once, not by
 * an exponential for each loop:
 *
 *     sum over gaps of exp(gap(l,r) + Q(k,j-1-r)) = sum over blocks b of columns, exp(top(b) + max_gap) times the
 *         sum over k of factor(k,b) sum over columns c of b of exp(gap - max_gap) exp(Q(k,c) - scale(k,b))
 *
 * with scale(k,b) the largest Q(k,c) of the block, max_gap the largest gap, top(b) the largest scale of the rows
 * that the loops of row i may have, and factor = exp(scale - top). Exponentials below 1e-100 are set to 0. If a sum
 * is below 1e-80, the zeros may matter: the result is then not-a-number, and the caller adds the loops one by one.
 * Gaps of 0x1, 1x0 and 1x1 have additional terms and are not part of these sums. */
#include "math/exponential.h"
#include "math/log_sum.h"
#include "math/simd.h"
#include "risk/rna/rna_fold_parts.h"

#include <math.h>

enum { LANES = 4, VECTORS = RNA_BLOCK / LANES, BLOCK = RNA_BLOCK, ROW = RNA_SCALED_ROW };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

static const double min_factor = 1e-100, min_sum = 1e-80;

static double flush_tiny(double x) {
    return x < min_factor ? 0 : x;
}

double rna_scaled_max_gap(const struct rna_terms *terms) {
    double max_gap = -INFINITY;
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = left > 1 ? 0 : 2; left + right <= RNA_GAP; right++)
            max_gap = fmax(max_gap, terms->gap[left * RNA_SEGMENTS + right]);
    return max_gap;
}

void rna_scaled_start(struct rna_tables *tables) {
    struct rna_scaled *scaled = &tables->scaled;
    const double *gap = tables->fold->terms->gap;
    for (int64_t k = 0; k < RNA_SEGMENTS * ROW; k++)
        scaled->gap[k] = -INFINITY;
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = left > 1 ? 0 : 2; left + right <= RNA_GAP; right++)
            scaled->gap[left * ROW + BLOCK + RNA_GAP - left - right] =
                gap[left * RNA_SEGMENTS + right] - scaled->max_gap;
    exponentials(scaled->gap, RNA_SEGMENTS * ROW);
    for (int64_t k = 0; k < RNA_SEGMENTS * ROW; k++)
        scaled->gap[k] = flush_tiny(scaled->gap[k]);
    for (int64_t j = 0; j < tables->n + BLOCK; j++)
        scaled->exp_q[rna_at(tables, tables->n, j)] = 0;
}

void rna_scaled_row(struct rna_tables *tables, int64_t k) {
    struct rna_scaled *scaled = &tables->scaled;
    const double *q = tables->q + rna_at(tables, k, 0);
    double *exp_q = scaled->exp_q + rna_at(tables, k, 0),
           *scale = scaled->scale + k * scaled->blocks;
    for (int64_t b = 0, from = 0; from < tables->n; b++, from += BLOCK) {
        int64_t count = tables->n - from < BLOCK ? tables->n - from : BLOCK;
        scale[b] = log_max(q + from, count);
        for (int64_t x = from; x < from + count; x++)
            exp_q[x] = scale[b] == -INFINITY ? -INFINITY : q[x] - scale[b];
    }
    exponentials(exp_q, tables->n);
    for (int64_t x = 0; x < tables->n; x++)
        exp_q[x] = flush_tiny(exp_q[x]);
}

/* ---- the blocks of a pair: the block of its last column and the one before */

/* The index in scaled->gap of the gap at column 32 b. */
static inline int64_t gaps_at(int64_t j, int64_t left, int64_t b) {
    return left * ROW + BLOCK + b * BLOCK - (j - 1 - (RNA_GAP - left));
}

/* The number of left gaps. */
static inline int64_t left_gaps_of(int64_t i, int64_t j) {
    int64_t left_gaps = j - i - 2;
    return left_gaps < RNA_SEGMENTS ? left_gaps : RNA_SEGMENTS;
}

/* Whether block b has columns within the loops of this left gap. */
static inline bool reaches(int64_t j, int64_t left, int64_t b) {
    return (b + 1) * BLOCK > j - 1 - (RNA_GAP - left);
}

static void total(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double *result);
static void share(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double c);

static SIMD_BODY void total_body(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b,
                                 double *result) {
    lanes sum = {0};
    const double *factor = tables->scaled.factor + b * BLOCK;
    for (int64_t left = 0; left < left_gaps_of(i, j) && reaches(j, left, b); left++) {
        const lanes *gap = (const lanes *)(tables->scaled.gap + gaps_at(j, left, b));
        const lanes *exp_q =
            (const lanes *)(tables->scaled.exp_q + rna_at(tables, i + 1 + left, b * BLOCK));
        lanes products = gap[0] * exp_q[0];
        for (int x = 1; x < VECTORS; x++)
            products += gap[x] * exp_q[x];
        sum += factor[left] * products;
    }
    *result = 0;
    for (int lane = 0; lane < LANES; lane++)
        *result += sum[lane];
}

SIMD_CLONES(void, total,
            (const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double *result),
            (tables, i, j, b, result))

static SIMD_BODY void share_body(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b,
                                 double c) {
    const double *factor = tables->scaled.factor + b * BLOCK;
    for (int64_t left = 0; left < left_gaps_of(i, j) && reaches(j, left, b); left++) {
        int64_t at = gaps_at(j, left, b), to = rna_at(tables, i + 1 + left, b * BLOCK);
        const lanes *gap = (const lanes *)(tables->scaled.gap + at);
        const lanes *exp_q = (const lanes *)(tables->scaled.exp_q + to);
        lanes *by_gap = (lanes *)(tables->scaled.by_gap + at), *by_q = (lanes *)(tables->by_q + to);
        for (int x = 0; x < VECTORS; x++) {
            lanes a = c * factor[left] * gap[x] * exp_q[x];
            by_gap[x] += a;
            by_q[x] += a;
        }
    }
}

SIMD_CLONES(void, share,
            (const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double c),
            (tables, i, j, b, c))

void rna_scaled_loops(struct rna_tables *tables, int64_t i) {
    struct rna_scaled *scaled = &tables->scaled;
    int64_t rows = tables->n - 1 - i < RNA_SEGMENTS ? tables->n - 1 - i : RNA_SEGMENTS;
    for (int64_t b = (i + 1) / BLOCK; b < scaled->blocks; b++) {
        double *factor = scaled->factor + b * BLOCK;
        for (int64_t left = 0; left < rows; left++)
            factor[left] = scaled->scale[(i + 1 + left) * scaled->blocks + b];
        scaled->top[b] = log_max(factor, rows);
        for (int64_t left = 0; left < rows; left++)
            factor[left] = scaled->top[b] == -INFINITY ? -INFINITY : factor[left] - scaled->top[b];
        exponentials(factor, rows);
        for (int64_t left = 0; left < rows; left++)
            factor[left] = flush_tiny(factor[left]);
    }
}

double rna_scaled_sum(const struct rna_tables *tables, int64_t i, int64_t j,
                      struct rna_block_sums *parts) {
    const struct rna_scaled *scaled = &tables->scaled;
    int64_t last = (j - 1) / BLOCK, first = last > (i + 1) / BLOCK && reaches(j, 0, last - 1);
    parts->blocks = j - i > 2 ? first + 1 : 0;
    parts->total = 0;
    parts->top = -INFINITY;
    for (int k = 0; k < parts->blocks; k++)
        parts->top = fmax(parts->top, scaled->top[last - k]);
    if (parts->top == -INFINITY)
        return -INFINITY;
    for (int k = 0; k < parts->blocks; k++) {
        double sum, top = scaled->top[last - k];
        parts->factor[k] = top == parts->top ? 1 : flush_tiny(exp(top - parts->top));
        if (parts->factor[k] == 0)
            continue;
        total(tables, i, j, last - k, &sum);
        parts->total += parts->factor[k] * sum;
    }
    parts->top += scaled->max_gap;
    return parts->total < min_sum ? NAN : parts->top + log(parts->total);
}

double rna_scaled_share(const struct rna_tables *tables, int64_t i, int64_t j, double c,
                        const struct rna_block_sums *parts) {
    for (int k = 0; k < parts->blocks; k++)
        if (parts->factor[k] > 0)
            share(tables, i, j, (j - 1) / BLOCK - k, c * parts->factor[k]);
    return c * parts->total;
}
