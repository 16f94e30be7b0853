/* lazy_oscillation.h - within lazy: the steps of a weight about 0 under the subgradient rule, many at once where lazy.h
 * has a closed form, else one by one. */
#ifndef RRM_LAZY_OSCILLATION_H
#define RRM_LAZY_OSCILLATION_H

#include "solvers/sparse/lazy_window.h"

/* A weight brought up to the present step, and the sum of its iterates since `since`. */
struct lazy_caught_up {
    double w, sum;
    int64_t single_steps; /* how many steps were made one by one */
};

/* v after the present step, from v after step t, just after its first crossing of 0; adds to the sum. */
double lazy_oscillate(const struct lazy_window *x, double v, int64_t t, struct lazy_caught_up *c);

/* Makes the steps from t to the present one, for which there is no closed form. If they are more than max_single_steps,
 * the first of them are left out, four at a time: they would leave v nearly as it is, at most a threshold from 0, and
 * their iterates nearly cancel. With a DRIFT there are no sums. */
double lazy_last_steps(const struct lazy_window *x, double v, double drift, int64_t t,
                       struct lazy_caught_up *c);

#endif
