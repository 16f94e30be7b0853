/* train_help.h - help, lists and man page of train. */
#ifndef RRM_TRAIN_HELP_H
#define RRM_TRAIN_HELP_H

#include "cli/train_command.h"

/* Prints what command->action asks for; not for TRAIN_RUN. */
void train_help(const struct train_command *command, FILE *stream);

#endif
