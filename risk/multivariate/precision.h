/* precision.h - precision at k, and the precision/recall breakeven point: risks of multivariate.h where
 * exactly k labels y' are positive, Delta = c/k the share of them that are wrong. For the breakeven point
 * k = n_+, where precision and recall are one number. A label vector y' misses b positives and has c = k -
 * n_+ + b false ones.
 *
 * k < n_+: any k positives that stand first are right, so y' competes with the mean of the positives that it
 * misses, not with all of them:
 *
 *     R(w) = max over y' of  c/k (1 + mean of <w,x> over the c false ones - mean over the b missed positives)
 *          = max over y' of  c/k + 1/k sum_false <w,x_i> - 1/k sum_missed c/b <w,x_i>,
 *
 * the avg surrogate of Kar et al. divided by k: convex, at least 1 - precision at k, and 0 where the mean of
 * the n_+ - k + 1 least positives is 1 above all negatives. For each c the largest false ones and the least
 * positives are the worst; a sort. A smoothed form would need means of all the (y', c/b): there is none.
 *
 * k >= n_+:
 *
 *     V(w) = max over 0 <= z <= 1, sum_false z - sum_missed z = k - n_+  of  sum_i z_i (e_i + [y_i = -1]/k),
 *
 * whose corners are the y': each the largest gains; a sort. The correct labels are among them for k = n_+
 * alone; R = max(V, 0), as with a slack >= 0. With k > n_+ that slack can be bought by the height of all
 * scores, so that a constant feature (-B) does harm.
 *
 *     V_mu(w) = max of the same less mu s/2 ||z||^2,   s such that max s/2 ||z||^2 = 1:
 *
 * a diagonal quadratic over a box and a plane, in linear time (math/box_plane.h). R_mu = V_mu and D = 1 for
 * k = n_+; else R_mu = max over 0 <= a <= 1 of a V_mu - mu a^2/2 and D = 3/2. Any z there is a mean of
 * corners: t = a sum_false z/k.
 *
 * References: Joachims 2005, "A support vector method for multivariate performance measures", ICML,
 * section 4.2; Zhang, Saha & Vishwanathan 2010, (44), (53), Algorithm 8; Kar, Narasimhan & Jain 2015,
 * "Surrogate functions for maximizing precision at the top", ICML, l^avg. */
#ifndef RRM_PRECISION_H
#define RRM_PRECISION_H

#include "risk/risk_table.h"

/* k = settings->at; 0: n_+. */
struct risk *precision_risk_new(const struct risk_settings *settings, struct error *e);

/* k = n_+ */
struct risk *prbep_risk_new(const struct risk_settings *settings, struct error *e);

#endif
