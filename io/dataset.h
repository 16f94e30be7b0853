/* dataset.h - labelled sparse rows, read-only once loaded.
 *
 * Row i has the columns column[start[i]] .. column[start[i+1]-1], ascending, and the values at the
 * same places; `value` is NULL when every value is 1 (text, one-hot data), which saves two thirds
 * of the memory and of the bytes that a pass moves. */
#ifndef RRM_DATASET_H
#define RRM_DATASET_H

#include "io/error.h"

#include <stdint.h>

struct dataset {
    int64_t rows;
    int64_t nonzeros;
    int32_t features; /* largest column + 1 */
    int64_t *start;   /* rows + 1 */
    int32_t *column;  /* nonzeros; from 0 */
    double *value;    /* nonzeros; NULL: all are 1 */
    double *label;    /* rows; not-a-number where the line has "?" */
    double *weight;   /* rows, from "cost:"; NULL: all are 1 */

    /* Groups (queries, sequences) are runs of consecutive rows with one "qid:". */
    int64_t groups;       /* 0 when the file has no qid */
    int64_t *group_start; /* groups + 1 row numbers; NULL without groups */
    int64_t *group_id;    /* groups; NULL without groups */
};

/* Frees the arrays and leaves an empty dataset. */
void dataset_free(struct dataset *data);

/* Copies the COUNT rows numbered in `rows` (ascending) into *out, which the caller frees; the
 * number of features stays that of `data`. Groups are kept, as runs of the rows chosen. */
int dataset_select(const struct dataset *data, const int64_t *rows, int64_t count,
                   struct dataset *out, struct error *e);

#endif
