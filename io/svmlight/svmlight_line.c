/* svmlight_line.c - the line number of a row in its file. */
#include "io/svmlight/svmlight_line.h"

#include "io/lines.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 18 };

struct count {
    int64_t lines, rows;
};

/* Empty lines and lines with only a comment are no rows. */
static bool holds_row(const char *line) {
    const char *token = line + strspn(line, " \t");
    return *token != '\n' && *token != '#' && !(*token == '\r' && token[1] == '\n');
}

/* Counts lines and rows; returns true at the line of the row. */
static bool count_lines(const struct lines *text, int64_t row, struct count *count) {
    const char *end = text->bytes + text->length;
    for (const char *line = text->bytes; line < end;
         line = (const char *)memchr(line, '\n', (size_t)(end - line)) + 1) {
        count->rows += holds_row(line + (count->lines == 0 ? lines_mark(line) : 0));
        count->lines++;
        if (count->rows > row)
            return true;
    }
    return false;
}

int64_t svmlight_line(const char *path, int64_t row) {
    struct lines text = {0};
    struct count count = {0};
    bool found = false;
    struct source *source = strcmp(path, "-") == 0 ? NULL : source_open(path, NULL);
    while (source != NULL && !found && lines_read(source, BLOCK_BYTES, &text, &text, NULL) == 1)
        found = count_lines(&text, row, &count);
    if (source != NULL)
        source_close(source);
    lines_free(&text);
    return found ? count.lines : 0;
}

int svmlight_refuse_row(const char *path, int64_t row, const char *words, struct error *e) {
    int64_t line = svmlight_line(path, row);
    if (line > 0)
        return error_at(e, path, line, 0, "%s", words);
    if (path[0] == '\0')
        return error_set(e, "row %" PRId64 ": %s", row, words);
    return error_file(e, path, "example %" PRId64 ": %s", row + 1, words);
}
