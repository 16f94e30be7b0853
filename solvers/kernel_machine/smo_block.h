/* smo_block.h - the dual over a few variables, the others fixed, solved by sequential minimal optimization:
 *
 *     maximize over beta:  sum_t g_t (beta_t - beta_t at the start) - 1/2 (that difference)' K (that difference)
 *     with lower_t <= beta_t <= upper_t and the sum of beta as it is
 *
 * A step moves two variables: i with the largest g of those that can rise, and the j that can fall with which the gain
 * is largest (smo_pairs.h); beta_i rises as beta_j falls. Where the variables have two sums, i and j are of the same
 * one, that in which the largest g exceeds the smallest by more. g is kept in floats, less a constant, which no pair
 * sees; beta in doubles.
 *
 * Each variable has a slot. A variable that stays from one solve to the next keeps its slot, and the kernel values
 * among those that stay.
 *
 * Reference: Fan, Chen & Lin 2005, Algorithm 1 with WSS 2. A step costs two passes over the slots. Memory: capacity^2
 * floats. */
#ifndef RRM_SMO_BLOCK_H
#define RRM_SMO_BLOCK_H

#include "io/error.h"
#include "io/state/state.h"
#include "solvers/kernel_machine/smo_pairs.h"

#include <stdbool.h>

struct smo_block {
    int64_t capacity;       /* slots */
    int64_t stride;         /* of the rows of `kernel`: at least capacity */
    float *kernel;          /* capacity x stride: K among the variables */
    struct smo_pairs pairs; /* g, up, low and the diagonal of the slots */
    bool two_sums;
    struct smo_pairs others;      /* of two sums the second: the same, but for up and low */
    bool *second;                 /* capacity: whether a slot belongs to it */
    double *beta, *lower, *upper; /* capacity */
    double snap;                  /* a beta so close to a bound that it moves to is set to it */
    int64_t rising;               /* the slot i of the next step; */
    int64_t other_rising;         /* in the second sum */
    int64_t steps;                /* so far */
};

/* 0, or -1 with the error set; to be freed in either case. */
int smo_block_init(struct smo_block *block, int64_t capacity, bool two_sums, struct error *e);
void smo_block_free(struct smo_block *block);

/* Lists the slots. */
void smo_block_visit(struct smo_block *block, struct state *state);

/* What is below it counts as this curvature of a pair. */
void smo_block_set_curvature(struct smo_block *block, float smallest);

/* Empties slot s: no step moves it. */
void smo_block_clear(struct smo_block *block, int64_t s);

/* Sets `up` and `low` of slot s from its beta and bounds. */
void smo_block_bar(struct smo_block *block, int64_t s);

/* Prepares for steps after changes of g or of the slots. */
void smo_block_start(struct smo_block *block);

/* Takes steps until the largest g of a variable that can rise exceeds the smallest of one that can fall by at most
 * `gap`, or up to `steps` of them. Returns whether the gap was reached. *first = the gap before the first step. */
bool smo_block_solve(struct smo_block *block, double gap, int64_t steps, double *first);

#endif
