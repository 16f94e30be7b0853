/* tagging.h - predicts and measures sequences.
 *
 * The prediction is the labeling with the largest score (risk/sequences/chain.h), as indices in the model's list.
 * The probabilities are the marginals of the conditional random field with the model's weights.
 *
 * Measures: the share of correct rows and of correct sequences. If label names are tags of chunks, the F1 of chunks
 * with precision and recall (prediction/chunks.h) comes before these. A sequence with an unlabeled row is not
 * measured. A label that the model does not have counts as a wrong prediction and as a chunk that is not found. */
#ifndef RRM_TAGGING_H
#define RRM_TAGGING_H

#include "prediction/decoder.h"

extern const struct decoder_kind tagging_decoder;

#endif
