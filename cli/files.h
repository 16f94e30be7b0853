/* files.h - the files that the programs write besides models and predictions. */
#ifndef RRM_FILES_H
#define RRM_FILES_H

#include "io/error.h"

#include <stdint.h>
#include <stdio.h>

/* 0 if the file PATH can be replaced; changes nothing. One with examples is not: "train a.train a.test" is soon typed.
 * Devices, pipes and NULL (no file) always pass. */
int files_check_writable(const char *path, struct error *e);

/* A usage error if the file to be written is also read; NULL: no file. */
int files_check_apart(const char *written, const char *read, struct error *e);

/* A usage error if more than one of the COUNT files to be read is standard input. NULL: no file. */
int files_check_inputs(const char *const *read, int count, struct error *e);

/* A usage error if two of the COUNT files to be written are the same file, or both standard output. NULL: no file;
 * devices may be shared. */
int files_check_distinct(const char *const *written, int count, struct error *e);

/* A usage error if FILE has one of the names NAME.1, NAME.2, ... that will be written: it is then HOW, "written twice".
 * NULL: no file. */
int files_check_numbered(const char *name, const char *file, const char *how, struct error *e);

/* 0 if the files NAME.1 to NAME.COUNT can be replaced, as by files_check_writable. */
int files_check_replaceable(const char *name, int64_t count, struct error *e);

/* A usage error if the file cannot be read twice, as standard input and pipes; INSTEAD says what else can be given. */
int files_check_twice(const char *read, const char *instead, struct error *e);

/* The stream for messages: standard output, or standard error if one of the COUNT files is standard output ("-"). */
FILE *files_for_people(const char *const *written, int count);

/* Opens the trace ("-": standard output); GOES_ON: what is there stays, and more is added. Its lines are written at
 * once, so that other programs can follow it. */
FILE *files_open_trace(const char *path, bool goes_on, struct error *e);

/* Closes the trace and sets *trace to NULL; -1 with the error set if a write failed. NULL does nothing. */
int files_close_trace(FILE **trace, const char *path, struct error *e);

/* -1 with the error set if a write to standard output failed. */
int files_flush_output(struct error *e);

#endif
