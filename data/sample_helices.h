/* sample_helices.h - sequences of RNA with their structures, in the bpseq format. */
#ifndef RRM_SAMPLE_HELICES_H
#define RRM_SAMPLE_HELICES_H

#include "math/random/random.h"

#include <stdio.h>

/* Writes a sequence: a line for each base, with its position, the base and the position of its partner or 0. */
void sample_helices_write(struct random *random, FILE *file);

#endif
