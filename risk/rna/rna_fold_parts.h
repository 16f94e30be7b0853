/* rna_fold_parts.h - the dynamic program of rna_fold.h: its tables and recursions, for rna_inside.c (which fills
 * the tables), rna_outside.c (which differentiates them) and rna_scaled.c (fast sums over internal loops).
 *
 * Tables over intervals i .. j of a sequence of n bases; -infinity if the interval has no such structure:
 *
 *     P(i,j)    i paired with j; Q = P + the pair's face towards a loop around it
 *     M, M2     one branch or more, two or more, between unpaired bases
 *     T(i,j)    a branch that begins at i and is followed by one or more
 *     H(i,j)    one pair inside, with RNA_GAP + 1 or more unpaired bases around it: Q of the pair
 *     E(i)      i .. n - 1 in the external loop
 *
 * and arrays of the current row i: B(l) = P(i,l) + the pair's face towards a multi-branch or external loop; N(j),
 * a branch that begins at i, followed by unpaired bases; R(c), the sum of Q(i,l) over l <= c. "Or" stands for
 * log sum exp or max of the alternatives:
 *
 *     P(i,j) = pair + stack + P(i+1,j-1)  or  pair + face + (hairpin, gap + Q(k,l), long_gap + H(i+1,j-1))
 *              or  pair + branch + multi_loop + multi_pair + M2(i+1,j-1)
 *     N(j)   = N(j-1) + multi_unpaired  or  B(j) + multi_pair
 *     T(i,j) = B(l) + multi_pair + M(l+1,j)
 *     M(i,j) = M(i+1,j) + multi_unpaired  or  N(j)  or  T(i,j);    M2 without N
 *     H(i,j) = H(i+1,j)  or  Q(i+1+x, j-30+x), 0 <= x <= 30  or  R(j-31)
 *     E(i)   = E(i+1) + external_unpaired  or  B(j) + external_pair + E(j+1) */
#ifndef RRM_RNA_FOLD_PARTS_H
#define RRM_RNA_FOLD_PARTS_H

#include "risk/rna/rna_fold.h"

enum { RNA_SEGMENTS = RNA_GAP + 1, RNA_MAX_LOOPS = RNA_SEGMENTS * (RNA_SEGMENTS + 1) / 2 };

/* One alternative of a row of a table: its score at column j is value[j - from] + c, for from <= j < n. In the
 * outside pass by_value[j - from] receives its probability and *total (unless NULL) the sum of these. */
struct rna_source {
    const double *value;
    double *by_value, *total;
    double c;
    int64_t from;
};

/* Columns of a block; a row of gaps with a block of zeros on either side. */
enum { RNA_BLOCK = 32, RNA_SCALED_ROW = RNA_BLOCK + RNA_SEGMENTS + RNA_BLOCK + 1 };

/* Exponentials of gaps and of Q, for sums over loops; the names are those of rna_scaled.c's formula. */
struct rna_scaled {
    int64_t blocks;
    double max_gap;
    /* RNA_SEGMENTS x RNA_SCALED_ROW: exp(gap - max_gap), right gaps in falling order */
    double *gap;
    double *by_gap; /* expected numbers of the gaps, in the same order */
    double *factor; /* of the current row i: blocks x RNA_BLOCK, of the rows i + 1 .. i + 31 */
    double *top;    /* of the current row i: blocks */
    double *exp_q;  /* (n + 1) x n: exp(Q - scale) */
    double *scale;  /* (n + 1) x blocks */
};

/* The loops of a pair lie in one or two blocks; their sum is total exp(top), block k's part in it is multiplied
 * by factor[k]. */
struct rna_block_sums {
    int blocks;
    double top, total, factor[2];
};

