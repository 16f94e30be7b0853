/* tagging.h - how sequences are predicted, and how good that is.
 *
 * The labels of a sequence are the best ones (risk/sequences/chain.h), as places in the model's list. The
 * probabilities, where they are wanted, are the marginals in the crf of the weights.
 *
 * Measures: the share of rows, and of sequences, that are right; with names of which some are tags of chunks,
 * before these the F1 of chunks with its precision and recall (prediction/chunks.h). A sequence with a row that has
 * no label counts in none. A label that the model does not have is an error, and a chunk that is not found. */
#ifndef RRM_TAGGING_H
#define RRM_TAGGING_H

#include "prediction/decoder.h"

extern const struct decoder_kind tagging_decoder;

#endif
