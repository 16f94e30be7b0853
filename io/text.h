/* text.h - reads a strict text format, such as a model file, word by word.
 *
 * Memory is one block of fixed size. Every function that returns int returns 0, or -1 with the error set to
 * "FILE:LINE:COLUMN: reason"; line and column are the beginning of the refused word. */
#ifndef RRM_TEXT_H
#define RRM_TEXT_H

#include "io/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

/* Opens a plain or compressed file (io/unpack.h), with or without a byte-order mark; "-" is standard input. NULL with
 * the error set. */
struct text *text_open(const char *path, struct error *e);

void text_close(struct text *text);

/* Bytes of a plain regular file; -1: not known. */
int64_t text_size(const struct text *text);

/* The next byte, without reading past it; -1 at the end of the file or after a failed read (the next call that
 * returns a status reports it). */
int text_peek(struct text *text, struct error *e);

/* True if the text continues with WORD; reads nothing. Call it after text_peek. */
bool text_look(const struct text *text, const char *word);

/* Reads the byte C; for a newline, carriage return and newline will do. Refuses anything else: "EXPECTED expected". */
int text_expect(struct text *text, char c, const char *expected, struct error *e);

int text_expect_blank(struct text *text, struct error *e);
int text_expect_newline(struct text *text, struct error *e);

/* Reads the word WORD. */
int text_expect_word(struct text *text, const char *word, struct error *e);

/* Reads a word: 1 to SIZE - 1 printable bytes up to a blank, colon or newline. */
int text_word(struct text *text, char *word, size_t size, const char *expected, struct error *e);

/* Reads a word of at most MAX_LENGTH bytes, which may be more than a block; *word is a new string that the caller
 * frees. */
int text_long_word(struct text *text, int64_t max_length, char **word, const char *expected,
                   struct error *e);

/* Reads a finite number that ends at a blank, colon or newline. */
int text_real(struct text *text, double *value, const char *expected, struct error *e);

/* Reads an integer without sign, point or exponent; LOW <= value <= HIGH. */
int text_integer(struct text *text, int64_t low, int64_t high, int64_t *value, const char *expected,
                 struct error *e);

/* Skips blanks, tabs and carriage returns, in formats that allow any number of them. */
int text_skip_blanks(struct text *text, struct error *e);

/* Sets an error at the word that was read last, or where a word was expected. Returns -1. */
int text_fail(const struct text *text, struct error *e, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses anything but the end of the file. */
int text_expect_end(struct text *text, struct error *e);

#endif
