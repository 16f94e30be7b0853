/* dataset_gather.h - some rows of all processes, in each of them. */
#ifndef RRM_DATASET_GATHER_H
#define RRM_DATASET_GATHER_H

#include "io/dataset.h"

/* Copies the COUNT rows numbered in `rows` (ascending, the same in all processes; counted over the rows of all) into
 * *out, which the caller frees: columns and values alone. DATA is sparse and has no window. 0, or -1 with the error
 * set, the same in all processes. */
int dataset_gather(const struct dataset *data, const int64_t *rows, int64_t count,
                   struct dataset *out, struct error *e);

#endif
