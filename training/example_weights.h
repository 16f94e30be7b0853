/* example_weights.h - what each example counts: its "cost:" x its line of --weights x its class's
 * -w. */
#ifndef RRM_EXAMPLE_WEIGHTS_H
#define RRM_EXAMPLE_WEIGHTS_H

#include "cli/train_command.h"
#include "io/dataset.h"

/* Replaces data->weight by the product. */
int example_weights_apply(const struct train_command *command, struct dataset *data,
                          struct error *e);

/* -l, or 1/(C m) for -c C, m the number of examples (of risks of groups: of queries or sequences), each
 * counted with its weight; 1 where the regularizer is a constraint. An error when that is 0 or infinite. */
int example_weights_lambda(const struct train_command *command, const struct dataset *data,
                           double *lambda, struct error *e);

/* The first label of -w that no example has, or NULL. */
const struct class_weight *example_weights_unused(const struct train_command *command,
                                                  const struct dataset *data);

#endif
