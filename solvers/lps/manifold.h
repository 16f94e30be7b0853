/* manifold.h - since when the iterates of dual averaging have had the same sign pattern.
 *
 * With G = sum of the gradients of steps 1..t, component i of the iterate w_{t+1} is not 0 exactly if
 *
 *     |G_i| > l1 t,   and then has the sign of -G_i;   w_1 = 0.
 *
 * A component that no gradient touches dies by itself, at the first t with |G_i| <= l1 t: among those
 * the one of least |G_i| dies first. A heap holds the present nonzeros by a lower bound of |G_i|: |G_i|
 * itself when it fell, and an earlier one, corrected when its time comes, when it grew. A step costs
 * O(1 + log(nonzeros)) a touched component at most, and nothing for the others but their deaths.
 *
 * The rest of w (an offset) never counts: only the regularized components are told to this. */
#ifndef RRM_MANIFOLD_H
#define RRM_MANIFOLD_H

#include "io/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct manifold_death {
    double size; /* at most |G_i| */
    int64_t i;
};

struct manifold {
    int64_t n;
    double l1;
    double *sum;                 /* n: G */
    int8_t *sign;                /* n: of the last iterate */
    int64_t *place;              /* n: in the heap, from 1; 0: not there */
    struct manifold_death *heap; /* n, from heap[0]: the least first */
    int64_t alive;               /* size of the heap: the nonzeros */
    int64_t *touched;            /* n: since the last advance, each once */
    bool *listed;                /* n: who is in `touched` */
    int64_t touched_count;
    int64_t changed; /* the last step whose iterate w_{t+1} differs in pattern from w_t; 0: none */
};

/* n components, l1 >= 0. 0, or -1 with the error set; to be freed in either case. */
int manifold_init(struct manifold *manifold, int64_t n, double l1, struct error *e);
void manifold_free(struct manifold *manifold);

/* The watch begins with step t, all sums so far having been stored in sum[] and nothing else told: as
 * if w_{t+1} were the first iterate of its pattern. O(n log(nonzeros)) */
void manifold_begin(struct manifold *manifold, int64_t t);

/* The present step changed G_i, to `sum`; this may happen more than once in a step. */
void manifold_touch(struct manifold *manifold, int64_t i, double sum);

/* Step t (1, 2, ...) is complete: returns `changed`. */
int64_t manifold_advance(struct manifold *manifold, int64_t t);

/* Whether component i of w_{t+1} is not 0, given G_i. */
static inline bool manifold_alive(double sum, double l1, int64_t t) {
    return fabs(sum) > l1 * (double)t;
}

/* How many iterates up to w_{t+1} have its pattern, it among them. */
static inline int64_t manifold_settled(const struct manifold *manifold, int64_t t) {
    return t + 1 - manifold->changed;
}

#endif
