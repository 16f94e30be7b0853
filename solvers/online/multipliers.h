/* multipliers.h - the proximal method of multipliers, by dual coordinates, in the metric M of metric.h. The outer steps
 *
 *     w <- argmin lambda/2 ||u||^2 + R(u) + kappa/2 ||u - w||_M^2
 *
 * are made in the dual. With a_i a dual variable of example i, in the domain of the conjugate l*(., y_i),
 *
 *     H w = kappa M z - sum_i p_i a_i x_i,   H = kappa M + lambda I,   z the last w,
 *
 * holds throughout, and a step on a_i is exact, as in dual coordinate ascent:
 *
 *     a_i <- argmax a v - l*(a, y_i) - mu a^2/2,   mu = p_i x_i'H^-1 x_i,   v = <w, x_i> + mu a_i.
 *
 * A sweep steps through the examples in a random order; then z moves to w, and the a_i stay. The outer step has the
 * curvature kappa M even if lambda is small: with lambda alone such steps need passes in proportion to 1/lambda.
 * Examples that keep their a_i, as those far from the margin do, are left out of the next 2, 4, 8, 16 sweeps. Such
 * a visit is not made and not counted: a pass is as many visits as there are examples.
 *
 * With a penalty l1 ||u||_1 beside that of lambda M is a diagonal, and the equation holds for v in the place of w, of
 * which metric.h makes w by soft thresholds. As these do not lengthen a difference, the step on a_i, which takes w to
 * move as v does, still does not lower the dual objective.
 *
 * kappa M has no unit but that of the losses: kappa = c (1 + sum_j sqrt q_j)/(rows R/s) at first, with the symbols of
 * metric.h, where M includes lambda/kappa in the place of lambda R/s. c is 0.1; where there are more features than
 * examples, which a plane mostly separates, 3e-5 for classes, with which the first sweeps are nearly those of lambda
 * alone, and 0.03 for numbers (0.1 with l1). Then kappa is doubled or halved by what the sweeps show (next_kappa), as
 * the penalty of the method of multipliers is by its residuals.
 *
 * In regression on dense data with twice as many features as examples these nearly fit, their dual variables end near
 * 0, and outer steps that keep them go too far with any kappa. There the sweeps are those of lambda alone, and outer
 * steps move the offset and the mean score (METRIC_OFFSET). 100 Gaussian rows of 500 features, targets of size 3,
 * offset, squared, lambda 1e-4: 3e5 % above the optimum after 20 passes with the other metric, 1e-4 % with this one.
 * Strongly correlated features are the exception: 10 Gaussian factors and noise of 0.3 in 300 features, 80 rows.
 *
 * Where J still changes by 1 % from check to check, the run ends with the best combination of w and its averages
 * (averages.h), as is the w of a check that may end the run. The visits of the examples that decide on it are counted.
 * With l1 there are none: a combination of sparse points is not sparse. On data with more features than examples z also
 * rests before that, for the last pass or tenth of the run: news20, lambda 1e-5, 10 passes, median of 20 seeds 3.1 %
 * above the optimum, 3.9 % without.
 *
 * References: Rockafellar 1976, *Augmented Lagrangians and applications of the proximal point algorithm*;
 * Shalev-Shwartz & Zhang 2013, *Stochastic dual coordinate ascent*. Step: O(nonzeros of the example); sweep:
 * O(columns + rows). */
#ifndef RRM_MULTIPLIERS_H
#define RRM_MULTIPLIERS_H

#include "solvers/online/online.h"

/* Whether the problem is one of single scores, with all rows in memory. */
bool multipliers_takes(const struct problem *problem);

/* Whether outer steps move the offset and the mean score alone: in regression on dense data with twice as many features
 * as examples. Of problems that multipliers_takes. */
bool multipliers_moves_offset(const struct problem *problem);

/* Runs it; of the rule it uses `checked`, as the loop of metric_steps.h does. w: as in struct solver. 0, or
 * -1 with the error set. */
int multipliers_train(const struct solve *solve, const struct online_rule *rule, void *state,
                      struct error *e);

#endif
