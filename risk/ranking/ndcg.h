/* ndcg.h - a convex bound of 1 - NDCG@K, a structured hinge over the permutations of a query's documents.
 * With grades g, gains G = 2^g - 1, discounts D_j = 1/log2(1 + j) for positions j <= K and 0 beyond, weights
 * c_1 >= c_2 >= .. >= 0 of the positions, and o the order by grade, for a query of documents x,
 *
 *     l(w) = max over pi of  1 - NDCG(pi) + sum_j c_j <w, x_pi(j)> - sum_j c_j <w, x_o(j)>,
 *     NDCG(pi) = sum_j D_j G_pi(j) / (the same of the best order o).
 *
 * The order of the scores maximizes sum_j c_j <w, x_pi(j)>, so l(w) >= 1 - NDCG of that order; with pi = o, l >= 0.
 * The maximum is a linear assignment problem (math/assignment.h), and the subgradient is
 * sum_j c_j (x_pi(j) - x_o(j)). R is the mean over queries; a query without a document of positive gain has the
 * loss 0 and counts in the mean, as in pairwise.h. There is no smoothed form: the sum over all permutations would
 * be a permanent.
 *
 * Chapelle, Le & Smola allow any falling c. With c_j = 1/sqrt(j) (PLACES_ROOT) the loss demands that documents of
 * equal grade, the majority of a query, keep the order of the file; on MQ2008 no w improved on w = 0 by 1 %. The
 * default, PLACES_GRADES, takes the grades in falling order as c: all orders by grade are equivalent, and l is 0
 * once the scores of the grades are far enough apart.
 *
 * Reference: Chapelle, Le & Smola 2007, "Large margin optimization of ranking measures", NIPS workshop on
 * machine learning for web search; Do, Le & Foo 2009, section 5.2. Evaluation: a pass, and for a query of l
 * documents a sort and an assignment, O(K l^2) in the worst case: --at 6000 for a query of 6000 documents takes
 * half a minute. */
#ifndef RRM_NDCG_H
#define RRM_NDCG_H

#include "risk/risk_table.h"

enum { NDCG_AT = 10 }; /* the default of --at */

/* NULL with the error set. Labels are grades that ranking_check_grades takes. */
struct risk *ndcg_risk_new(const struct risk_settings *settings, struct error *e);

#endif
