/* train_check.h - names and combinations of options that train does not know or cannot do. */
#ifndef RRM_TRAIN_CHECK_H
#define RRM_TRAIN_CHECK_H

#include "cli/train_command.h"

/* Finds solver, loss and regularizer by name; an unknown name suggests the nearest. */
int train_find_names(struct train_command *command, struct error *e);

/* 0, or a usage error that names what would work. Run once the names are known. */
int train_check(const struct train_command *command, struct error *e);

#endif
