/* sequence_offsets.h - the unregularized offsets of the labels that minimize a risk of sequences (sequences.h), for
 * given weights of features and transitions:
 *
 *     minimize over b:  G(b) = mean of mu log sum_y' exp((D(y') + s(y') + sum_t b(y'_t))/mu) - s(y) - sum_t b(y_t),
 *
 * crf with mu = 1 and D = 0; m3n with D the number of rows that differ and a mu that falls until G is close enough
 * to the risk. The gradient is the expected number of each label minus the true number. The method is quasi-Newton
 * (BFGS) and begins with the covariance of labels within rows divided by mu. It keeps b and its matrix from one call
 * of a run to the next, as w changes little. An evaluation costs a forward-backward pass, O(rows K^2).
 *
 * At the last b the distribution q of labels is corrected (label_shift.h), so that the expected number of each label
 * is the true number. Any distribution gives a linearization of the risk: slope mean of E phi - phi(y), constant
 * mean of E D for m3n, of the entropy H for crf. If rows independently draw new labels y' as in label_shift.h, the
 * expected transitions are known, and
 *
 *     H(q') >= H(q) + sum_t h(p'_t) - h(p_t),   h the entropy of a row's label with probabilities p_t:
 *
 * since H(q') = H(q) + H(y'|y) - H(y|y'), where H(y'|y) is the sum over rows and H(y|y') at most the sum over rows.
 * So the linearization is valid for any b; SLACK bounds its distance from the risk.
 *
 * Sums are taken over blocks of items: the same result for any number of threads. */
#ifndef RRM_SEQUENCE_OFFSETS_H
#define RRM_SEQUENCE_OFFSETS_H

#include "risk/items.h"

struct sequence_offsets {
    const struct items *items; /* their shared weights: K x K transitions, then the offsets */
    bool margin;               /* D as of m3n, else 0 */
    double mu;                 /* of the last search; 0: there was none */
    double error;              /* m3n: G minus its linearization after the last search */
    double *score;             /* rows x K: u */
    double *derivative;        /* the same: p - e_y */

    double *v, *slope;           /* K x K + K: the shared weights, the derivatives of G by them */
    double *trial, *trial_slope; /* the same at the trial point of a line search */
    double *curvature;           /* K x K: the BFGS approximation of the Hessian by the offsets */
    double *factor;              /* its Cholesky factor */
    double *diagonal, *work;     /* K; scratch memory of the factorization */
    double *edges, *labels;      /* K x K, K: the mean numbers of true transitions and labels */
    double *step, *change;       /* K */
    double *leave, *enter;       /* K: label_shift.h */
};

/* ITEMS are complete. 0, or -1 with the error set; to be freed in either case. */
int sequence_offsets_init(struct sequence_offsets *o, const struct items *items, bool margin,
                          struct error *e);
void sequence_offsets_free(struct sequence_offsets *o);

/* Lists what the next search begins from. */
void sequence_offsets_visit(struct sequence_offsets *o, struct state *state);

/* As `profile` in struct risk_kind (risk.h). */
double sequence_offsets_profile(struct sequence_offsets *o, double *w, bool again, double slack,
                                double *gradient, double *constant);

#endif
