/* entropy.h - entropies relative to the uniform distribution, and the logarithm of a mean that is their
 * conjugate, with digits that last where both are near 0: what is divided by a small number, or multiplied
 * by a large one, keeps them. */
#ifndef RRM_ENTROPY_H
#define RRM_ENTROPY_H

#include <math.h>

/* phi(x) = (1 + x) log(1 + x) - x: sum p_i log(n p_i) is the mean of phi(n p_i - 1), as sum p = 1. No term
 * is negative, and a sum that misses 1 by rounding counts by its square. */
static inline double entropy_term(double x) {
    return x > -1 ? (1 + x) * log1p(x) - x : 1;
}

/* The logarithm of mean exp(x_i) <= 1, of which `less` is mean (exp(x_i) - 1). */
static inline double entropy_log_mean(double mean, double less) {
    static const double half = 0.5;
    return mean > half ? log1p(less) : log(mean);
}

#endif
