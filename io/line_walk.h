/* line_walk.h - reads a text file line by line, for formats whose words are separated by blanks. */
#ifndef RRM_LINE_WALK_H
#define RRM_LINE_WALK_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct line_walk;

/* Bytes of a line. The byte after them belongs to no word, and 16 more bytes are readable. */
struct word {
    const char *text;
    int64_t length;
};

/* Opens a plain or compressed file (io/unpack.h); "-" is standard input. NULL with the error set; else the caller
 * closes it. */
struct line_walk *line_walk_open(const char *path, struct error *e);

void line_walk_close(struct line_walk *walk);

/* Reads the next line into *line, valid until the next call, without blanks, tabs and carriage returns at its end
 * and without the file's byte-order mark. Returns 1, 0 at the end of the file, -1 with the error set; a NUL byte, a
 * carriage return within the line and a line of more than LINES_LIMIT bytes are errors too. */
int line_walk_next(struct line_walk *walk, struct word *line, struct error *e);

/* The file's name for error messages, and the number of lines read so far. */
const char *line_walk_name(const struct line_walk *walk);
int64_t line_walk_line(const struct line_walk *walk);

/* Refuses the last line: "FILE:LINE: reason". Returns -1. */
int line_walk_refuse(const struct line_walk *walk, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Removes the first word and the blanks and tabs around it from *line and returns it; length 0: no word is left. */
struct word word_take(struct word *line);

/* Whether the word is TEXT. */
bool word_is(struct word word, const char *text);

/* Parses the entire word as a finite number, or as a positive integer; false: it is not one. */
bool word_real(struct word word, double *value);
bool word_integer(struct word word, int64_t *value);

/* The bytes of a word that messages print: "%.*s", word_shown(word), word.text */
int word_shown(struct word word);

#endif
