/* run_report.h - a training run as one JSON object (--report). */
#ifndef RRM_RUN_REPORT_H
#define RRM_RUN_REPORT_H

#include "cli/train_command.h"
#include "training/train.h"

/* Replaces the file PATH ("-": standard output). The session has trained, or validated, or both. GATHERED:
 * the processes whose rows this one has gathered; NULL: none. */
int run_report_write(const struct train_command *command, const struct training_session *session,
                     double load_seconds, const struct communicator *gathered, const char *path,
                     struct error *e);

#endif
