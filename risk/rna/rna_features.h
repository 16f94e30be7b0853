/* rna_features.h - the score of a secondary structure of RNA: a linear function of counts.
 *
 * A structure pairs positions i < j of a sequence over A, C, G, U; a position has one partner at most, and
 * no two pairs cross. Pairs are A-U, C-G and G-U. Each pair closes a loop: a hairpin has no pair inside; a
 * stack, bulge or internal loop has one, with no gap, a left or a right gap, or both gaps of unpaired bases
 * between; a multi-branch loop has two or more. The bases outside of all pairs are the external loop. The weights
 * follow CONTRAfold; "at least n" means that a loop has one weight for each n up to its length:
 *
 *     PAIR         3   AU, CG, GU
 *     STACK       21   two pairs without a gap, read from either strand
 *     CLOSING      6   a pair as seen from a loop that it borders (no stack): its first base is 5' of the loop
 *     MISMATCH  6x16   such a pair and both bases beside it in the loop: hairpins, bulges, internal loops
 *     AFTER     6x4    the base after the first of such a pair, BEFORE 6x4: before the second; multi-branch
 *                      and external loops
 *     HAIRPIN     31   length at least 0 .. 30
 *     BULGE       30   at least 1 .. 30
 *     INTERNAL    30   both gaps together at least 2 .. 31
 *     SYMMETRIC    1   gaps of equal length
 *     ASYMMETRY   28   their difference at least 1 .. 28
 *     EXPLICIT    10   gaps of 1x1, 1x2, .. 4x4
 *     BULGED       4   the base of a bulge of one
 *     OPPOSED     10   both bases of a 1x1 loop, in any order
 *     MULTI        3   a multi-branch loop; each of its unpaired bases; each of its pairs, the closing one too
 *     EXTERNAL     2   each unpaired base; each pair
 *
 * A loop with one inner pair and gaps of more than 30 bases together (bulges, too) is a long loop: it has all 30
 * weights of INTERNAL and no other. An unknown base pairs with nothing and has no weight. The "face" of a pair
 * towards a loop is the pair with its two neighbours in that loop: CLOSING and MISMATCH, or CLOSING, AFTER and
 * BEFORE.
 *
 * References: Do, Woods & Batzoglou 2006, sections 2.2, 3.1; Do, Le & Foo 2009, section 5.2 (about 350). */
#ifndef RRM_RNA_FEATURES_H
#define RRM_RNA_FEATURES_H

#include <stdint.h>

enum {
    RNA_UNKNOWN = 4, /* the bases are 0 .. 3: A, C, G, U */
    RNA_CODES = 5,
    RNA_TYPES = 6, /* AU CG GC GU UA UG, an ordered pair */
    RNA_FACES = RNA_TYPES * RNA_CODES * RNA_CODES,
    RNA_GAP = 30 /* bases: longer hairpins and gaps are not told apart */
};

enum rna_weight {
    RNA_PAIR,
    RNA_STACK = RNA_PAIR + 3,
    RNA_CLOSING = RNA_STACK + 21,
    RNA_MISMATCH = RNA_CLOSING + RNA_TYPES,
    RNA_AFTER = RNA_MISMATCH + RNA_TYPES * 16,
    RNA_BEFORE = RNA_AFTER + RNA_TYPES * 4,
    RNA_HAIRPIN = RNA_BEFORE + RNA_TYPES * 4,
    RNA_BULGE = RNA_HAIRPIN + 31,
    RNA_INTERNAL = RNA_BULGE + 30,
    RNA_SYMMETRIC = RNA_INTERNAL + 30,
    RNA_ASYMMETRY = RNA_SYMMETRIC + 1,
    RNA_EXPLICIT = RNA_ASYMMETRY + 28,
    RNA_BULGED = RNA_EXPLICIT + 10,
    RNA_OPPOSED = RNA_BULGED + 4,
    RNA_MULTI_LOOP = RNA_OPPOSED + 10,
    RNA_MULTI_UNPAIRED,
    RNA_MULTI_PAIR,
    RNA_EXTERNAL_UNPAIRED,
    RNA_EXTERNAL_PAIR,
    RNA_WEIGHTS
};

/* The terms that a structure's score is the sum of: for each term the sum of its weights, or the number of its
 * occurrences. All members are doubles. */
struct rna_terms {
    double pair[RNA_TYPES];
    double stack[RNA_TYPES * RNA_TYPES]; /* outer, inner, both read from 5' */
    double face[RNA_FACES];   /* pairs beside hairpins, bulges, internal loops: rna_face */
    double branch[RNA_FACES]; /* pairs beside multi-branch and external loops */
    double hairpin[RNA_GAP + 1];
    double
        gap[(RNA_GAP + 1) * (RNA_GAP + 1)]; /* left, right; their sum at most RNA_GAP, not both 0 */
    double bulged[RNA_CODES];
    double opposed[RNA_CODES * RNA_CODES]; /* left, right */
    double long_gap;
    double multi_loop, multi_unpaired, multi_pair;
    double external_unpaired, external_pair;
};

/* A sequence: bases 0 .. length - 1, and RNA_UNKNOWN at base[-1] and base[length]. */
struct rna_sequence {
    int64_t length;
    const int8_t *base;
};

extern const int8_t rna_types[RNA_CODES][RNA_CODES];

/* The type of a pair, negative if the two bases do not pair. */
static inline int rna_type(const struct rna_sequence *s, int64_t i, int64_t j) {
    return rna_types[s->base[i]][s->base[j]];
}

/* The index in `face` and `branch` of the pair (i, j) as seen from the loop that begins behind base i and ends
 * before base j: for the inner pair k < l of a loop it is rna_face(s, l, k). */
static inline int rna_face(const struct rna_sequence *s, int64_t i, int64_t j) {
    return (rna_type(s, i, j) * RNA_CODES + s->base[i + 1]) * RNA_CODES + s->base[j - 1];
}

/* terms = the sums of the weights w. */
void rna_terms_of_weights(const double *w, struct rna_terms *terms);

/* counts += c times the weights' occurrences in the terms: the adjoint, <terms of w, T> = <w, counts of T>. */
void rna_add_counts(const struct rna_terms *terms, double c, double *counts);

/* terms += the occurrences in a structure, given as the partner of each position, or -1. */
void rna_terms_of_structure(const struct rna_sequence *s, const int32_t *partner,
                            struct rna_terms *terms);

/* ||counts of any structure of a sequence|| is at most this times the sequence's length. */
double rna_counts_bound(void);

#endif
