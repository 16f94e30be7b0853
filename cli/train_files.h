/* train_files.h - opens and checks the files of a training run. */
#ifndef RRM_TRAIN_FILES_H
#define RRM_TRAIN_FILES_H

#include "cli/train_command.h"
#include "io/dataset.h"
#include "io/model/model.h"

/* Checks all files before the training, which may take hours: no file is both read and written, all can be written.
 * Reads the model of -i into START, if given. 0, or -1 with the error set. */
int train_files_check(const struct train_command *command, const struct communicator *communicator,
                      struct model *start, struct error *e);

/* Opens the trace, if given, when the training begins: a command that fails before leaves the old one. 0, or -1 with
 * the error set. */
int train_files_open_trace(const struct train_command *command,
                           const struct communicator *communicator, FILE **trace, struct error *e);

/* Reads the data into *data, and applies --weights; *seconds: the time that reading took. 0, or -1 with the error set;
 * the caller frees *data in either case. */
int train_files_load(const struct train_command *command, struct communicator *communicator,
                     struct dataset *data, double *seconds, struct error *e);

/* The stream for messages: standard output, or standard error if a file is written to standard output. */
FILE *train_for_people(const struct train_command *command);

/* Prints what a cache has: examples, features, nonzeros, megabytes. */
void train_describe_cache(const struct train_command *command, const struct dataset *data,
                          FILE *stream);

/* Loads the examples of --validation. 0, or -1 with the error set; the caller frees *data in either case. */
int train_files_load_held_out(const struct train_command *command, struct dataset *data,
                              struct error *e);

/* Writes the model of a path as NAME.NUMBER. 0, or -1 with the error set. */
int train_files_write_numbered(const char *name, int64_t number, const struct model *model,
                               struct error *e);

#endif
