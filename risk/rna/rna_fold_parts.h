/* rna_fold_parts.h - what rna_inside.c and rna_outside.c share: the tables and the sums they are made of.
 *
 * Values of intervals i .. j of a sequence of n, -infinity where there are none:
 *
 *     P(i,j)    i paired with j; Q = P + the pair's face towards a loop around it
 *     M, M2     one branch or more, two or more, between unpaired bases
 *     T(i,j)    a branch that begins at i and is followed by one or more
 *     H(i,j)    one pair inside, with RNA_GAP + 1 unpaired bases or more on its sides: Q of it
 *     E(i)      i .. n - 1 in the external loop
 *
 * and of a row i alone: B(l) = P(i,l) + its face towards a multi-branch or external loop; N(j), a branch
 * that begins at i and then unpaired bases; R(c), the sum of Q(i,l) over l <= c:
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

enum { RNA_SEGMENTS = RNA_GAP + 1, RNA_LOOPS_MOST = RNA_SEGMENTS * (RNA_SEGMENTS + 1) / 2 };

/* One of the alternatives of a row of sums: value[j - from] + c at j, for from <= j < n. In what it passes
 * back, `part` takes its share at each j, and *total the sum of these. */
struct rna_source {
    const double *value;
    double *part, *total;
    double c;
    int64_t from;
};

/* Blocks of columns, and a row of gaps between zeros as wide as a block. */
enum { RNA_BLOCK = 32, RNA_SCALED_ROW = RNA_BLOCK + RNA_SEGMENTS + RNA_BLOCK + 1 };

/* Exponentials of gaps and of Q, for sums over loops; see rna_scaled.c. */
struct rna_scaled {
    int64_t blocks;
    double most;    /* gap */
    double *gap;    /* RNA_SEGMENTS x RNA_SCALED_ROW, each row from right to left: less `most` */
    double *by_gap; /* counts in the same order */
    double *part, *top;   /* of a row i, blocks x RNA_BLOCK: of the rows i + 1 .. i + 31; blocks */
    double *odds, *scale; /* of Q: (n + 1) x n, less the scale: (n + 1) x blocks */
};

/* The one or two blocks that the loops of a pair lie in; their sum is total exp(top). */
struct rna_scaled_parts {
    int blocks;
    double top, total, part[2];
};

struct rna_tables {
    const struct rna_fold *fold;
    int64_t n;
    double *p, *q, *m, *m2, *t,
        *h; /* (n + 1) x n; below the diagonal and in the last row -infinity */
    double *by_p, *by_q, *by_m, *by_m2, *by_h; /* shares of all structures; as long */
    double *e, *by_e;                          /* n + 1 */
    double *branch, *next, *reach;             /* B, N, R of a row: n */
    double *by_branch, *by_next, *by_reach, *by_t;
    double *most, *shift, *work, *loop; /* n; n; the larger of n and the loops of a pair, twice */
    double *gap;    /* terms.gap, each row from right to left; 0 x 0 is -infinity */
    double *by_gap; /* counts in the same order */
    struct rna_scaled near;
    struct rna_source *source; /* n + RNA_SEGMENTS + 4 */
    int64_t sources;
};

/* The inner pairs (k, l) of the loops of a pair that have one left gap: l from low .. j - 1. */
struct rna_segment {
    int64_t k, low, count, begin; /* begin: of its values among those of all loops */
    int64_t gap;                  /* of the first, in tables->gap */
};

struct rna_loops {
    int segments;
    int64_t count;
    struct rna_segment segment[RNA_SEGMENTS];
};

void rna_tables_open(struct rna_tables *tables, const struct rna_fold *fold);

static inline int64_t rna_at(const struct rna_tables *tables, int64_t i, int64_t j) {
    return i * tables->n + j;
}

/* gap + Q of all loops between (i, j) and one inner pair, in tables->loop, without the face of (i, j). */
void rna_loops_open(const struct rna_tables *tables, int64_t i, int64_t j, struct rna_loops *loops);

/* The largest gap. Its exponentials: of the gaps; of row k, once Q is there; of the rows
 * behind row i. */
double rna_scaled_most(const struct rna_terms *terms);
void rna_scaled_begin(struct rna_tables *tables);
void rna_scaled_row(struct rna_tables *tables, int64_t k);
void rna_scaled_loops(struct rna_tables *tables, int64_t i);

/* log of the sum over the loops of (i, j) that have a gap of two or more; not-a-number where it is too far
 * below what it may be. Without the face of (i, j). */
double rna_scaled_open(const struct rna_tables *tables, int64_t i, int64_t j,
                       struct rna_scaled_parts *parts);

/* Adds c times each of the terms of that sum, over exp(top), to the shares; what it is in all. */
double rna_scaled_share(const struct rna_tables *tables, int64_t i, int64_t j, double c,
                        const struct rna_scaled_parts *parts);

/* gap + Q of the loops with gaps 0x1, 1x0, 1x1 in a number each. */
enum { RNA_CLOSE = 3 };
void rna_close_open(const struct rna_tables *tables, int64_t i, int64_t j, double *close);

/* What the pair (i, j) adds to a score: its own term, and cost where it is not in the truth. */
double rna_pair_wrong(const struct rna_fold *fold, int64_t i, int64_t j);

/* max or log sum exp of n numbers, which are overwritten. */
double rna_sum(const struct rna_tables *tables, double *x, int64_t n);

/* Lists the alternatives of row i of T, M, M2, H. */
void rna_sources_t(struct rna_tables *tables, int64_t i);
void rna_sources_m(struct rna_tables *tables, int64_t i, double *unpaired);
void rna_sources_m2(struct rna_tables *tables, int64_t i, double *unpaired);
void rna_sources_h(struct rna_tables *tables, int64_t i);

/* B of row i from P; N from B; R from Q. */
void rna_row_branch(struct rna_tables *tables, int64_t i);
void rna_row_next(struct rna_tables *tables, int64_t i);
void rna_row_reach(struct rna_tables *tables, int64_t i);

/* Values of the alternatives of a pair besides its loops: stack, multi-branch, all without the pair's own. */
double rna_stack(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_multi(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_hairpin(const struct rna_tables *tables, int64_t i, int64_t j);
double rna_long(const struct rna_tables *tables, int64_t i, int64_t j);

#endif
