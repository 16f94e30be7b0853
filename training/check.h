/* check.h - names and combinations of options that train does not know or cannot do. */
#ifndef RRM_CHECK_H
#define RRM_CHECK_H

#include "cli/train_command.h"
#include "training/solver_fit.h"

/* Finds loss, regularizer, and the solver if one was named; an unknown name suggests the nearest. */
int train_find_names(struct train_command *command, struct error *e);

/* What the command line asks of a solver. */
struct wish train_wish(const struct train_command *command);

/* 0, or a usage error that names what would work. Run once the names are known, and again once the
 * default solver is. */
int train_check(const struct train_command *command, struct error *e);

#endif
