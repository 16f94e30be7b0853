/* chain.h - inference on chains: a sequence of rows, each of which takes one of K labels, scored by
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
 * one of two ways, row by row of a sequence the same numbers up to rounding:
 *
 * near - scaled. With psi_t(k) = exp((u_t(k) - max u_t)/mu) and E = exp((T - max T)/mu), made once for all
 *     sequences, alpha_t = psi_t E'alpha_(t-1)/c_t, sum alpha_t = 1, log Z the sum of the logs of what was
 *     divided out; back from the end, beta_(t-1) = E (psi_t beta_t/c_t). O(length K^2) products, K
 *     exponentials a row. It is taken where u_t's range and T's, over mu, are together at most CHAIN_RANGE for
 *     all t: all numbers of alpha and beta are then within exp(CHAIN_RANGE) K of each other, so that
 *     nothing that counts is lost.
 * far - in logs, for all else (temperatures near 0, for one), and by the labels that count: a row's label of
 *     which even the best sequence (max-sum, both ways) is more than mu (40 + log K^length) below the best of all
 *     has no probability that could be seen. For the others eta_t(a) = mu log of the sum over the rows after
 *     t; given the label a at t, the next is b with probability exp((T(a,b) + u(b) + eta(b) - eta_t(a))/mu):
 *     the labels are a Markov chain, whose probabilities follow from the first row on. O(length K^2) additions
 *     and comparisons, and an exponential or two for each pair of labels that count.
 *
 * References: Lafferty, McCallum & Pereira 2001, ICML; Taskar, Guestrin & Koller 2003, NIPS 16; Smola,
 * Vishwanathan & Le 2008, section 3.4. */
#ifndef RRM_CHAIN_H
#define RRM_CHAIN_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* exp(+-600) times any reasonable K^2 is a normal number. */
#define CHAIN_RANGE 600.0

/* Transitions and what is made of them for a temperature. Matrices have `stride` numbers a row, those
 * beyond K are 0. */
struct chain {
    int64_t labels, stride;
    double mu;         /* 0: for chain_best alone */
    double top, range; /* of T: the largest, and the difference to the smallest, over mu */
    double *to;        /* T by the label before */
    double *from;      /* T by the label after */
    double *weight_to; /* exp((T - top)/mu), likewise */
    double *weight_from;
};

/* Room for K labels; 0, or -1 with the error set. To be freed in either case. */
int chain_init(struct chain *chain, int64_t labels, struct error *e);
void chain_free(struct chain *chain);

/* Takes the K x K numbers TRANSITION, at temperature mu. */
void chain_set(struct chain *chain, const double *transition, double mu);

/* Bytes of scratch memory for sequences of at most LENGTH rows. */
size_t chain_work_bytes(int64_t labels, int64_t length);

/* *best = max_y s(y), and its labels. */
void chain_best(const struct chain *chain, const double *node, int64_t length, int32_t *label,
                double *best, void *work);

/* mu log Z. With MARGINAL (length x K) not NULL it receives the probabilities of the labels, and EDGE
 * (K x K) has the expected numbers of transitions added. */
double chain_sum(const struct chain *chain, const double *node, int64_t length, double *marginal,
                 double *edge, void *work);

/* The two ways, which tests compare, with the value in *value; chain_scaled tells whether the first can be
 * taken. */
bool chain_scaled(const struct chain *chain, const double *node, int64_t length);
void chain_sum_near(const struct chain *chain, const double *node, int64_t length, double *marginal,
                    double *edge, double *value, void *work);
void chain_sum_far(const struct chain *chain, const double *node, int64_t length, double *marginal,
                   double *edge, double *value, void *work);

#endif
