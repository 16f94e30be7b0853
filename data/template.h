/* template.h - which features the words of a sentence have, in the form of CRF++'s templates.
 *
 *     # the word before and this word
 *     U05:%x[-1,0]/%x[0,0]
 *     B
 *
 * A line that begins with U is a feature of every word: the line itself, with %x[ROW,COLUMN] replaced by
 * what stands in that column (from 0), so many rows below the word or above it (negative). Beyond the ends
 * of the sentence it is _B-1, _B-2 ... before the first word and _B+1, _B+2 ... behind the last. Lines that
 * begin with B and have no %x ask for the transitions between labels, which a chain always has. */
#ifndef RRM_TEMPLATE_H
#define RRM_TEMPLATE_H

#include "data/corpus.h"
#include "io/error.h"

#include <stdint.h>

enum { TEMPLATE_MOST_ROWS = 1000 }; /* up or down */

/* Some text, and what replaces the %x behind it. */
struct template_piece {
    int64_t text, length; /* place in the template's text */
    int64_t row, column;  /* column -1: nothing follows */
};

struct template {
    int64_t units;                /* features of a word */
    int64_t *first;               /* units + 1: the first piece of each */
    struct template_piece *piece; /* first[units] */
    char *text;
};

/* Reads the file PATH for words of COLUMNS columns. -1 with the error "FILE:LINE: reason". */
int template_read(const char *path, int64_t columns, struct template *template, struct error *e);

/* Bytes that a feature of these words can have at most, with a 0 behind them; -1: no memory has so many. */
int64_t template_room(const struct template *template, const struct corpus *corpus);

/* Writes feature number UNIT (from 0) of the word in row ROW, which is in sentence SENTENCE, to TEXT, with a 0
 * behind it. Returns its length. */
int64_t template_expand(const struct template *template, int64_t unit, const struct corpus *corpus,
                        int64_t sentence, int64_t row, char *text);

void template_free(struct template *template);

#endif
