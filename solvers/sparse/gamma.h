/* gamma.h - a step size for sgd, tg, fobos and rda, found by a few short runs over a sample of the rows.
 *
 * Their steps are proportional to 1/gamma. The bound of their regret is smallest for gamma = G/D, where G
 * is the length of a gradient and D the distance of the optimum from the start (Xiao 2010, section 3; Lee
 * 2011, section 2.6.2, who chooses gamma by cross-validation and single passes). Both can be estimated at
 * w = 0. G is the mean length of the items' gradients (over the weights or over the offset, whichever is
 * longer). D is about R(0)/G at least: so far along a gradient the loss may become 0. So the search starts
 * at
 *
 *     gamma_0 = G^2/R(0)
 *
 * which follows the scale of the data and of the targets. For large gamma the run ends near w = 0, and J
 * tends to R(0). The search has GAMMA_TRIALS runs at most:
 *
 *   1. While J is infinite or clearly above R(0), gamma grows: once by a factor of 8, then by 64.
 *   2. gamma changes by factors of 8 as long as J falls.
 *   3. Both neighbours of the best gamma are tried at the factors sqrt 8 and sqrt sqrt 8.
 *
 * The offset's steps depend on gamma, too, and bound it below. Where the features are small beside 1, the
 * weights then grow slowly; scale such data.
 * A run makes as many passes as the run that gamma is for, at most 20 (sparse.c), for rda+ one: with fewer, the steps
 * that are best are others. Cost: GAMMA_TRIALS times these passes over a few thousand rows, and for each run about ten
 * times the dimension, to begin, to end and to evaluate J. -p does not count them; -t does. */
#ifndef RRM_GAMMA_H
#define RRM_GAMMA_H

#include "solvers/solver.h"

enum { GAMMA_TRIALS = 10 };

/* Runs the solver with gamma on a sample and writes J at the end; a J that is not finite counts as
 * infinite. False: there was no time or no memory for a run, and the search ends. */
typedef bool gamma_trial(void *opaque, const struct problem *sample, double gamma,
                         double *objective);

/* Returns the gamma of the lowest J; of equal ones the first that was tried. Where every J is infinite or
 * clearly above R(0), the largest gamma that was tried. gamma_0 where there was no time for a run; 1 where
 * gamma_0 is not a positive finite number. 0 with the error set when memory is short.
 *
 * A gamma found on m of the n rows is multiplied by (n/m)^growth.
 *
 * The sample consists of random rows of positive weight, without replacement: at most 4096 rows, 131072
 * nonzeros and this fraction of all rows (1: all), but at least 16 rows. The whole problem is used when it
 * has at most twice the rows that these numbers allow and the fraction is 1, or when its risk has no scores
 * (risk->scalar is NULL). A few rows with large values decide how long steps may be: where the others alone
 * were the sample, too small a gamma was found. */
double gamma_search(const struct problem *problem, double fraction, uint64_t seed, double growth,
                    gamma_trial *trial, void *opaque, struct error *e);

#endif
