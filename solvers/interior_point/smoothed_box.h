/* smoothed_box.h - the losses with a box (loss_box of risk/loss.h), smoothed at their kinks.
 *
 * Each dual variable of a row (ipm_rows.h), with its box and r, adds
 *
 *     max over low <= a <= high of  a r - kappa a^2/2 - mu (a - middle)^2/2,
 *
 * which is quadratic where a is inside of the box, and linear beyond. With the middle of the box, and not 0, mu may be
 * 4 times as large for the same gap: a kink is as far from one end of its quadratic part as from the other. */
#ifndef RRM_SMOOTHED_BOX_H
#define RRM_SMOOTHED_BOX_H

#include "risk/risk.h"

struct smoothed_box {
    const struct scalar_terms *terms; /* NULL: the losses are smooth by themselves */
    struct loss_box box;
    double kappa, mu;
};

void smoothed_box_init(struct smoothed_box *smoothed, const struct scalar_terms *terms);

/* Sets mu such that at the minimizer of the smoothed J, if its scores are U, the gap that is left is at most GAP, in
 * units of the weights: the sum over all rows of c (l(u) + l*(a) - a u), a = l_mu'(u). Begins with mu as it is; 0: with
 * any. Some sweeps over the rows, the same in all processes. */
void smoothed_box_choose(struct smoothed_box *smoothed, const double *u, double gap);

/* Sums over the rows of a block, in units of the weights. */
struct smoothed_sums {
    double loss;  /* c l */
    double value; /* c l_mu, but for a constant */
    double slope; /* c l_mu' du */
    double gap;   /* c (l(u) + l*(a) - a u) */
};

/* Sum: gap. */
void smoothed_box_gap(const struct smoothed_box *smoothed, int block, const double *u,
                      struct smoothed_sums *sums);

/* Derivatives of l_mu by u into A, and second ones into SECOND. Sum: loss. */
void smoothed_box_derivatives(const struct smoothed_box *smoothed, int block, const double *u,
                              double *a, double *second, struct smoothed_sums *sums);

/* At the scores u + STEP du. Sums: value, slope. */
void smoothed_box_along(const struct smoothed_box *smoothed, int block, const double *u,
                        double step, const double *du, struct smoothed_sums *sums);

#endif
