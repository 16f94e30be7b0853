/* smoothed_box.h - the losses with a box (loss_box of risk/loss.h), smoothed at their kinks.
 *
 * Each dual variable of a row (ipm_rows.h), with its box and r, adds
 *
 *     max over low <= a <= high of  a r - kappa a^2/2 - mu (a - middle)^2/2,
 *
 * which is quadratic where a is inside the box, and linear beyond. The middle of the box makes its w as good on one
 * side of a kink as on the other, so that mu may be 4 times as large as with a^2, at the same gap. */
#ifndef RRM_SMOOTHED_BOX_H
#define RRM_SMOOTHED_BOX_H

#include "risk/risk.h"

struct smoothed_box {
    const struct scalar_parts *parts;
    struct loss_box box; /* for classification, of the label -1: then t (u - y) = 1 - y u */
    double kappa, mu;
};

void smoothed_box_init(struct smoothed_box *smoothed, const struct scalar_parts *parts);

/* The smoothed loss of a row of target Y at the score U, but for a constant; its derivative in *a, and in *second its second
 * derivative (NULL: not needed). */
double smoothed_box_value(const struct smoothed_box *smoothed, double y, double u, double *a,
                          double *second);

/* Sets mu such that the dual variables of the scores U prove w to within GAP, times the sum of the weights, once w is
 * the minimizer of the smoothed J; the rows of this process and of all others. MU of before is where it begins; 0:
 * there is none. */
void smoothed_box_choose(struct smoothed_box *smoothed, const double *u, double gap);

#endif
