/* metric_steps.h - the loop of online.h with steps in the metric of metric.h, for losses of single scores:
 *
 *     w <- w - eta_t M^-1 (mean over the batch of a subgradient),
 *
 * and the part of lambda every few steps (metric_fold). A step is at most 4 times as long as the one that would make
 * the linearized loss of the batch 0. The rule gets lengths in this metric: square is g'M^-1 g, the
 * argument of `after` is ||w||_M^2, and convexity is ||w||^2/||w||_M^2 of the last fold. Rules may return ONLINE_CHECK
 * and ONLINE_DONE alone. No average is kept. */
#ifndef RRM_METRIC_STEPS_H
#define RRM_METRIC_STEPS_H

#include "solvers/online/online.h"

int metric_train(const struct solve *solve, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct error *e);

#endif
