/* anneal.h - epochs of doubling length whose step sizes fall to 0.
 *
 * Within an epoch of T steps, the size of step i (from 0) is multiplied by 1 - i/T, so that the iterate at
 * the end of the epoch has little noise. The next epoch starts from there and is twice as long: the number
 * of steps needed is not known in advance, and doubling costs a factor of 2 at most. Any decreasing
 * sequence of step sizes is a choice of the proximal terms tau_t >= 0 (Do, Le & Foo 2009, Corollary 1).
 * With the linear decrease the last iterate is as good as the best average (Zamani & Glineur 2023). */
#ifndef RRM_ANNEAL_H
#define RRM_ANNEAL_H

#include <stdbool.h>

struct anneal {
    double step, length; /* steps made in the present epoch, and its length in steps */
    double inverse;      /* 1/length */
    double left;         /* steps after the present epoch; may be infinite */
};

/* The first epoch has `first` steps. The last epoch is made longer so that it ends at `limit` steps. */
void anneal_init(struct anneal *anneal, double first, double limit);

/* The factor of the next step. */
static inline double anneal_factor(const struct anneal *anneal) {
    return 1 - anneal->step * anneal->inverse;
}

/* Counts a step; true when it was the last of its epoch (then the next epoch has begun). */
bool anneal_advance(struct anneal *anneal);

#endif
