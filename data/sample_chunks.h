/* sample_chunks.h - sentences of a small grammar, in columns: word, part of speech, chunk. */
#ifndef RRM_SAMPLE_CHUNKS_H
#define RRM_SAMPLE_CHUNKS_H

#include "math/random/random.h"

#include <stdio.h>

/* Writes a sentence and an empty line. */
void sample_chunks_write(struct random *random, FILE *file);

#endif
