/* bpseq.h - what the parts of the converter share. */
#ifndef RRM_BPSEQ_H
#define RRM_BPSEQ_H

#include "io/error.h"

#include <stdint.h>

/* Takes pairs out of a structure (partners from 0, or -1), as few as there can be, until none cross; how many,
 * or -1 with the error set. Time and memory O(paired positions squared), where pairs cross. */
int64_t bpseq_uncross(int32_t *partner, int64_t length, struct error *e);

/* Writes the sequences of the files as svmlight data to standard output; numbers on standard error. */
int bpseq_encode(char **path, int count, struct error *e);

/* Writes the sequences of the svmlight file DATA with the structures of PREDICTIONS, lines of dots and
 * brackets, to standard output. */
int bpseq_decode(const char *data, const char *predictions, struct error *e);

#endif
