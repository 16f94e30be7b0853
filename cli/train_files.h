/* train_files.h - the files that train writes besides the model and the report. */
#ifndef RRM_TRAIN_FILES_H
#define RRM_TRAIN_FILES_H

#include "io/error.h"

#include <stdio.h>

/* 0 when the file PATH could be replaced now; nothing is changed. Devices and pipes pass; NULL (no
 * such file is wanted) too. */
int train_check_writable(const char *path, struct error *e);

/* A usage error when the file to be written is one of those to be read; NULL is none. */
int train_check_apart(const char *written, const char *read, struct error *e);

/* The trace is written as it grows, so that it can be watched; "-" is standard output. */
FILE *train_trace_open(const char *path, struct error *e);

/* Sets *trace to NULL; -1 when some of it could not be written. NULL does nothing. */
int train_trace_close(FILE **trace, const char *path, struct error *e);

/* -1 when standard output could not be written. */
int train_flush_output(struct error *e);

#endif
