/* corpus.h - sequences in columns, the format of CoNLL's shared tasks and of CRF++: a line for each word, columns
 * separated by blanks or tabs, the same number of columns in every line, and an empty line between sentences. */
#ifndef RRM_CORPUS_H
#define RRM_CORPUS_H

#include "io/error.h"

#include <stdint.h>

struct corpus {
    int64_t rows, width; /* rows x width words */
    int64_t sentences;
    int64_t *start; /* sentences + 1: the first row of each */
    int64_t *word;  /* rows x width: offset of each string in `text`; a 0 ends it */
    char *text;
    int64_t longest; /* bytes of the longest string */
};

/* Reads the file PATH ("-": standard input), plain or gzip. -1 with the error set: no words, a line with
 * another number of columns, a NUL byte: "FILE:LINE: reason". */
int corpus_read(const char *path, struct corpus *corpus, struct error *e);

static inline const char *corpus_word(const struct corpus *corpus, int64_t row, int64_t column) {
    return corpus->text + corpus->word[row * corpus->width + column];
}

void corpus_free(struct corpus *corpus);

#endif
