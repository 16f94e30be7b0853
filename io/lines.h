/* lines.h - whole lines of a source, in blocks. */
#ifndef RRM_LINES_H
#define RRM_LINES_H

#include "io/error.h"
#include "io/source.h"

#include <stdint.h>

enum { LINES_PADDING = 64 };

/* Text that ends with a newline, with LINES_PADDING readable bytes behind it. Zero it before the
 * first use; the owner frees it with lines_free. */
struct lines {
    char *bytes;
    int64_t length; /* bytes of whole lines */
    int64_t filled; /* bytes read: the part behind `length` begins the next block */
    int64_t capacity;
};

/* Makes room for CAPACITY bytes and the padding. */
int lines_reserve(struct lines *lines, int64_t capacity, struct error *e);

/* Fills *next with the lines after those of *previous (which may be the same object): about BLOCK
 * bytes, more when one line is longer; of a live source (source.h) what is there. A last line without a
 * newline gets one, but where the source was stopped within it: then it is left out. Returns 1, 0 at the
 * end, -1 on error. */
int lines_read(struct source *source, int64_t block, const struct lines *previous,
               struct lines *next, struct error *e);

void lines_free(struct lines *lines);

#endif
