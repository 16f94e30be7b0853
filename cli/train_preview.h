/* train_preview.h - what train --dry-run prints. */
#ifndef RRM_TRAIN_PREVIEW_H
#define RRM_TRAIN_PREVIEW_H

#include "cli/train_command.h"
#include "training/preview.h"

#include <stdio.h>

/* Prints what a prepared session would do: the data, the sizes of their features, memory, the solver and why. */
void train_preview(const struct train_command *command, const struct preview *preview,
                   FILE *stream);

#endif
