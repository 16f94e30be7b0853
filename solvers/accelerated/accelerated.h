/* accelerated.h - what agm and agm1 share: their options, the smoothing, the loop. */
#ifndef RRM_ACCELERATED_H
#define RRM_ACCELERATED_H

#include "solvers/accelerated/form.h"

/* Trains with either memory; for `train` of struct solver. */
int accelerated_train(const struct solve *solve, bool one_memory, struct error *e);

extern const char *const accelerated_regularizers[];

/* The options of agm and agm1. */
enum { ACCELERATED_OPTIONS = 9 };
extern const struct option_row accelerated_options[ACCELERATED_OPTIONS];

#endif
