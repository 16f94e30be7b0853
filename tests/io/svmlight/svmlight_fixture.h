/* svmlight_fixture.h - files written by a test, and the message of an error. Include after cmocka.h. */
#ifndef RRM_SVMLIGHT_FIXTURE_H
#define RRM_SVMLIGHT_FIXTURE_H

#include "io/source.h"
#include "io/svmlight/svmlight.h"
#include "io/svmlight/svmlight_pieces.h"
#include "io/svmlight/svmlight_stream.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* A file that exists only as a descriptor, and the path to it. */
struct file {
    int descriptor;
    char path[64];
};

static inline struct file file_of(const void *bytes, size_t count) {
    struct file file;
    file.descriptor = memfd_create("data", 0);
    assert_int_equal(write(file.descriptor, bytes, count), count);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static inline int load_pieces(const char *path, int threads, int64_t piece, struct dataset *out,
                              struct error *e) {
    struct svmlight_options options = {.threads = threads};
    struct source *source = source_open(path, e);
    *out = (struct dataset){0};
    if (source == NULL)
        return -1;
    int status = source_size(source) > 0 ? svmlight_pieces_load(source, &options, piece, out, e)
                                         : svmlight_stream_load(source, &options, piece, out, e);
    source_close(source);
    return status;
}

/* The printed message without the file name and the colon. */
static inline void message_of(const struct error *e, const char *path, char *text, size_t size) {
    assert_int_equal(e->kind, ERROR_FAILURE);
    assert_string_equal(e->file, path);
    FILE *stream = fmemopen(text, size, "w");
    error_print(e, "test", stream);
    fclose(stream);
    size_t skip = strlen(path) + 1;
    skip += text[skip] == ' ';
    memmove(text, text + skip, strlen(text + skip) + 1);
}

static inline void check_message(const struct error *e, const char *path, const char *expected) {
    char text[2048];
    message_of(e, path, text, sizeof text);
    assert_string_equal(text, expected);
}

#endif
