/* text.h - reading a small strict text format word by word, knowing line and column.
 *
 * For model files. Memory is one block, whatever the file claims. Every function that returns int
 * gives 0, or -1 with the error set to "FILE:LINE:COLUMN: reason", the place being the beginning of
 * the word at fault. */
#ifndef RRM_TEXT_H
#define RRM_TEXT_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* Plain or gzip, with or without a byte-order mark; "-" is standard input. NULL with the error set. */
struct text *text_open(const char *path, struct error *e);

void text_close(struct text *text);

/* Bytes of a plain regular file; -1 when not known. */
int64_t text_size(const struct text *text);

/* The next byte, not taken; -1 at the end of the file or when reading failed (the next call that
 * can fail says so). */
int text_peek(struct text *text, struct error *e);

/* True when WORD stands here (after text_peek); nothing is taken. */
bool text_look(const struct text *text, const char *word);

/* Takes the byte C, a newline also as carriage return and newline; anything else is refused as "EXPECTED
 * expected". */
int text_expect(struct text *text, char c, const char *expected, struct error *e);

/* Takes printable bytes up to a blank, colon or newline: 1 to SIZE - 1 of them. */
int text_word(struct text *text, char *word, size_t size, const char *expected, struct error *e);

/* Takes printable bytes up to the same ends, at most MOST of them, however many that are; *word is a new
 * string that the caller frees. */
int text_long_word(struct text *text, int64_t most, char **word, const char *expected,
                   struct error *e);

/* Takes a finite number that ends at a blank, colon or newline. */
int text_real(struct text *text, double *value, const char *expected, struct error *e);

/* The same without a sign, point or exponent, and LOW <= value <= HIGH. */
int text_integer(struct text *text, int64_t low, int64_t high, int64_t *value, const char *expected,
                 struct error *e);

/* Takes blanks, tabs and carriage returns, for formats that are loose about them. */
int text_skip_blanks(struct text *text, struct error *e);

/* Refuses the word that was taken last, or the place where one was expected. */
int text_fail(const struct text *text, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses anything but the end of the file. */
int text_expect_end(struct text *text, struct error *e);

#endif
