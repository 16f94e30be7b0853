/* train_summary.h - the summary that train prints after a run. */
#ifndef RRM_TRAIN_SUMMARY_H
#define RRM_TRAIN_SUMMARY_H

#include "cli/train_command.h"
#include "training/train.h"

#include <stdio.h>

/* Prints one line: the solver if it was chosen by default, objective, bound, gap, nonzeros, passes, lambda_max if
 * finite, seconds, the model file; then the coefficients of basis functions, if any. For a path: its last model,
 * but all passes and seconds. */
void train_summary(const struct train_command *command, const struct training_session *session,
                   double load_seconds, FILE *stream);

/* The same for a cross-validation. */
void train_validation_summary(const struct train_command *command,
                              const struct training_session *session, double load_seconds,
                              FILE *stream);

/* Prints the options of LIBLINEAR or LIBSVM that were given, in our words, unless -q was given; and a warning of those
 * that mean something else here, unless -qq was. */
void train_tell_foreign(const struct train_command *command, FILE *stream);

/* The warning of --strict for a run that ended at a limit and was not asked for a tolerance. */
void train_warn_strict(const struct train_command *command, FILE *stream);

#endif
