/* line_walk.h - the lines of a text file one after another, for formats of words between blanks. */
#ifndef RRM_LINE_WALK_H
#define RRM_LINE_WALK_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct line_walk;

/* Bytes of a line; behind them stands one that is no part of a word, and 16 more that can be read. */
struct word {
    const char *text;
    int64_t length;
};

/* Plain or gzip, "-" is standard input. NULL with the error set. */
struct line_walk *line_walk_open(const char *path, struct error *e);

void line_walk_close(struct line_walk *walk);

/* The next line, without the blanks, tabs and carriage returns at its end, in *line until the next call; the
 * first one without a byte-order mark. 1, 0 at the end of the file, -1 with the error set: also for a NUL
 * byte, or a carriage return within the line, so that no word ever has one, and for a line of more than
 * LINES_LIMIT bytes. */
int line_walk_next(struct line_walk *walk, struct word *line, struct error *e);

/* What error messages call the file, and lines handed out so far. */
const char *line_walk_name(const struct line_walk *walk);
int64_t line_walk_line(const struct line_walk *walk);

/* Refuses the last line: "FILE:LINE: reason". Returns -1. */
int line_walk_refuse(const struct line_walk *walk, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Takes the first word from *line, with the blanks and tabs around it; of length 0 when none is left. */
struct word word_take(struct word *line);

/* Whether the word is TEXT. */
bool word_is(struct word word, const char *text);

/* The word whole as a finite number, or as a positive integer; false: it is none. */
bool word_real(struct word word, double *value);
bool word_integer(struct word word, int64_t *value);

/* How to print a word that may be long: "%.*s", word_shown(word), word.text */
int word_shown(struct word word);

#endif
