/* sequences.h - risks of sequences of labels: an item is a group of rows (qid), and each row has one of K labels.
 * With scores s(y) of a sequence as in risk/sequences/chain.h, node scores u_t(k) = <w_k, x_t>, K x K transition
 * weights stored behind the w_k, and the true labels y,
 *
 *     m3n    l = max over y' of (rows where y' and y differ) + s(y') - s(y)
 *     crf    l = log sum over y' of exp(s(y')) - s(y) = -log p(y)
 *
 * The hinge m3n counts rows: l is at least the number of wrong labels. The mean is over sequences, not rows. Its
 * smoothed form uses the entropy over the K^length sequences,
 *
 *     l_mu = mu (log Z - length log K) - s(y),   l - mu length log K <= l_mu <= l,
 *
 * where Z and the probabilities are those of (s(y') + rows that differ)/mu. The gradient is E phi - phi(y), and
 * with the constant sum_t P(y'_t != y_t) it is a linearization of l itself. crf is smooth.
 *
 * The norm of a subgradient is at most sqrt(2) ((sum_t ||x_t||)^2 + (length - 1)^2)^(1/2), as each row and each
 * transition moves from one output to another. -<w, subgradient> is s(y) - s(y') <= length for m3n; for crf,
 * H(p) + log p(y) <= (1 - q) log((N - 1) q/(1 - q)) with q = p(y) and N = K^length (equality if all other sequences
 * are equally likely), whose maximum over q is Lambert's W((N - 1)/e).
 *
 * With offsets, u_t(k) = <w_k, x_t> + b_k; the b_k are the last weights and are not regularized
 * (sequence_offsets.h finds them); ||x_t||^2 is then larger by 1.
 *
 * Files: sequences.c (the risks), chain.h (inference: chain.c Viterbi, chain_scaled.c and chain_log.c
 * forward-backward, chain_lanes.h vectors), sequence_offsets.c (the offsets).
 *
 * References: Taskar, Guestrin & Koller 2003, NIPS 16 (m3n); Lafferty, McCallum & Pereira 2001, ICML (crf);
 * Zhang, Saha & Vishwanathan 2010, equations (45), (46); Smola, Vishwanathan & Le 2008, section 3.4.
 * Evaluation: O(rows K^2) in addition to the scores. */
#ifndef RRM_SEQUENCES_H
#define RRM_SEQUENCES_H

#include "risk/risk_table.h"

/* The number of transition weights, K x K. */
int64_t sequences_shared(int64_t labels);

/* NULL with the error set. */
struct risk *m3n_risk_new(const struct risk_settings *settings, struct error *e);
struct risk *crf_risk_new(const struct risk_settings *settings, struct error *e);

#endif
