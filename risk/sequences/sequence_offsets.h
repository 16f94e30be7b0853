/* sequence_offsets.h - the unregularized offsets of labels at which a risk of sequences (sequences.h) is least,
 * for given weights of features and transitions:
 *
 *     minimize over b:  G(b) = mean of mu log sum_y' exp((D(y') + s(y') + sum_t b(y'_t))/mu) - s(y) - sum_t b(y_t),
 *
 * crf with mu = 1 and D = 0, m3n with D the rows that differ and a mu that falls until G is near enough to the
 * risk. The gradient is the expected number of each label less the true one. A quasi-Newton method (BFGS) that
 * begins with the covariance of labels within rows, over mu; it keeps b and its matrix from one call of a run to the
 * next, as w moves little. An evaluation costs a forward-backward pass, O(rows K^2).
 *
 * The distribution q of labels at the last b is then moved a little (label_shift.h), so that each label is
 * expected as often as it is there. Any distribution gives a linearization of the risk: slope mean of
 * E phi - phi(y), constant mean of E D for m3n, of the entropy H for crf. For rows that draw anew by themselves
 * the expected transitions are known, and
 *
 *     H(q') >= H(q) + sum_t h(p'_t) - h(p_t),   h the entropy of a row's label with probabilities p_t:
 *
 * H(q') = H(q) + H(y'|y) - H(y|y') for labels y' drawn anew, where the first is the sum of the rows' and the
 * second at most that. So it is a linearization however well b was found; how near it comes is what SLACK says.
 *
 * Sums go by blocks of items: the same result for any number of threads. */
#ifndef RRM_SEQUENCE_OFFSETS_H
#define RRM_SEQUENCE_OFFSETS_H

#include "risk/items.h"

struct sequence_offsets {
    const struct items *items; /* their shared weights: K x K transitions, then the offsets */
    bool margin;               /* D as of m3n, else 0 */
    double mu;                 /* that the last search ended with; 0: there was none */
    double lost;               /* of m3n: by how much the linearization then missed G */
    double *score;             /* rows x K: u */
    double *derivative;        /* the same: p - e_y */

    double *v, *slope;           /* K x K + K: the shared weights, the derivatives of G by them, */
    double *trial, *trial_slope; /* and those of a trial */
    double *curvature;           /* K x K: the second derivatives by the offsets, nearly */
    double *factor;              /* the same, factored; */
    double *diagonal, *work;     /* K; scratch memory of the factorization */
    double *edges, *labels;      /* K x K, K: the mean numbers of true transitions and labels */
    double *step, *change;       /* K */
    double *give, *take;         /* K: label_shift.h */
};

/* ITEMS are complete. 0, or -1 with the error set; to be freed in either case. */
int sequence_offsets_init(struct sequence_offsets *o, const struct items *items, bool margin,
                          struct error *e);
void sequence_offsets_free(struct sequence_offsets *o);

/* As `profile` in struct risk_kind (risk.h). */
double sequence_offsets_profile(struct sequence_offsets *o, double *w, bool again, double slack,
                                double *gradient, double *constant);

#endif
