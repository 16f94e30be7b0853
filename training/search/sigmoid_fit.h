/* sigmoid_fit.h - Platt's sigmoid: probabilities of two classes from scores. */
#ifndef RRM_SIGMOID_FIT_H
#define RRM_SIGMOID_FIT_H

#include <stdint.h>

/* sigmoid[0], sigmoid[1] = A, B of 1 / (1 + exp(A u + B)), the probability that an example with the score u is
 * positive. They minimize the cross entropy to the targets (N+ + 1)/(N+ + 2) of the positive and 1/(N- + 2) of the
 * negative examples. SCORE, TARGET (above 0: positive): COUNT numbers; scores that do not come from the examples' own
 * training. Platt (2000); Newton's method with backtracking and the constants of Lin, Lin & Weng (2007), appendix C,
 * which are LIBSVM's. */
void sigmoid_fit(const double *score, const double *target, int64_t count, double sigmoid[2]);

#endif
