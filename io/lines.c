/* lines.c - whole lines of a source, in blocks. */
#include "io/lines.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

int lines_reserve(struct lines *lines, int64_t capacity, struct error *e) {
    if (capacity <= lines->capacity)
        return 0;
    if (memory_resize((void **)&lines->bytes, capacity + LINES_PADDING, 1, "text", e) != 0)
        return -1;
    lines->capacity = capacity;
    return 0;
}

/* The last line of the file: complete even without its newline, for which there is always room. */
static int finish(struct lines *lines) {
    if (lines->filled == 0)
        return 0;
    if (lines->bytes[lines->filled - 1] != '\n')
        lines->bytes[lines->filled++] = '\n';
    lines->length = lines->filled;
    return 1;
}

/* Reads until there is a newline or the file ends; `filled` bytes without one are there already. */
static int fill(struct source *source, int64_t block, struct lines *lines, struct error *e) {
    for (;;) {
        int64_t wanted = lines->filled < block ? block : 2 * lines->filled;
        if (lines_reserve(lines, wanted + 1, e) != 0)
            return -1;
        char *fresh = lines->bytes + lines->filled;
        int64_t got = source_read(source, fresh, wanted - lines->filled, e);
        if (got < 0)
            return -1;
        lines->filled += got;
        if (lines->filled < wanted)
            return finish(lines);
        const char *newline = memrchr(fresh, '\n', (size_t)got);
        if (newline != NULL) {
            lines->length = newline + 1 - lines->bytes;
            return 1;
        }
    }
}

int lines_read(struct source *source, int64_t block, const struct lines *previous,
               struct lines *next, struct error *e) {
    int64_t rest = previous->filled - previous->length;
    if (lines_reserve(next, (rest < block ? block : 2 * rest) + 1, e) != 0)
        return -1;
    if (rest > 0)
        memmove(next->bytes, previous->bytes + previous->length, (size_t)rest);
    next->filled = rest;
    next->length = 0;
    int status = fill(source, block, next, e);
    if (status == 1)
        memset(next->bytes + next->filled, 0, LINES_PADDING);
    return status;
}

void lines_free(struct lines *lines) {
    free(lines->bytes);
    *lines = (struct lines){0};
}
