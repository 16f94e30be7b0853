/* files.c - the files that the programs write besides models and predictions. */
#include "cli/files.h"

#include "io/output.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

/* Opening a pipe or device has effects of its own. */
static bool opens_quietly(const char *path) {
    struct stat status;

    return strcmp(path, "-") != 0 &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

int files_check_writable(const char *path, struct error *e) {
    struct output *output;

    if (path == NULL || !opens_quietly(path)) {
        return 0;
    }
    output = output_open(path, e);
    output_abandon(output);
    return output == NULL ? -1 : 0;
}

int files_check_apart(const char *written, const char *read, struct error *e) {
    struct stat a, b;

    if (written == NULL || read == NULL || stat(written, &a) != 0 || stat(read, &b) != 0 ||
        !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino) {
        return 0;
    }
    return error_usage(e, "%.200s would be read and overwritten", written);
}

FILE *files_open_trace(const char *path, struct error *e) {
    FILE *trace = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");

    if (trace == NULL) {
        error_file(e, path, "%s", strerror(errno));
    } else {
        setvbuf(trace, NULL, _IOLBF, BUFSIZ);
    }
    return trace;
}

int files_close_trace(FILE **trace, const char *path, struct error *e) {
    FILE *stream = *trace;
    int failed;

    *trace = NULL;
    if (stream == NULL || stream == stdout) {
        return 0; /* standard output is looked at when the program ends */
    }
    failed = ferror(stream);
    errno = 0;
    if (fclose(stream) != 0 || failed) {
        return error_file(e, path, "the trace is not complete: %s",
                          errno != 0 ? strerror(errno) : "a write failed");
    }
    return 0;
}

int files_flush_output(struct error *e) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return 0;
    }
    return error_file(e, "standard output", "%s", errno != 0 ? strerror(errno) : "a write failed");
}
