/* columns.c - a column-wise copy of a design. */
#include "matrix/columns.h"

#include "io/memory.h"

#include <stdlib.h>

/* Counts the nonzeros of each column and sums them up to the columns' starts. */
static void count_columns(struct columns *columns) {
    const struct dataset *data = columns->design->data;
    for (int64_t k = 0; !data->dense && k < data->nonzeros; k++)
        columns->start[data->column[k] + 1]++;
    for (int64_t j = 0; data->dense && j < data->features; j++)
        columns->start[j + 1] = data->rows;
    for (int64_t j = 0; j < data->features; j++)
        columns->start[j + 1] += columns->start[j];
}

/* Appends each row's entries to their columns. A column's start serves as the index of its next entry; at the
 * end each equals the start of the next column, and they are shifted back. */
static void fill_columns(struct columns *columns) {
    const struct dataset *data = columns->design->data;
    int64_t *next = columns->start;
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = 0; k < dataset_count(data, i); k++) {
            int64_t entry = next[dataset_columns(data, i)[k]]++;
            columns->row[entry] = (int32_t)i;
            if (columns->value != NULL)
                columns->value[entry] = dataset_entry(data, dataset_start(data, i) + k);
        }
    for (int64_t j = data->features; j > 0; j--)
        next[j] = next[j - 1];
    next[0] = 0;
}

int columns_init(struct columns *columns, const struct design *design, struct error *e) {
    const struct dataset *data = design->data;
    *columns = (struct columns){.design = design};
    if (data->rows > INT32_MAX)
        return error_set(e,
                         "%lld rows are too many for a column-wise copy; a gradient of all "
                         "components needs none",
                         (long long)data->rows);
    columns->start = memory_zeroed(data->features + 1, sizeof *columns->start, "columns", e);
    columns->row = memory_new(data->nonzeros, sizeof *columns->row, "columns", e);
    if (columns->start == NULL || columns->row == NULL)
        return -1;
    if (dataset_has_values(data)) {
        columns->value = memory_new(data->nonzeros, sizeof *columns->value, "columns", e);
        if (columns->value == NULL)
            return -1;
    }
    count_columns(columns);
    fill_columns(columns);
    return 0;
}

void columns_free(struct columns *columns) {
    free(columns->start);
    free(columns->row);
    free(columns->value);
    *columns = (struct columns){0};
}

static double sum_entries(const double *c, int64_t rows) {
    double sum = 0;
    for (int64_t i = 0; i < rows; i++)
        sum += c[i];
    return sum;
}

static double combine_column(const struct columns *columns, const double *c, int64_t j) {
    const struct design *design = columns->design;
    if (j >= design->data->features)
        return sum_entries(c, design->rows) * (j < design->regularized ? design->bias : 1);
    int64_t from = columns->start[j];
    return sparse_dot(c, columns->row + from, columns->value == NULL ? NULL : columns->value + from,
                      columns->start[j + 1] - from);
}

void columns_combine(const struct columns *columns, const double *c, const int64_t *list,
                     int64_t count, double *g) {
#pragma omp parallel for schedule(dynamic, 16) if (columns->design->threads)
    for (int64_t k = 0; k < count; k++)
        g[list[k]] = combine_column(columns, c, list[k]);
}
