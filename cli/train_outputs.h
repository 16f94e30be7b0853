/* train_outputs.h - what train tells while it trains: warnings, a live line on a terminal, the trace; and the
 * signals that end it. */
#ifndef RRM_TRAIN_OUTPUTS_H
#define RRM_TRAIN_OUTPUTS_H

#include "cli/progress.h"
#include "cli/train_command.h"
#include "training/train.h"

/* PROGRESS begins as all zero and outlives the session. TRACE: NULL without. */
struct session_outputs train_outputs(const struct train_command *command, struct progress *progress,
                                     FILE *trace);

#endif
