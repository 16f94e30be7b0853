/* dataset_select.h - some rows of a dataset, or all, copied into one of their own. */
#ifndef RRM_DATASET_SELECT_H
#define RRM_DATASET_SELECT_H

#include "io/dataset.h"

/* Copies the COUNT rows numbered in `rows` (ascending) into *out, which the caller frees; the
 * number of features stays that of `data`. Groups are kept, as runs of the rows chosen. Rows that are not in memory
 * are read in one pass. */
int dataset_select(const struct dataset *data, const int64_t *rows, int64_t count,
                   struct dataset *out, struct error *e);

/* The same of all rows. */
int dataset_copy(const struct dataset *data, struct dataset *out, struct error *e);

/* Converts floats to doubles, a new array `value` that the caller frees. 0, or -1 with the error set. */
int dataset_widen(struct dataset *data, struct error *e);

#endif
