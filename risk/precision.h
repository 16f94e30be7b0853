/* precision.h - precision at k, and the precision/recall breakeven point: risks of multivariate.h where
 * exactly k labels y' are positive, Delta = c/k the share of them that are wrong. For the breakeven point
 * k = n_+, where precision and recall are one number.
 *
 *     R(w) = max over 0 <= z <= 1, sum_false z - sum_missed z = k - n_+  of  sum_i z_i (e_i + [y_i = -1]/k),
 *
 * whose corners are the y': missed b and false c = k - n_+ + b, each the largest gains; a sort. The
 * correct labels are among the y' for k = n_+ alone: with any other k R may fall below 0.
 *
 *     R_mu(w) = max of the same less mu s/2 ||z||^2,   s such that D = max s/2 ||z||^2 = 1:
 *
 * a diagonal quadratic over a box and a plane, in linear time (math/box_plane.h). Any z there is a mean of
 * corners: t = sum_false z/k.
 *
 * References: Joachims 2005, "A support vector method for multivariate performance measures", ICML,
 * section 4.2; Zhang, Saha & Vishwanathan 2010, (44), (53), Algorithm 8. */
#ifndef RRM_PRECISION_H
#define RRM_PRECISION_H

#include "risk/risk_table.h"

/* k = settings->at; 0: n_+. */
struct risk *precision_risk_new(const struct risk_settings *settings, struct error *e);

/* k = n_+ */
struct risk *prbep_risk_new(const struct risk_settings *settings, struct error *e);

#endif
