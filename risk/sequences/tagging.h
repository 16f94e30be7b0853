/* tagging.h - how sequences are predicted, and how good that is.
 *
 * A sequence's labels are the best sequence's (risk/sequences/chain.h), a line a row in the order of the data; behind
 * each label, where they are wanted, the row's scores, or its labels' probabilities in the crf of the weights.
 * With names, these stand in the labels' place.
 *
 * Measures: the share of rows, and of sequences, that are right; with names of which some are tags of chunks,
 * before these the F1 of chunks with its precision and recall (risk/sequences/chunks.h). A sequence with a row that has
 * no label counts in none. A label that the model does not have is an error, and a chunk that is not found. */
#ifndef RRM_TAGGING_H
#define RRM_TAGGING_H

#include "prediction/decoder.h"

extern const struct decoder_kind tagging_decoder;

#endif
