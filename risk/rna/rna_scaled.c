/* rna_scaled.c - sums over the loops of a pair with one inner pair, without exponentials for each of them.
 *
 *     sum over gaps of exp(gap(l,r) + Q(k,j-1-r)) = sum over blocks b of columns, exp(top(b) + most) times the
 *         sum over k of part(k,b) sum over columns c of b of exp(gap - most) exp(Q(k,c) - scale(k,b))
 *
 * with scale(k,b) the largest Q(k,c) of the block, most the largest gap, top(b) the largest scale of the rows
 * that the loops of row i may have, and part = exp(scale - top). Factors below e-100 are left out; where all of a
 * sum is below 1e-80 of what it may be, nothing is said of it. Gaps of 0x1, 1x0 and 1x1 have terms of their own
 * and are not among them. */
#include "math/exponential.h"
#include "math/log_sum.h"
#include "math/simd.h"
#include "risk/rna/rna_fold_parts.h"

#include <math.h>

enum { LANES = 8, VECTORS = RNA_BLOCK / LANES, WIDE = RNA_BLOCK, ROW = RNA_SCALED_ROW };

typedef double lanes __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

static const double part_least = 1e-100, sum_least = 1e-80;

static double without_least(double x) {
    return x < part_least ? 0 : x;
}

double rna_scaled_most(const struct rna_terms *terms) {
    double most = -INFINITY;
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = left > 1 ? 0 : 2; left + right <= RNA_GAP; right++)
            most = fmax(most, terms->gap[left * RNA_SEGMENTS + right]);
    return most;
}

void rna_scaled_begin(struct rna_tables *tables) {
    struct rna_scaled *near = &tables->near;
    const double *gap = tables->fold->terms->gap;
    for (int64_t k = 0; k < RNA_SEGMENTS * ROW; k++)
        near->gap[k] = -INFINITY;
    for (int64_t left = 0; left <= RNA_GAP; left++)
        for (int64_t right = left > 1 ? 0 : 2; left + right <= RNA_GAP; right++)
            near->gap[left * ROW + WIDE + RNA_GAP - left - right] =
                gap[left * RNA_SEGMENTS + right] - near->most;
    exponentials(near->gap, RNA_SEGMENTS * ROW);
    for (int64_t k = 0; k < RNA_SEGMENTS * ROW; k++)
        near->gap[k] = without_least(near->gap[k]);
    for (int64_t j = 0; j < tables->n + WIDE; j++)
        near->odds[rna_at(tables, tables->n, j)] = 0;
}

void rna_scaled_row(struct rna_tables *tables, int64_t k) {
    struct rna_scaled *near = &tables->near;
    const double *q = tables->q + rna_at(tables, k, 0);
    double *odds = near->odds + rna_at(tables, k, 0), *scale = near->scale + k * near->blocks;
    for (int64_t b = 0, from = 0; from < tables->n; b++, from += WIDE) {
        int64_t count = tables->n - from < WIDE ? tables->n - from : WIDE;
        scale[b] = log_most(q + from, count);
        for (int64_t x = from; x < from + count; x++)
            odds[x] = scale[b] == -INFINITY ? -INFINITY : q[x] - scale[b];
    }
    exponentials(odds, tables->n);
    for (int64_t x = 0; x < tables->n; x++)
        odds[x] = without_least(odds[x]);
}

/* ---- the blocks of a pair: that of its last column and the one before */

/* Where the gaps of column 32 b are in near->gap. */
static inline int64_t gaps_at(int64_t j, int64_t left, int64_t b) {
    return left * ROW + WIDE + b * WIDE - (j - 1 - (RNA_GAP - left));
}

/* How many left gaps there are. */
static inline int64_t lefts_of(int64_t i, int64_t j) {
    int64_t lefts = j - i - 2;
    return lefts < RNA_SEGMENTS ? lefts : RNA_SEGMENTS;
}

/* Whether columns of block b are among those of the gap. */
static inline bool reaches(int64_t j, int64_t left, int64_t b) {
    return (b + 1) * WIDE > j - 1 - (RNA_GAP - left);
}

