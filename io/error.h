/* error.h - the one error type.
 *
 * Functions that can fail take a `struct error *` as their last argument and return a status:
 * 0 (or a pointer) for success, -1 (or NULL) for failure with the error filled in. Nothing below
 * cli/ prints or exits. */
#ifndef RRM_ERROR_H
#define RRM_ERROR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum error_kind {
    ERROR_NONE,
    ERROR_FAILURE, /* bad data, input or output: exit status 1 */
    ERROR_MEMORY,  /* out of memory: exit status 1 */
    ERROR_USAGE,   /* the command line: exit status 2 */
    ERROR_TIME,    /* the time limit came before there was a result: exit status 1 */
    ERROR_INTERRUPTED /* a signal, or the caller's callback, ended the work before there was a result: exit status 1 */
};

struct error {
    enum error_kind kind;
    int64_t line;   /* from 1; 0 when no line is meant */
    int64_t column; /* from 1, in bytes; 0 when no column is meant */
    char file[512]; /* empty when no file is meant; a longer name is cut */
    char words[512];
    /* each of the processes that train together has this error (io/communicator.h) */
    bool known_to_all;
};

/* Each fills *e (which may be NULL) and returns -1, so that a caller can `return error_...(...)`.
 * The first error wins: a call on an error that is already set changes nothing. */
int error_set(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int error_usage(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int error_time(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
int error_interrupted(struct error *e, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
int error_file(struct error *e, const char *file, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int error_at(struct error *e, const char *file, int64_t line, int64_t column, const char *format,
             ...) __attribute__((format(printf, 5, 6)));

/* ERROR_MEMORY in other words than those of error_memory. */
int error_too_large(struct error *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ERROR_MEMORY, "out of memory: COUNT items of SIZE bytes for WHAT". */
int error_memory(struct error *e, const char *what, int64_t count, size_t size);

/* Copies INNER to *e unless *e is set already. Returns -1. */
int error_pass(struct error *e, const struct error *inner);

/* One line: "FILE:LINE:COLUMN: words", "FILE: words", or "PROGRAM: words" without a file; newlines and
 * other control characters, of a file's name for instance, are escaped. */
void error_print(const struct error *e, const char *program, FILE *stream);

/* 0, 1 or 2, by the kind. */
int error_exit_status(const struct error *e);

#endif
