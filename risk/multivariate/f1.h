/* f1.h - the risk of the F1 score (multivariate.h): Delta is 1 - F1,
 *
 *     R(w) = max over b, c of  (b + c)/(2 n_+ - b + c) + the b largest gains of positives + the c of negatives.
 *
 * For each b the sum is concave in c, and the best c falls as b grows: a sort and O(m) steps, see f1_peak.h.
 *
 *     R_mu(w) = mu log( 2^-m sum over z of exp((Delta(z) + sum_i z_i e_i)/mu) ),   D = m log 2,
 *
 * from the sums over all z with b and c flips (subset_sums.h). The constant of the linearization is the
 * mean of Delta under these weights.
 *
 * References: Joachims 2005, "A support vector method for multivariate performance measures", ICML,
 * section 4.2; Zhang, Saha & Vishwanathan 2010, (43), section 5.4, Algorithms 5 and 6. */
#ifndef RRM_F1_H
#define RRM_F1_H

#include "risk/risk_table.h"

struct risk *f1_risk_new(const struct risk_settings *settings, struct error *e);

#endif
