/* manifold.h - since when the iterates of dual averaging have had the same sign pattern.
 *
 * With G the sum of the gradients of steps 1..t, component i of the iterate w_{t+1} is nonzero exactly if
 *
 *     |G_i| > l1 t,   and then has the sign of -G_i;   w_1 = 0.
 *
 * A component that no gradient touches becomes 0 at the first t with |G_i| <= l1 t; the one of least |G_i|
 * does so first. A heap has the present nonzero components, ordered by a lower bound of |G_i|. When |G_i|
 * falls, the bound becomes |G_i|. When it grows, the old bound stays until it reaches the top of the heap,
 * and is corrected there. A step costs at most O(1 + log(nonzeros)) for each component it touches, and
 * nothing for the others except when they become 0.
 *
 * Only the regularized components are passed to these functions; an offset has no part in the pattern. */
#ifndef RRM_MANIFOLD_H
#define RRM_MANIFOLD_H

#include "io/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

struct manifold_entry {
    double size; /* lower bound of |G_i| */
    int64_t i;
};

struct manifold {
    int64_t n;
    double l1;
    double *sum;                 /* n: G */
    int8_t *sign;                /* n: of the last iterate */
    int64_t *heap_index;         /* n: the component's index in the heap, from 1; 0: not in it */
    struct manifold_entry *heap; /* n: a heap from heap[0], the least size first */
    int64_t nonzeros;            /* entries of the heap: the nonzero components */
    int64_t *touched;            /* n: components changed since the last advance, each once */
    bool *is_touched;            /* n: whether a component is in `touched` */
    int64_t touched_count;
    int64_t last_change; /* the last step t with w_{t+1} of another pattern than w_t; 0: none */
};

/* n components, l1 >= 0. 0, or -1 with the error set; to be freed in either case. */
int manifold_init(struct manifold *manifold, int64_t n, double l1, struct error *e);
void manifold_free(struct manifold *manifold);

/* Begins with step t: w_{t+1} counts as the first iterate of its pattern. The caller has stored the sums in
 * sum[] and has called no other function since manifold_init. O(n log(nonzeros)) */
void manifold_begin(struct manifold *manifold, int64_t t);

/* The present step changed G_i, to `sum`; this may happen more than once in a step. */
void manifold_touch(struct manifold *manifold, int64_t i, double sum);

/* Ends step t (1, 2, ...): updates the pattern; returns `last_change`. */
int64_t manifold_advance(struct manifold *manifold, int64_t t);

/* Whether component i of w_{t+1} is nonzero, given G_i. */
static inline bool manifold_is_nonzero(double sum, double l1, int64_t t) {
    return fabs(sum) > l1 * (double)t;
}

/* How many iterates up to w_{t+1}, with it, have had its pattern in a row. */
static inline int64_t manifold_unchanged(const struct manifold *manifold, int64_t t) {
    return t + 1 - manifold->last_change;
}

#endif
