/* same_dataset.h - whether two datasets have the same numbers, and lack the same arrays. */
#ifndef RRM_SAME_DATASET_H
#define RRM_SAME_DATASET_H

#include "io/dataset.h"

#include <string.h>

static inline bool same_array(const void *a, const void *b, int64_t count, size_t size) {
    return (a == NULL) == (b == NULL) &&
           (a == NULL || count == 0 || memcmp(a, b, (size_t)count * size) == 0);
}

static inline bool same_dataset(const struct dataset *a, const struct dataset *b) {
    return a->rows == b->rows && a->nonzeros == b->nonzeros && a->features == b->features &&
           a->groups == b->groups &&
           same_array(a->start, b->start, a->rows + 1, sizeof *a->start) &&
           (a->nonzeros == 0 || same_array(a->column, b->column, a->nonzeros, sizeof *a->column)) &&
           same_array(a->value, b->value, a->nonzeros, sizeof *a->value) &&
           same_array(a->label, b->label, a->rows, sizeof *a->label) &&
           same_array(a->weight, b->weight, a->rows, sizeof *a->weight) &&
           same_array(a->group_start, b->group_start, a->groups + 1, sizeof *a->group_start) &&
           same_array(a->group_id, b->group_id, a->groups, sizeof *a->group_id);
}

#endif
