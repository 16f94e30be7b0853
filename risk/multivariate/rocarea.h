/* rocarea.h - the hinge over all pairs of a positive and a negative example, the area over the ROC curve
 * bounded from above:
 *
 *     R(w) = 1/(n+ n-) sum over y_i = +1, y_j = -1 of max(0, 1 - <w, x_i - x_j>),
 *
 * and its smoothed form, by risk/ranking/pairs.h. It is no sum over examples. A constant feature or an offset would
 * not change it, so it has none.
 *
 * Reference: Joachims 2005, "A support vector method for multivariate performance measures", section 4.3;
 * Zhang, Saha & Vishwanathan 2010, example 4. Evaluation: a pass, and a sort of the rows. */
#ifndef RRM_ROCAREA_H
#define RRM_ROCAREA_H

#include "risk/risk_table.h"

/* NULL with the error set. Examples of one weight only. */
struct risk *rocarea_risk_new(const struct risk_settings *settings, struct error *e);

#endif
