/* gamma.h - a step size for sgd, tg, fobos and rda from a few runs over a sample of the rows.
 *
 * Their steps are in proportion to 1/gamma; the best bound of their regret has gamma = G/D with the
 * length G of a gradient and the distance D of the optimum (Xiao 2010, section 3; Lee 2011, section
 * 2.6.2, who finds gamma by cross-validation and single passes). At w = 0 both can be seen: G is the
 * mean length of the items' gradients, over the weights or, if that is more, the offset, and D is at
 * least about R(0)/G, what it takes to get rid of the loss along a gradient. The search starts at this
 *
 *     gamma_0 = G^2/R(0)
 *
 * which follows the scale of the data and of the targets. With gamma J goes to R(0), where w = 0: while
 * it is infinite or clearly above that, the search goes up by 8 once and then by 64; from there, or else
 * from gamma_0, by factors of 8 as long as J falls, then by two halvings of that factor to both sides of
 * the best: GAMMA_TRIALS in all. The offset's steps bound gamma below: where the features are small
 * beside 1, weights grow slowly with it, and scaled data are better.
 * Cost: so many passes over at most some thousand rows; and with each, to begin and to end a run and
 * for J, about ten times the dimension, which on wide data is the greater part.
 *
 * Measured for rda, one pass, logistic loss with an offset, lambda/lambda_max = 0.3, 0.03, 0.003 on a9a,
 * w8a, reuters21578, spambase, mnist 6 vs 7: J at most 1.5 % above that of the best gamma, but 3 % at
 * the least lambda of w8a and mnist; after 5 passes, for which half of it is often better, 2 % (8 %). */
#ifndef RRM_GAMMA_H
#define RRM_GAMMA_H

#include "solvers/solver.h"

enum { GAMMA_TRIALS = 10 };

/* J after a run with gamma, on a sample; what is not finite counts as infinite. False: there was no time
 * or no memory for a run, and the search is over. */
typedef bool gamma_trial(void *opaque, const struct problem *sample, double gamma,
                         double *objective);

/* The gamma of the lowest J; of equal ones the first that was tried, gamma_0 if it is among them; the
 * largest that was tried where every J is infinite or clearly above R(0). The sample are random rows of
 * positive weight, without replacement, at least 16 and else as many as 4096, 131072 nonzeros or `part` of
 * all (1: all) allow; the problem itself when it is no larger, or its risk not `scalar`. gamma_0 where there was no time for
 * a run; 1 where G or R(0) is 0, too, or beyond all numbers. 0 with the error set when memory is short. */
double gamma_search(const struct problem *problem, double part, uint64_t seed, gamma_trial *trial,
                    void *opaque, struct error *e);

#endif
