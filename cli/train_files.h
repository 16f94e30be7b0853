/* train_files.h - the files of a training run. */
#ifndef RRM_TRAIN_FILES_H
#define RRM_TRAIN_FILES_H

#include "cli/train_command.h"
#include "io/dataset.h"
#include "io/model/model.h"

/* What can fail fails before hours of work: a file that is read and written, or cannot be written; the model
 * of -i; the trace. START and *trace are set where they are wanted. 0, or -1 with the error set. */
int train_files_open(const struct train_command *command, struct model *start, FILE **trace,
                     struct error *e);

/* The data, with the weights of --weights in place, and the seconds that loading took. */
int train_files_load(const struct train_command *command, struct dataset *data, double *seconds,
                     struct error *e);

/* Where to write for people: standard output, or standard error where a file is written there. */
FILE *train_for_people(const struct train_command *command);

#endif
