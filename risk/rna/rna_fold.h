/* rna_fold.h - over all secondary structures y of a sequence: the best score, or the sum of exp(score), and
 * what the best has or all have on the average.
 *
 *     score(y) = <terms, terms of y> + cost (positions whose partner is not the truth's)
 *
 * Loops of any length: hairpins and multi-branch loops as they are, those with one inner pair by all gaps of
 * 30 bases together, and longer ones through a table of the pairs that lie so far inside. The grammar derives
 * each structure once. Best and sum are one recursion, with max in place of log sum exp; the averages are its
 * derivative, found backwards.
 * Cost, for L bases: L^3/16 additions for branches, 500 for each of L^2/5 pairs that may be, 16 L^2 for pairs far
 * inside; in the sum products for those of the pairs (rna_scaled.c), exponentials for all others, twice. Memory
 * 96 L^2 bytes.
 *
 * References: Zuker & Stiegler 1981; McCaskill 1990; Durbin et al. 1998, sections 10.2, 10.3. */
#ifndef RRM_RNA_FOLD_H
#define RRM_RNA_FOLD_H

#include "io/interruption.h"
#include "risk/rna/rna_features.h"

#include <stdbool.h>
#include <stddef.h>

enum { RNA_LENGTH_MOST = 10000 }; /* the number of structures stays below 1e4932 */

struct rna_fold {
    struct rna_sequence sequence;
    const struct rna_terms *terms;
    const int32_t *truth; /* partners, or -1; NULL: cost is 0 */
    double cost;
    bool soft; /* log sum exp; else max */
    void *work;
    const struct interruption *interrupted; /* asked for each base; NULL: never */
};

/* Bytes of `work` for sequences of at most this length. */
size_t rna_fold_bytes(int64_t length);

/* max over y of score(y), or log sum over y of exp(score(y)). Leaves the tables in
 * fold->work for rna_outside. Not-a-number if it was interrupted: then rna_outside must not be called. */
double rna_inside(const struct rna_fold *fold);

/* The terms of the best structure (of equally good ones the same in every run), or their average by
 * exp(score), added to *counts unless NULL; returns that of the wrong positions. PARTNER, unless NULL,
 * receives the best structure. Where it was interrupted it returns not-a-number, and the rest is of no use. */
double rna_outside(const struct rna_fold *fold, struct rna_terms *counts, int32_t *partner);

/* log of the number of structures of a sequence of at most RNA_LENGTH_MOST bases. WORK: scratch memory of
 * rna_fold_bytes(length) bytes. Not-a-number if it was INTERRUPTED (NULL: it never is). */
double rna_log_structures(const struct rna_sequence *s, void *work,
                          const struct interruption *interrupted);

#endif
