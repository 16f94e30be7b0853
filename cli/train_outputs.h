/* train_outputs.h - messages during training: warnings, progress on a terminal, the trace; and the signals that end
 * it. */
#ifndef RRM_TRAIN_OUTPUTS_H
#define RRM_TRAIN_OUTPUTS_H

#include "cli/progress.h"
#include "cli/train_command.h"
#include "training/train.h"

/* PROGRESS: zero bytes at first; must outlive the session. TRACE: NULL: none. Of the processes of COMMUNICATOR the one
 * of rank 0 has outputs. */
struct session_outputs train_outputs(const struct train_command *command,
                                     const struct communicator *communicator,
                                     struct progress *progress, FILE *trace);

#endif
