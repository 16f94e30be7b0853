/* pairwise.h - the hinge over pairs of documents of a query. Items are queries q, runs of rows with one qid:
 *
 *     R(w) = mean over q of 1/|P_q| sum over (i,j) in P_q of max(0, 1 - <w, x_i - x_j>),
 *     P_q = { (i,j): documents of q, label_i > label_j },
 *
 * and its smoothed form, by risk/ranking/pairs.h. Labels are any numbers. A query without pairs (equal labels, one
 * document) has the loss 0 and counts in the mean, so that lambda does not depend on the number of queries with
 * pairs. A feature that is equal for all documents of a query has no effect: no constant feature.
 *
 * Reference: Herbrich, Graepel & Obermayer 2000; Joachims 2002, "Optimizing search engines using
 * clickthrough data". Evaluation: a pass, and O(l log l) for a query of l documents. */
#ifndef RRM_PAIRWISE_H
#define RRM_PAIRWISE_H

#include "risk/risk_table.h"

/* NULL with the error set. */
struct risk *pairwise_risk_new(const struct risk_settings *settings, struct error *e);

#endif
