/* error.c - the one error type: filling and printing it. */
#include "io/error.h"

#include "io/escape.h"

#include <stdarg.h>
#include <string.h>

static int fill(struct error *e, enum error_kind kind, const char *file, int64_t line,
                int64_t column, const char *format, va_list arguments) {
    if (e == NULL || e->kind != ERROR_NONE)
        return -1;
    e->kind = kind;
    e->line = line;
    e->column = column;
    snprintf(e->file, sizeof e->file, "%s", file != NULL ? file : "");
    vsnprintf(e->words, sizeof e->words, format, arguments);
    return -1;
}

/* The body of each function with a format. */
#define FILL(kind, file, line, column)                                                             \
    va_list arguments;                                                                             \
    va_start(arguments, format);                                                                   \
    int status = fill(e, kind, file, line, column, format, arguments);                             \
    va_end(arguments);                                                                             \
    return status

int error_set(struct error *e, const char *format, ...) {
    FILL(ERROR_FAILURE, NULL, 0, 0);
}

int error_usage(struct error *e, const char *format, ...) {
    FILL(ERROR_USAGE, NULL, 0, 0);
}

int error_time(struct error *e, const char *format, ...) {
    FILL(ERROR_TIME, NULL, 0, 0);
}

int error_interrupted(struct error *e, const char *format, ...) {
    FILL(ERROR_INTERRUPTED, NULL, 0, 0);
}

int error_file(struct error *e, const char *file, const char *format, ...) {
    FILL(ERROR_FAILURE, file, 0, 0);
}

int error_at(struct error *e, const char *file, int64_t line, int64_t column, const char *format,
             ...) {
    FILL(ERROR_FAILURE, file, line, column);
}

int error_too_large(struct error *e, const char *format, ...) {
    FILL(ERROR_MEMORY, NULL, 0, 0);
}

int error_memory(struct error *e, const char *what, int64_t count, size_t size) {
    return error_too_large(e, "out of memory: %lld items of %zu bytes for %s", (long long)count,
                           size, what);
}

int error_pass(struct error *e, const struct error *inner) {
    if (e != NULL && e->kind == ERROR_NONE)
        *e = *inner;
    return -1;
}

void error_print(const struct error *e, const char *program, FILE *stream) {
    escape_print(e->file[0] == '\0' ? program : e->file, stream);
    if (e->line > 0)
        fprintf(stream, ":%lld", (long long)e->line);
    if (e->line > 0 && e->column > 0)
        fprintf(stream, ":%lld", (long long)e->column);
    fputs(": ", stream);
    escape_print(e->words, stream);
    fputc('\n', stream);
}

int error_exit_status(const struct error *e) {
    switch (e->kind) {
    case ERROR_NONE:
        return 0;
    case ERROR_USAGE:
        return 2;
    default:
        return 1;
    }
}
