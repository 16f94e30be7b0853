/* rna_decoder.h - predicts and measures structures of RNA.
 *
 * A prediction is the best structure of a sequence: for each row its partner within the sequence, from 0, or -1.
 * Measures of pairs over all sequences: F, sensitivity, PPV; and the mean of F over sequences with true or
 * predicted pairs. True pairs other than A-U, C-G and G-U count as pairs to be found. A sequence with an unlabeled
 * row is not measured. */
#ifndef RRM_RNA_DECODER_H
#define RRM_RNA_DECODER_H

#include "prediction/decoder.h"

extern const struct decoder_kind rna_decoder;

#endif
