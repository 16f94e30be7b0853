/* train_summary.h - what train says of a run when it is over. */
#ifndef RRM_TRAIN_SUMMARY_H
#define RRM_TRAIN_SUMMARY_H

#include "cli/train_command.h"
#include "training/train.h"

#include <stdio.h>

/* One line: the solver where it was chosen, objective, bound, gap, nonzeros, passes, lambda_max where it is
 * finite, seconds, the model file; then the coefficients of basis functions, if there are any. Of a path those of its last model, but all passes and seconds. */
void train_summary(const struct train_command *command, const struct training_session *session,
                   double load_seconds, FILE *stream);

/* The same for a cross-validation. */
void train_validation_summary(const struct train_command *command,
                              const struct training_session *session, double load_seconds,
                              FILE *stream);

/* The warning of --strict for a run that ended at a limit and was not asked for a tolerance. */
void train_warn_strict(const struct train_command *command, FILE *stream);

#endif
