/* precision.h - precision at k, and the precision/recall breakeven point: risks of multivariate.h with exactly k
 * positive labels in y'; Delta = c/k, the fraction of false positives among them. The breakeven point is k = n_+,
 * where precision equals recall. A label vector y' with b missed positives has c = k - n_+ + b false positives.
 *
 * k < n_+: any k positives at the top of the ranking are correct. So y' is compared with the mean of the positives
 * that it misses, not with their sum:
 *
 *     R(w) = max over y' of  c/k (1 + mean of <w,x> over the c false ones - mean over the b missed positives)
 *          = max over y' of  c/k + 1/k sum_false <w,x_i> - 1/k sum_missed c/b <w,x_i>,
 *
 * the avg surrogate of Kar et al. divided by k: convex, at least 1 - precision at k, and 0 if the mean score of
 * the n_+ - k + 1 lowest positives exceeds all negatives by 1. For each c the maximum takes the highest negatives
 * and the lowest positives, found by a sort. There is no smoothed form: it would need means of all (y', c/b).
 *
 * k >= n_+:
 *
 *     V(w) = max over 0 <= z <= 1, sum_false z - sum_missed z = k - n_+  of  sum_i z_i (e_i + [y_i = -1]/k),
 *
 * whose vertices are the y'; the maximum takes the largest gains, found by a sort. The correct labels are among the
 * y' only for k = n_+; so R = max(V, 0). With k > n_+, V falls if all scores rise together, so a constant feature
 * (-B) does harm.
 *
 *     V_mu(w) = max of the same less mu s/2 ||z||^2,   s such that max s/2 ||z||^2 = 1:
 *
 * a diagonal quadratic over a box and a plane, in linear time (math/projections/box_plane.h). R_mu = V_mu and D = 1 for
 * k = n_+; else R_mu = max over 0 <= a <= 1 of a V_mu - mu a^2/2 and D = 3/2. Any such z is a mean of vertices,
 * with mean Delta t = a sum_false z/k.
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
