/* ndcg.h - a convex bound of 1 - NDCG@K, a structured hinge over the permutations of a query's documents.
 * With grades g, gains G = 2^g - 1, discounts D_j = 1/log2(1 + j) for places j <= K and 0 beyond, weights
 * c_1 >= c_2 >= .. >= 0 of the places, and o the order by grade, for a query of documents x,
 *
 *     l(w) = max over pi of  1 - NDCG(pi) + sum_j c_j <w, x_pi(j)> - sum_j c_j <w, x_o(j)>,
 *     NDCG(pi) = sum_j D_j G_pi(j) / (the same of the best order o).
 *
 * The order of the scores maximizes sum_j c_j <w, x_pi(j)>, so that l(w) >= 1 - NDCG of it; the best order
 * shows l >= 0. The maximum is a linear assignment (math/assignment.h), and the subgradient
 * sum_j c_j (x_pi(j) - x_o(j)). R is the mean over queries; one without a document of positive gain has
 * the loss 0 and counts in the mean, as with pairwise.h. There is no smoothed form: the sum over all
 * permutations is a permanent.
 *
 * Chapelle, Le & Smola take any falling c. With c_j = 1/sqrt(j) (PLACES_ROOT) documents of one grade, most of
 * a query, are to stand as in the file, and on MQ2008 no w was better than 0 by 1 %. With the grades in falling
 * order as c (PLACES_GRADES, unless asked for the other) all orders by grade are alike: l is 0 once the scores
 * of the grades are far enough apart.
 *
 * Reference: Chapelle, Le & Smola 2007, "Large margin optimization of ranking measures", NIPS workshop on
 * machine learning for web search; Do, Le & Foo 2009, section 5.2. Evaluation: a pass, and for a query of l
 * documents a sort and an assignment, O(K l^2) at worst: with K and l in the thousands, as --at 6000 for a
 * query of 6000, half a minute a pass, and a signal or a limit of time is looked at between passes. */
#ifndef RRM_NDCG_H
#define RRM_NDCG_H

#include "risk/risk_table.h"

enum { NDCG_AT = 10 }; /* where --at is not given */

/* NULL with the error set. Labels are grades that ranking_check_grades takes. */
struct risk *ndcg_risk_new(const struct risk_settings *settings, struct error *e);

#endif
