/* rna_fold.h - the secondary structure y of best score, or the sum of exp(score) over all y and the expected
 * terms under it.
 *
 *     score(y) = <terms, terms of y> + cost (positions whose partner is not the truth's)
 *
 * Loops may have any length. Loops with one inner pair are enumerated up to gaps of 30 bases together; longer ones
 * go through a table of the pairs further inside. The grammar derives each structure once. Best and sum are the
 * same recursion, with max in place of log sum exp (inside pass); the expected terms are its derivative, computed
 * backwards (outside pass).
 * Cost for L bases: L^3/16 additions for branches, 500 for each of about L^2/5 possible pairs, 16 L^2 for long
 * loops. For the sum, additions for pairs become products (rna_scaled.c) and the others exponentials, each twice.
 * Memory: 96 L^2 bytes.
 *
 * Files: rna_features (terms and weights of a structure), rna_fold_parts.h (tables and recursions), rna_inside.c,
 * rna_outside.c, rna_scaled.c (fast sums over loops), rna_count.c (number of structures), rna_data (sequences and
 * labels from a dataset), rna (the risk).
 *
 * References: Zuker & Stiegler 1981; McCaskill 1990; Durbin et al. 1998, sections 10.2, 10.3. */
#ifndef RRM_RNA_FOLD_H
#define RRM_RNA_FOLD_H

#include "io/interruption.h"
#include "risk/rna/rna_features.h"

#include <stdbool.h>
#include <stddef.h>

enum { RNA_MAX_LENGTH = 10000 }; /* the number of structures stays below 1e4932 */

struct rna_fold {
    struct rna_sequence sequence;
    const struct rna_terms *terms;
    const int32_t *truth; /* partners, or -1; NULL: cost is 0 */
    double cost;          /* of each position whose partner is not the truth's */
    bool soft;            /* log sum exp; else max */
    void *work;
    const struct interruption *interrupted; /* checked for each base; NULL: never */
};

/* Bytes of `work` for sequences of at most this length. */
size_t rna_fold_bytes(int64_t length);

/* max over y of score(y), or log sum over y of exp(score(y)). Leaves the tables in
 * fold->work for rna_outside. Not-a-number if it was interrupted: then rna_outside must not be called. */
double rna_inside(const struct rna_fold *fold);

/* Adds the terms of the best structure (of equally good ones the same in every run), or their expectation under
 * exp(score), to *counts unless NULL. Returns the number of wrong positions, or its expectation. PARTNER, unless
 * NULL, receives the best structure. Not-a-number if it was interrupted: then *counts and PARTNER are invalid. */
double rna_outside(const struct rna_fold *fold, struct rna_terms *counts, int32_t *partner);

/* log of the number of structures of a sequence of at most RNA_MAX_LENGTH bases. WORK: scratch memory of
 * rna_fold_bytes(length) bytes. Not-a-number if it was INTERRUPTED (NULL: it never is). */
double rna_log_structures(const struct rna_sequence *s, void *work,
                          const struct interruption *interrupted);

#endif
