/* rna_decoder.h - predicted structures of RNA, and how good they are.
 *
 * A prediction is the best structure of a sequence: for each row its partner within the sequence, from 0, or -1.
 * Measured by pairs, over all sequences: F, sensitivity, PPV, and the mean F of a sequence that has or is
 * predicted to have pairs. Pairs of the data that are no A-U, C-G or G-U are among those to be found. A sequence
 * with a row that has no label counts in none. */
#ifndef RRM_RNA_DECODER_H
#define RRM_RNA_DECODER_H

#include "prediction/decoder.h"

extern const struct decoder_kind rna_decoder;

#endif
