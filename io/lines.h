/* lines.h - reads a source in blocks of complete lines. */
#ifndef RRM_LINES_H
#define RRM_LINES_H

#include "io/error.h"
#include "io/source.h"

#include <stdint.h>

enum {
    LINES_PADDING = 64,
    LINES_LIMIT = 256000000, /* bytes of a line, unless `limit` is set */
    LINES_TOO_LONG = -2      /* what lines_read returns for a longer one */
};

/* Text that ends with a newline, followed by LINES_PADDING readable bytes. Zero it before the
 * first use; the owner frees it with lines_free. */
struct lines {
    char *bytes;
    int64_t length; /* bytes of complete lines */
    int64_t filled; /* bytes read; those after `length` begin the next block */
    int64_t capacity;
    int64_t limit; /* bytes of a line without its newline; 0: LINES_LIMIT. The owner sets it */
};

/* Enlarges the buffer to CAPACITY bytes and the padding. */
int lines_reserve(struct lines *lines, int64_t capacity, struct error *e);

/* Fills *next with the lines after those of *previous (which may be the same object): about BLOCK bytes, more if one
 * line is longer; from a live source (source.h) the lines that are available. A last line without a newline gets one;
 * but if the source was stopped within that line, it is left out. A line longer than the block with a NUL byte is cut
 * soon after that byte: its parser refuses it anyway, and binary data may have no newline. Returns 1, 0 at the end,
 * -1 on error, LINES_TOO_LONG without an error set: the caller knows the line's number and calls lines_refuse. */
int lines_read(struct source *source, int64_t block, const struct lines *previous,
               struct lines *next, struct error *e);

/* Sets the error that line LINE of FILE exceeds the limit. OPTION: the option that raises it; NULL: none. Returns
 * -1. */
int lines_refuse(const struct lines *lines, const char *file, int64_t line, const char *option,
                 struct error *e);

/* The bytes of a byte-order mark (UTF-8) at the beginning of a file: 3, or 0 where there is none. Three bytes
 * must be readable. */
int lines_mark(const char *text);

void lines_free(struct lines *lines);

#endif