struct rna_tables {
    const struct rna_fold *fold;
    int64_t n;
    double *p, *q, *m, *m2, *t,
        *h; /* (n + 1) x n; below the diagonal and in the last row -infinity */
    double *by_p, *by_q, *by_m, *by_m2, *by_h; /* probabilities of their entries */
    double *e, *by_e;                          /* n + 1 */
    double *branch, *next, *prefix_q;          /* B, N, R of a row: n */
    double *by_branch, *by_next, *by_prefix_q, *by_t;
    double *sum, *shift; /* n: sums of exponentials, and what is subtracted from the exponents */
    double *work,
        *loop;      /* the larger of n and the loops of a pair: scratch; scores of a pair's loops */
    double *gap;    /* terms.gap, right gaps in falling order; gap 0 x 0 is -infinity */
    double *by_gap; /* expected numbers of the gaps, in the same order */
    struct rna_scaled scaled;
    struct rna_source *source; /* n + RNA_SEGMENTS + 4 */
    int64_t sources;
};

/* The loops of a pair with the same left gap: inner pairs (k, l), low <= l < j. */
struct rna_segment {
    int64_t k, low, count, begin; /* begin: index of the first loop in tables->loop */
    int64_t gap;                  /* index of the first loop's gap in tables->gap */
};

struct rna_loops {
    int segments;
    int64_t count;
    struct rna_segment segment[RNA_SEGMENTS];
};

/* Lays the arrays out in fold->work. */
void rna_tables_init(struct rna_tables *tables, const struct rna_fold *fold);

static inline int64_t rna_at(const struct rna_tables *tables, int64_t i, int64_t j) {
    return i * tables->n + j;
}

/* Writes gap + Q of all loops between (i, j) and one inner pair to tables->loop, without the face of (i, j). */
void rna_list_loops(const struct rna_tables *tables, int64_t i, int64_t j, struct rna_loops *loops);

/* Fill tables->scaled: the largest gap; the exponentials of the gaps; those of row k, after its Q; the factors
 * of the rows behind row i. */
double rna_scaled_max_gap(const struct rna_terms *terms);
void rna_scaled_start(struct rna_tables *tables);
void rna_scaled_row(struct rna_tables *tables, int64_t k);
void rna_scaled_loops(struct rna_tables *tables, int64_t i);

/* log of the sum over the loops of (i, j) that have a gap of two or more, without the face of (i, j).
 * Not-a-number if the sum is below 1e-80 of its scale, where factors that were set to 0 would matter. */
double rna_scaled_sum(const struct rna_tables *tables, int64_t i, int64_t j,
                      struct rna_block_sums *parts);

/* Adds c exp(-top) times each term of that sum to the probabilities of the inner pairs and gaps. Returns the sum
 * of what it added. */
double rna_scaled_share(const struct rna_tables *tables, int64_t i, int64_t j, double c,
                        const struct rna_block_sums *parts);

/* value[k] = gap + Q of the loops with gaps 0x1, 1x0, 1x1. */
enum { RNA_SMALL_LOOPS = 3 };
void rna_small_loops(const struct rna_tables *tables, int64_t i, int64_t j, double *value);

/* By how much the pair (i, j) changes the number of positions whose partner is not the truth's. */
double rna_pair_cost(const struct rna_fold *fold, int64_t i, int64_t j);

/* max or log sum exp of n numbers. Overwrites x. */
double rna_sum(const struct rna_tables *tables, double *x, int64_t n);

/* Write the alternatives of row i of T, M, M2, H to tables->source. */
void rna_sources_t(struct rna_tables *tables, int64_t i);
void rna_sources_m(struct rna_tables *tables, int64_t i, double *unpaired);
void rna_sources_m2(struct rna_tables *tables, int64_t i, double *unpaired);
void rna_sources_h(struct rna_tables *tables, int64_t i);

/* B of row i from P; N from B; R from Q. */
void rna_row_branch(struct rna_tables *tables, int64_t i);
void rna_row_next(struct rna_tables *tables, int64_t i);
void rna_row_prefix_q(struct rna_tables *tables, int64_t i);

/* Scores of what a pair (i, j) may enclose other than loops listed above, without the term of the pair: a stack, a
 * multi-branch loop (with the face of the pair), a hairpin, a long loop (both without it). */
double rna_stack(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_multi(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_hairpin(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_long(const struct rna_tables *tables, int64_t i, int64_t j);

#endif
