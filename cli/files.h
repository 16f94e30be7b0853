/* files.h - the files that the programs write besides models and predictions. */
#ifndef RRM_FILES_H
#define RRM_FILES_H

#include "io/error.h"

#include <stdio.h>

/* 0 when the file PATH could be replaced now; nothing is changed. Devices and pipes pass; NULL (no
 * such file is wanted) too. */
int files_check_writable(const char *path, struct error *e);

/* A usage error when the file to be written is one of those to be read; NULL is none. */
int files_check_apart(const char *written, const char *read, struct error *e);

/* A usage error when two of the COUNT files to be written are one file, or both standard output; NULL
 * is none, devices may be shared. */
int files_check_distinct(const char *const *written, int count, struct error *e);

/* Where to write for people: standard output, or standard error when one of the COUNT files is standard
 * output ("-"). */
FILE *files_for_people(const char *const *written, int count);

/* The trace is written as it grows, so that it can be watched; "-" is standard output. */
FILE *files_open_trace(const char *path, struct error *e);

/* Sets *trace to NULL; -1 when some of it could not be written. NULL does nothing. */
int files_close_trace(FILE **trace, const char *path, struct error *e);

/* -1 when standard output could not be written. */
int files_flush_output(struct error *e);

#endif
