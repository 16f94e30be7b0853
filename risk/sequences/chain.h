/* chain.h - inference on chains: a sequence of rows, each with one of K labels, has the score
 *
 *     s(y) = sum_t u_t(y_t) + sum_(t > 0) T(y_(t-1), y_t),
 *
 * node scores u, length x K, and transitions T, K x K by the label before and the label after.
 *
 * chain_best: max_y s(y) and its labels (Viterbi 1967), O(length K^2) additions and comparisons. Of equal
 * sequences the one whose last label is the smallest, then the label before it, and so on.
 *
 * chain_sum: mu log Z = mu log sum_y exp(s(y)/mu), the probabilities of labels, and the expected number of
 * each transition, by forward-backward (Baum, Petrie, Soules & Weiss 1970; Rabiner 1989, section V.A), in
 * one of two ways, with the same results up to rounding:
 *
 * chain_sum_scaled (Rabiner's scaling). With psi_t(k) = exp((u_t(k) - max u_t)/mu), and
 *     E = exp((T - max T)/mu) computed once for all sequences, alpha_t = psi_t E'alpha_(t-1)/c_t,
 *     sum alpha_t = 1, log Z is the sum of the logs of the scales; backwards, beta_(t-1) = E (psi_t beta_t/c_t).
 *     O(length K^2) products, K exponentials a row. It is used if
 *     the range of u_t plus that of T, divided by mu, is at most CHAIN_RANGE for all t: then all numbers of alpha
 *     and beta are within a factor exp(CHAIN_RANGE) K of each other, and none underflows.
 * chain_sum_log (in logs), otherwise, as for mu near 0. It drops the labels of a row whose best sequence (max-sum,
 *     forwards and backwards) is more than mu (40 + log K^length) below the best of all: their probability is below
 *     rounding. For the others eta_t(a) = mu log of the sum over the rows after t; given the label a at t, the next
 *     is b with probability exp((T(a,b) + u(b) + eta(b) - eta_t(a))/mu): the labels are a Markov chain, whose
 *     probabilities follow from the first row on. O(length K^2) additions and comparisons, and one or two
 *     exponentials for each pair of remaining labels.
 *
 * References: Lafferty, McCallum & Pereira 2001, ICML; Taskar, Guestrin & Koller 2003, NIPS 16; Smola,
 * Vishwanathan & Le 2008, section 3.4. */
#ifndef RRM_CHAIN_H
#define RRM_CHAIN_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* exp(+-600) times any possible K^2 is a normal number. */
#define CHAIN_RANGE 600.0

/* Transitions and their exponentials for a temperature. Matrices have `stride` numbers a row, those beyond K
 * are 0. */
struct chain {
    int64_t labels, stride;
    double mu;           /* the temperature; 0: only chain_best may be called */
    double top, range;   /* max T; (max T - min T)/mu */
    double *to;          /* T; a row for each previous label */
    double *from;        /* T'; a row for each next label */
    double *weight_to;   /* exp((T - top)/mu) */
    double *weight_from; /* its transpose */
};

/* Allocates for K labels; 0, or -1 with the error set. To be freed in either case. */
int chain_init(struct chain *chain, int64_t labels, struct error *e);
void chain_free(struct chain *chain);

/* Sets T to the K x K numbers TRANSITION, at temperature mu. */
void chain_set(struct chain *chain, const double *transition, double mu);

/* Bytes of scratch memory for sequences of at most LENGTH rows. */
size_t chain_work_bytes(int64_t labels, int64_t length);

/* *best = max_y s(y), and its labels. */
void chain_best(const struct chain *chain, const double *node, int64_t length, int32_t *label,
                double *best, void *work);

/* Returns mu log Z. If MARGINAL (length x K) is not NULL, it receives the probabilities of the labels, and the
 * expected numbers of transitions are added to EDGE (K x K). */
double chain_sum(const struct chain *chain, const double *node, int64_t length, double *marginal,
                 double *edge, void *work);

/* The two ways, with mu log Z in *value; chain_can_scale tells whether the first is accurate. */
bool chain_can_scale(const struct chain *chain, const double *node, int64_t length);
void chain_sum_scaled(const struct chain *chain, const double *node, int64_t length,
                      double *marginal, double *edge, double *value, void *work);
void chain_sum_log(const struct chain *chain, const double *node, int64_t length, double *marginal,
                   double *edge, double *value, void *work);

#endif
