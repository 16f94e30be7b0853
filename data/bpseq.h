/* bpseq.h - what the files of the converter bpseq share. */
#ifndef RRM_BPSEQ_H
#define RRM_BPSEQ_H

#include "io/error.h"

#include <stdint.h>

/* Removes pairs from a structure until no two pairs cross. It removes as few pairs as possible.
 * PARTNER: the position of each position's partner, from 0; -1: unpaired. Returns the number of removed pairs, or -1
 * with the error set. Time and memory are O(paired positions squared) if pairs cross, else O(length). */
int64_t bpseq_uncross(int32_t *partner, int64_t length, struct error *e);

/* Writes the sequences of the files as svmlight data to standard output; numbers on standard error. */
int bpseq_encode(char **path, int count, struct error *e);

/* Writes the sequences of the svmlight file DATA with the structures of PREDICTIONS, lines of dots and
 * brackets, to standard output. */
int bpseq_decode(const char *data, const char *predictions, struct error *e);

#endif
