/* template.h - the features of the words of a sentence, as CRF++'s templates define them.
 *
 *     # the word before and this word
 *     U05:%x[-1,0]/%x[0,0]
 *     B
 *
 * A line that begins with U is a feature of every word. Its string is the line, in which each %x[ROW,COLUMN] is
 * replaced by the entry of column COLUMN (from 0) ROW rows below the word (ROW < 0: above). Before the first word of
 * the sentence the entries are _B-1, _B-2 ..., after the last _B+1, _B+2 ... A line that begins with B and has no %x
 * asks for the transitions between labels; a chain has these always, so the line changes nothing. */
#ifndef RRM_TEMPLATE_H
#define RRM_TEMPLATE_H

#include "data/corpus.h"
#include "io/error.h"

#include <stdint.h>

enum { TEMPLATE_MAX_ROWS = 1000 }; /* rows above or below the word */

/* Some text and the macro %x[row,column] that follows it. */
struct template_piece {
    int64_t text, length; /* offset and bytes in the template's text */
    int64_t row, column;  /* column -1: no macro follows */
};

struct template {
    int64_t units;                /* features of a word */
    int64_t *first;               /* units + 1: the first piece of each */
    struct template_piece *piece; /* first[units] */
    char *text;
};

/* Reads the file PATH for words of COLUMNS columns. -1 with the error "FILE:LINE: reason". */
int template_read(const char *path, int64_t columns, struct template *template, struct error *e);

/* The largest number of bytes, with the final 0, of a feature's string in this corpus; -1: it overflows. */
int64_t template_bytes(const struct template *template, const struct corpus *corpus);

/* Writes feature number UNIT (from 0) of the word in row ROW, which is in sentence SENTENCE, to TEXT and
 * appends a 0. Returns its length. */
int64_t template_expand(const struct template *template, int64_t unit, const struct corpus *corpus,
                        int64_t sentence, int64_t row, char *text);

void template_free(struct template *template);

#endif
