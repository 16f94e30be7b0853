/* sequences.h - risks of sequences of labels: an item is a group of rows (qid), a row takes one of K labels.
 * With scores s(y) of a sequence as in risk/sequences/chain.h, node scores u_t(k) = <w_k, x_t> and K x K transitions
 * behind the vectors, and the true labels y,
 *
 *     m3n    l = max over y' of (rows where y' and y differ) + s(y') - s(y)
 *     crf    l = log sum over y' of exp(s(y')) - s(y) = -log p(y)
 *
 * The hinge counts rows: a loss of 3 is 3 wrong labels, or a sequence lost by as much; the mean is over
 * sequences, not rows. Its smoothed form is that of an entropy over the K^length sequences,
 *
 *     l_mu = mu (log Z - length log K) - s(y),   l - mu length log K <= l_mu <= l,
 *
 * with Z and probabilities of s(y') + (rows that differ), over mu. The gradient is E phi - phi(y), and with
 * the constant sum_t P(y'_t != y_t) it is a linearization of l itself. crf is smooth.
 *
 * Subgradients are at most sqrt(2) ((sum_t ||x_t||)^2 + (length - 1)^2)^(1/2) long: a row, and a transition,
 * moves from one output to another. -<w, subgradient> is s(y) - s(y') <= length for m3n; for crf,
 * H(p) + log p(y) <= (1 - q) log((N - 1) q/(1 - q)) with q = p(y) and N = K^length (all others alike), whose
 * maximum over q is Lambert's W((N - 1)/e).
 *
 * With an offset u_t(k) = <w_k, x_t> + b_k, the b_k last among the weights and not regularized
 * (sequence_offsets.h finds them); ||x_t||^2 then counts 1 more.
 *
 * References: Taskar, Guestrin & Koller 2003, NIPS 16 (m3n); Lafferty, McCallum & Pereira 2001, ICML (crf);
 * Zhang, Saha & Vishwanathan 2010, equations (45), (46); Smola, Vishwanathan & Le 2008, section 3.4.
 * Evaluation: O(rows K^2) beyond the products. */
#ifndef RRM_SEQUENCES_H
#define RRM_SEQUENCES_H

#include "risk/risk_table.h"

/* K x K, the transitions */
int64_t sequences_shared(int64_t labels);

/* NULL with the error set. */
struct risk *m3n_risk_new(const struct risk_settings *settings, struct error *e);
struct risk *crf_risk_new(const struct risk_settings *settings, struct error *e);

#endif
