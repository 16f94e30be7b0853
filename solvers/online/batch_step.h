/* batch_step.h - steps of many items, by threads.
 *
 *     g = sum over the items of the batch of a subgradient,   w <- w - eta/k g     (Do, Le & Foo 2009, section 2: g_t)
 *
 * Threads share the items to compute their losses at w. If the subgradients that are not 0 have more entries than there
 * are coordinates, g is made as one dense vector: threads share the coordinates, and each adds its part of every row,
 * in the order of the rows; sums over coordinates are made in chunks of a fixed length. Otherwise one item after the
 * other is added to w by the caller. So the result is the same, to the bit, for any number of threads.
 *
 * It pays where a step has so many entries that waiting for other threads costs little. Whether it is used depends on
 * the data and the batch alone. */
#ifndef RRM_BATCH_STEP_H
#define RRM_BATCH_STEP_H

#include "solvers/online/iterate.h"

struct batch_step;

/* Sets *batch, for steps of SIZE items; NULL: a step of one item after the other is right, since it has few entries or
 * the risk is no mean of losses of rows in memory. 0, or -1 with the error set. */
int batch_step_new(const struct risk *risk, int64_t size, struct batch_step **batch,
                   struct error *e);

void batch_step_free(struct batch_step *batch);

/* The numbers of the items of the next step are written here. */
int64_t *batch_step_items(struct batch_step *batch);

/* The items' losses and subgradients at x into ITEM, as risk->kind->item has them. Returns the sum of the losses. */
double batch_step_losses(struct batch_step *batch, const struct iterate *x, struct risk_item *item);

/* The same for a caller that computes the losses itself, in parallel: prefetches items after the i-th of the step; then
 * makes g of the items, if their subgradients have LEAST entries or more. */
void batch_step_prefetch(const struct batch_step *batch, int64_t i);
void batch_step_sum(struct batch_step *batch, const struct risk_item *item, int64_t least);

/* Whether that made a dense g, for which the functions below are. */
bool batch_step_is_dense(const struct batch_step *batch);

/* g; who makes the step without batch_step_add sets it to 0 then. */
double *batch_step_gradient(struct batch_step *batch);

/* ||g||^2 */
double batch_step_square(struct batch_step *batch);

/* w <- w + STEP g; OFFSET_STEP g in the unregularized coordinates. */
void batch_step_add(struct batch_step *batch, struct iterate *x, double step, double offset_step);

#endif
