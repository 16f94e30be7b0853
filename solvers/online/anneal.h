/* anneal.h - epochs of doubling length whose step sizes fall to 0.
 *
 * Within an epoch of T steps, step i (from 0) is multiplied by 1 - i/T, so that the iterate at the
 * end of the epoch carries no noise of the last steps; the next epoch starts from there and is
 * twice as long, so at most a factor 2 is lost for not knowing how many steps will be needed. Any
 * falling sequence of steps is a choice of the proximal terms tau_t >= 0 (Do, Le & Foo 2009,
 * Corollary 1). The linear fall makes the last iterate as good as the best average (Zamani &
 * Glineur 2023). */
#ifndef RRM_ANNEAL_H
#define RRM_ANNEAL_H

#include <stdbool.h>

struct anneal {
    double step, length; /* within the present epoch, in steps */
    double inverse;      /* 1/length */
    double left;         /* steps after the present epoch; may be infinite */
};

/* The first epoch is `first` steps long; all end at `limit` steps, to which the last is stretched.
 */
void anneal_init(struct anneal *anneal, double first, double limit);

/* The factor of the next step. */
static inline double anneal_factor(const struct anneal *anneal) {
    return 1 - anneal->step * anneal->inverse;
}

/* Counts a step; true when it was the last of its epoch (then the next epoch has begun). */
bool anneal_advance(struct anneal *anneal);

#endif
