/* lines.c - reads a source in blocks of complete lines. */
#include "io/lines.h"

#include "io/memory.h"

#include <stdbool.h>
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

int lines_mark(const char *text) {
    static const char mark[] = "\xef\xbb\xbf";
    return memcmp(text, mark, 3) == 0 ? 3 : 0;
}

static int64_t limit_of(const struct lines *lines) {
    return lines->limit > 0 ? lines->limit : LINES_LIMIT;
}

int lines_refuse(const struct lines *lines, const char *file, int64_t line, const char *option,
                 struct error *e) {
    return error_at(e, file, line, 0, "the line is longer than %.10g MB%s%s%s",
                    1e-6 * (double)limit_of(lines), option != NULL ? "; " : "",
                    option != NULL ? option : "", option != NULL ? " allows more" : "");
}

/* Ends the last line of the file; if its newline is missing, one is added (the buffer always has space for it). */
static int finish(struct lines *lines) {
    if (lines->filled == 0)
        return 0;
    if (lines->bytes[lines->filled - 1] != '\n')
        lines->bytes[lines->filled++] = '\n';
    lines->length = lines->filled;
    return 1;
}

/* Ends the block after its last newline; false: the bytes from FRESH on have no newline. */
static bool cut(struct lines *lines, int64_t fresh) {
    int64_t end = lines->filled;
    while (end > fresh && lines->bytes[end - 1] != '\n')
        end--;
    if (end > fresh)
        lines->length = end;
    return end > fresh;
}

/* If a line longer than the block has a NUL byte in the bytes from FRESH on, ends the line MAX_SHOWN bytes after
 * it, so that the error message can still show the text around it. */
static bool cut_at_nul(struct lines *lines, int64_t fresh) {
    enum { MAX_SHOWN = 64 };
    int64_t from = fresh < MAX_SHOWN ? 0 : fresh - MAX_SHOWN;
    const char *nul = memchr(lines->bytes + from, '\0', (size_t)(lines->filled - from));
    if (nul == NULL || nul + MAX_SHOWN >= lines->bytes + lines->filled)
        return false;
    lines->bytes[nul + MAX_SHOWN - lines->bytes] = '\n';
    lines->length = nul + MAX_SHOWN + 1 - lines->bytes;
    return true;
}

/* The next size of the buffer, if its HELD bytes have no newline. */
static int64_t target(const struct lines *lines, int64_t block, int64_t held) {
    int64_t doubled = 2 * held, largest = limit_of(lines) + 1;
    if (held < block)
        return block;
    return doubled < largest ? doubled : largest > held ? largest : held + 1;
}

/* Reads until the block has a newline or the file ends; its first `filled` bytes have none. Complete lines before a
 * read error are returned as a block; the next call returns the error. */
static int fill(struct source *source, int64_t block, struct lines *lines, struct error *e) {
    for (int64_t unseen = 0;; unseen = lines->filled) {
        int64_t fresh = lines->filled;
        int64_t size = target(lines, block, fresh);
        int64_t got = 0;
        struct error fault = {0};
        if (lines_reserve(lines, size + 1, e) != 0)
            return -1;
        do {
            lines->filled += got;
            got = source_read(source, lines->bytes + lines->filled, size - lines->filled, &fault);
        } while (got > 0 && !source_live(source));
        lines->filled += got > 0 ? got : 0;
        if (got == 0 && lines->filled < size)
            return source_stopped(source) ? cut(lines, 0) : finish(lines);
        if (cut(lines, fresh) || cut_at_nul(lines, unseen))
            return 1;
        if (got < 0) {
            if (e != NULL)
                *e = fault;
            return -1;
        }
        if (lines->filled > limit_of(lines))
            return LINES_TOO_LONG;
    }
}

int lines_read(struct source *source, int64_t block, const struct lines *previous,
               struct lines *next, struct error *e) {
    int64_t unfinished = previous->filled - previous->length;
    if (lines_reserve(next, target(next, block, unfinished) + 1, e) != 0)
        return -1;
    if (unfinished > 0)
        memmove(next->bytes, previous->bytes + previous->length, (size_t)unfinished);
    next->filled = unfinished;
    next->length = 0;
    int status = fill(source, block, next, e);
    if (status == 1)
        memset(next->bytes + next->filled, 0, LINES_PADDING);
    return status;
}

void lines_free(struct lines *lines) {
    free(lines->bytes);
    *lines = (struct lines){.limit = lines->limit};
}