static void total(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double *result);
static void share(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double c);

static SIMD_BODY void total_body(const struct rna_tables *tables, int64_t i, int64_t j, int64_t b,
                                 double *result) {
    lanes sum = {0};
    const double *part = tables->near.part + b * WIDE;
    for (int64_t left = 0; left < lefts_of(i, j) && reaches(j, left, b); left++) {
        const lanes *gap = (const lanes *)(tables->near.gap + gaps_at(j, left, b));
        const lanes *odds =
            (const lanes *)(tables->near.odds + rna_at(tables, i + 1 + left, b * WIDE));
        lanes own = gap[0] * odds[0];
        for (int x = 1; x < VECTORS; x++)
            own += gap[x] * odds[x];
        sum += part[left] * own;
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
    const double *part = tables->near.part + b * WIDE;
    for (int64_t left = 0; left < lefts_of(i, j) && reaches(j, left, b); left++) {
        int64_t at = gaps_at(j, left, b), to = rna_at(tables, i + 1 + left, b * WIDE);
        const lanes *gap = (const lanes *)(tables->near.gap + at);
        const lanes *odds = (const lanes *)(tables->near.odds + to);
        lanes *by_gap = (lanes *)(tables->near.by_gap + at), *by_q = (lanes *)(tables->by_q + to);
        for (int x = 0; x < VECTORS; x++) {
            lanes a = c * part[left] * gap[x] * odds[x];
            by_gap[x] += a;
            by_q[x] += a;
        }
    }
}

SIMD_CLONES(void, share,
            (const struct rna_tables *tables, int64_t i, int64_t j, int64_t b, double c),
            (tables, i, j, b, c))

void rna_scaled_loops(struct rna_tables *tables, int64_t i) {
    struct rna_scaled *near = &tables->near;
    int64_t rows = tables->n - 1 - i < RNA_SEGMENTS ? tables->n - 1 - i : RNA_SEGMENTS;
    for (int64_t b = (i + 1) / WIDE; b < near->blocks; b++) {
        double *part = near->part + b * WIDE;
        for (int64_t left = 0; left < rows; left++)
            part[left] = near->scale[(i + 1 + left) * near->blocks + b];
        near->top[b] = log_most(part, rows);
        for (int64_t left = 0; left < rows; left++)
            part[left] = near->top[b] == -INFINITY ? -INFINITY : part[left] - near->top[b];
        exponentials(part, rows);
        for (int64_t left = 0; left < rows; left++)
            part[left] = without_least(part[left]);
    }
}

double rna_scaled_open(const struct rna_tables *tables, int64_t i, int64_t j,
                       struct rna_scaled_parts *parts) {
    const struct rna_scaled *near = &tables->near;
    int64_t last = (j - 1) / WIDE, first = last > (i + 1) / WIDE && reaches(j, 0, last - 1);
    parts->blocks = j - i > 2 ? first + 1 : 0;
    parts->total = 0;
    parts->top = -INFINITY;
    for (int k = 0; k < parts->blocks; k++)
        parts->top = fmax(parts->top, near->top[last - k]);
    if (parts->top == -INFINITY)
        return -INFINITY;
    for (int k = 0; k < parts->blocks; k++) {
        double sum, top = near->top[last - k];
        parts->part[k] = top == parts->top ? 1 : without_least(exp(top - parts->top));
        if (parts->part[k] == 0)
            continue;
        total(tables, i, j, last - k, &sum);
        parts->total += parts->part[k] * sum;
    }
    parts->top += near->most;
    return parts->total < sum_least ? NAN : parts->top + log(parts->total);
}

double rna_scaled_share(const struct rna_tables *tables, int64_t i, int64_t j, double c,
                        const struct rna_scaled_parts *parts) {
    for (int k = 0; k < parts->blocks; k++)
        if (parts->part[k] > 0)
            share(tables, i, j, (j - 1) / WIDE - k, c * parts->part[k]);
    return c * parts->total;
}
