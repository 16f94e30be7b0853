/* label_pairs.h - the pairs (i, j), i < j, of one-vs-one models, numbered as in LIBSVM: (0, 1), (0, 2), ..., (1, 2),
 * ... */
#ifndef RRM_LABEL_PAIRS_H
#define RRM_LABEL_PAIRS_H

#include <stdint.h>

/* The largest number of labels of a one-vs-one model. */
enum { LABEL_PAIRS_MAX = 1000 };

/* The number of pairs of COUNT labels, COUNT (COUNT - 1) / 2. */
int64_t label_pairs_count(int64_t count);

/* The number of the pair i < j of COUNT labels. */
int64_t label_pairs_index(int64_t count, int64_t i, int64_t j);

/* The labels i < j of the pair with this number. */
void label_pairs_of(int64_t count, int64_t index, int64_t *i, int64_t *j);

#endif
