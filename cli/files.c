/* files.c - the files that the programs write besides models and predictions. */
#include "cli/files.h"

#include "io/memory.h"
#include "io/output.h"
#include "io/source.h"
#include "io/svmlight/svmlight.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Only regular files are opened for the check: opening a pipe or device has side effects. */
static bool opens_quietly(const char *path) {
    struct stat status;
    return strcmp(path, "-") != 0 &&
           (stat(path, &status) != 0 || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode));
}

/* Whether TEXT begins with an example: a number, then a feature or a group. */
static bool is_example(const char *text) {
    char *end;
    (void)strtod(text, &end);
    return end != text && svmlight_begins_feature(end + strspn(end, " \t"));
}

/* Whether the file, perhaps compressed, has examples: its first line that is no comment. */
static bool holds_examples(const char *path) {
    char text[4096];
    struct source *source = source_open(path, NULL);
    int64_t got = source == NULL ? -1 : source_read(source, text, sizeof text - 1, NULL);
    source_close(source);
    text[got > 0 ? got : 0] = '\0';
    const char *line = text;
    while (*line == '#' && line[strcspn(line, "\n")] != '\0')
        line += strcspn(line, "\n") + 1;
    return is_example(line);
}

int files_check_writable(const char *path, struct error *e) {
    struct output *output;
    if (path == NULL || !opens_quietly(path))
        return 0;
    if (holds_examples(path))
        return error_usage(e, "%.200s has examples, which would be overwritten; remove it first",
                           path);
    output = output_open(path, e);
    output_abandon(output);
    return output == NULL ? -1 : 0;
}

int files_check_apart(const char *written, const char *read, struct error *e) {
    struct stat a, b;
    if (written == NULL || read == NULL || stat(written, &a) != 0 || stat(read, &b) != 0 ||
        !S_ISREG(a.st_mode) || a.st_dev != b.st_dev || a.st_ino != b.st_ino)
        return 0;
    return error_usage(e, "%.200s would be read and overwritten", written);
}

/* The absolute path of the file with all links of its folder resolved, freed by the caller; NULL: no such folder. */
static char *resolve(const char *path) {
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    char *real = folder == NULL ? NULL : realpath(folder, NULL);
    size_t size = real == NULL ? 0 : strlen(real) + strlen(path) + 2;
    char *absolute = real == NULL ? NULL : malloc(size);
    if (absolute != NULL)
        snprintf(absolute, size, "%s/%s", real, slash == NULL ? path : slash + 1);
    free(real);
    free(folder);
    return absolute;
}

static bool same_output(const char *a, const char *b) {
    struct stat status;
    char *whole_a, *whole_b;
    bool same;
    if (strcmp(a, "-") == 0 || strcmp(b, "-") == 0)
        return strcmp(a, b) == 0;
    if (stat(a, &status) == 0)
        return S_ISREG(status.st_mode) && files_check_apart(a, b, NULL) != 0;
    whole_a = resolve(a);
    whole_b = resolve(b);
    same = whole_a != NULL && whole_b != NULL && strcmp(whole_a, whole_b) == 0;
    free(whole_a);
    free(whole_b);
    return same;
}

/* Whether TEXT is a number from 1 on, as files are numbered. */
static bool is_count(const char *text) {
    return *text >= '1' && *text <= '9' && text[strspn(text, "0123456789")] == '\0';
}

int files_check_numbered(const char *name, const char *file, const char *how, struct error *e) {
    if (file == NULL || strcmp(file, "-") == 0)
        return 0;
    char *whole_name = resolve(name), *whole_file = resolve(file);
    size_t length = whole_name == NULL ? 0 : strlen(whole_name);
    bool same = whole_name != NULL && whole_file != NULL &&
                strncmp(whole_file, whole_name, length) == 0 && whole_file[length] == '.' &&
                is_count(whole_file + length + 1);
    free(whole_name);
    free(whole_file);
    return same ? error_usage(e, "%.200s would be %s", file, how) : 0;
}

int files_check_replaceable(const char *name, int64_t count, struct error *e) {
    size_t size = strlen(name) + 32;
    char *path = memory_new((int64_t)size, 1, "a file name", e);
    int status = path == NULL ? -1 : 0;
    for (int64_t k = 1; k <= count && status == 0; k++) {
        struct stat there;
        snprintf(path, size, "%s.%" PRId64, name, k);
        if (stat(path, &there) == 0)
            status = files_check_writable(path, e);
    }
    free(path);
    return status;
}

int files_check_inputs(const char *const *read, int count, struct error *e) {
    int inputs = 0;
    for (int i = 0; i < count; i++)
        inputs += read[i] != NULL && strcmp(read[i], "-") == 0;
    return inputs > 1 ? error_usage(e, "only one file can be standard input") : 0;
}

int files_check_twice(const char *read, const char *instead, struct error *e) {
    struct stat status;
    if (strcmp(read, "-") == 0)
        return error_usage(e, "standard input cannot be read twice: give a file%s", instead);
    return stat(read, &status) == 0 && S_ISFIFO(status.st_mode)
               ? error_usage(e, "%.200s is a pipe and cannot be read twice: give a file%s", read,
                             instead)
               : 0;
}

int files_check_distinct(const char *const *written, int count, struct error *e) {
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (written[i] != NULL && written[j] != NULL && same_output(written[i], written[j])) {
                return error_usage(e, "%.200s would be written twice",
                                   strcmp(written[i], "-") == 0 ? "standard output" : written[i]);
            }
        }
    }
    return 0;
}

FILE *files_for_people(const char *const *written, int count) {
    for (int i = 0; i < count; i++)
        if (written[i] != NULL && strcmp(written[i], "-") == 0)
            return stderr;
    return stdout;
}

FILE *files_open_trace(const char *path, bool goes_on, struct error *e) {
    FILE *trace = strcmp(path, "-") == 0 ? stdout : fopen(path, goes_on ? "ae" : "we");
    if (trace == NULL)
        error_file(e, path, "%s", strerror(errno));
    else
        setvbuf(trace, NULL, _IOLBF, BUFSIZ);
    return trace;
}

int files_close_trace(FILE **trace, const char *path, struct error *e) {
    FILE *stream = *trace;
    int failed;
    *trace = NULL;
    if (stream == NULL || stream == stdout)
        return 0; /* standard output is checked when the program ends */
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
    if (fflush(stdout) == 0 && !ferror(stdout))
        return 0;
    if (errno == 0) { /* an earlier write failed; another one sets errno */
        fputc('\n', stdout);
        fflush(stdout);
    }
    return error_file(e, "standard output", "%s", errno != 0 ? strerror(errno) : "a write failed");
}
