/* same_dataset.h - two datasets with the same numbers. Include after cmocka.h. */
#ifndef RRM_SAME_DATASET_H
#define RRM_SAME_DATASET_H

#include "io/dataset.h"

static inline void assert_same_array(const void *a, const void *b, int64_t count, size_t size) {
    assert_int_equal(a == NULL, b == NULL);
    if (a != NULL && count > 0)
        assert_memory_equal(a, b, (size_t)count * size);
}

static inline void assert_same(const struct dataset *a, const struct dataset *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->nonzeros, b->nonzeros);
    assert_int_equal(a->features, b->features);
    assert_int_equal(a->groups, b->groups);
    assert_same_array(a->start, b->start, a->rows + 1, sizeof *a->start);
    if (a->nonzeros > 0)
        assert_same_array(a->column, b->column, a->nonzeros, sizeof *a->column);
    assert_same_array(a->value, b->value, a->nonzeros, sizeof *a->value);
    assert_same_array(a->label, b->label, a->rows, sizeof *a->label);
    assert_same_array(a->weight, b->weight, a->rows, sizeof *a->weight);
    assert_same_array(a->group_start, b->group_start, a->groups + 1, sizeof *a->group_start);
    assert_same_array(a->group_id, b->group_id, a->groups, sizeof *a->group_id);
}

#endif
