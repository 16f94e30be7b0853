/* column_subset.c - some columns of a design, copied. */
#include "matrix/column_subset.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

int column_subset_init(struct column_subset *subset, const struct design *whole, struct error *e) {
    *subset = (struct column_subset){.whole = whole};
    subset->column = memory_new(whole->columns, sizeof *subset->column, "a choice of columns", e);
    subset->position =
        memory_new(whole->data->features, sizeof *subset->position, "a choice of columns", e);
    subset->data.start = memory_zeroed(whole->rows + 1, sizeof *subset->data.start, "rows", e);
    if (subset->column == NULL || subset->position == NULL || subset->data.start == NULL)
        return -1;
    for (int64_t j = 0; j < whole->data->features; j++)
        subset->position[j] = -1;
    return 0;
}

void column_subset_free(struct column_subset *subset) {
    design_free(&subset->design);
    free(subset->column);
    free(subset->position);
    free(subset->data.start);
    free(subset->data.column);
    free(subset->data.value);
    *subset = (struct column_subset){0};
}

/* Sets the columns and their positions; returns how many are features of the data. */
static int32_t set_columns(struct column_subset *subset, const int64_t *column, int64_t count) {
    int32_t features = 0, whole_features = subset->whole->data->features;
    for (int64_t k = 0; k < subset->count && subset->column[k] < whole_features; k++)
        subset->position[subset->column[k]] = -1;
    memcpy(subset->column, column, sizeof *column * (size_t)count);
    subset->count = count;
    for (; features < count && column[features] < whole_features; features++)
        subset->position[column[features]] = features;
    return features;
}

/* Counts the chosen nonzeros of each row and sums them up to the rows' starts. */
static void count_rows(struct column_subset *subset) {
    const struct dataset *from = subset->whole->data;
    int64_t *start = subset->data.start;
#pragma omp parallel for schedule(static) if (subset->whole->threads)
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t count = 0;
        for (int64_t k = 0; k < dataset_count(from, i); k++)
            count += subset->position[dataset_columns(from, i)[k]] >= 0;
        start[i + 1] = count;
    }
    for (int64_t i = 0; i < from->rows; i++)
        start[i + 1] += start[i];
    subset->data.nonzeros = start[from->rows];
    subset->data.whole.nonzeros = communicator_total(from->communicator, start[from->rows]);
}

static void copy_rows(struct column_subset *subset) {
    const struct dataset *from = subset->whole->data;
    struct dataset *to = &subset->data;
#pragma omp parallel for schedule(static) if (subset->whole->threads)
    for (int64_t i = 0; i < from->rows; i++) {
        int64_t next = to->start[i];
        for (int64_t k = 0; k < dataset_count(from, i); k++) {
            int32_t position = subset->position[dataset_columns(from, i)[k]];
            if (position < 0)
                continue;
            to->column[next] = position;
            if (to->value != NULL)
                to->value[next] = dataset_entry(from, dataset_start(from, i) + k);
            next++;
        }
    }
}

static int reserve(struct column_subset *subset, struct error *e) {
    struct dataset *to = &subset->data;
    if (to->column != NULL && to->nonzeros <= subset->capacity)
        return 0;
    free(to->column);
    free(to->value);
    to->value = NULL;
    subset->capacity = to->nonzeros + to->nonzeros / 4;
    to->column = memory_new(subset->capacity, sizeof *to->column, "chosen columns", e);
    if (to->column != NULL && dataset_has_values(subset->whole->data)) {
        to->value = memory_new(subset->capacity, sizeof *to->value, "chosen columns", e);
        if (to->value == NULL) {
            free(to->column);
            to->column = NULL;
        }
    }
    return to->column == NULL ? -1 : 0;
}

int column_subset_build(struct column_subset *subset, const int64_t *column, int64_t count,
                        struct error *e) {
    const struct design *whole = subset->whole;
    if (count == subset->count && subset->built &&
        memcmp(column, subset->column, sizeof *column * (size_t)count) == 0)
        return 0;
    int32_t features = set_columns(subset, column, count);
    bool bias = whole->bias >= 0 && features < count && column[features] == whole->data->features;
    design_free(&subset->design);
    subset->data.rows = whole->rows;
    subset->data.features = features;
    subset->data.communicator = whole->data->communicator;
    subset->data.whole = whole->data->whole;
    count_rows(subset);
    subset->built = false;
    int status = reserve(subset, e) != 0
                     ? -1
                     : design_init(&subset->design, &subset->data, bias ? whole->bias : -1,
                                   whole->intercept, e);
    if (communicator_agree(whole->data->communicator, status, e) != 0)
        return -1;
    copy_rows(subset);
    subset->built = true;
    return 0;
}

double column_subset_share(const struct column_subset *subset) {
    const struct dataset *part = &subset->data, *whole = subset->whole->data;
    return (double)(dataset_whole_nonzeros(part) + dataset_whole_rows(part)) /
           (double)(dataset_whole_nonzeros(whole) + dataset_whole_rows(whole));
}
