/* dataset.c - freeing a dataset, finding in it, and appending to it. */
#include "io/dataset.h"

#include "io/ascending.h"
#include "io/dataset_window.h"
#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

int64_t dataset_largest_group(const struct dataset *data) {
    int64_t largest = 1;
    for (int64_t g = 0; g < data->groups; g++) {
        int64_t rows = data->group_start[g + 1] - data->group_start[g];
        largest = rows > largest ? rows : largest;
    }
    return largest;
}

static void free_arrays(struct dataset *data) {
    free(data->start);
    free(data->column);
    if (data->window != NULL)
        data->window->free(data->window);
    else
        free(data->value);
    free(data->label);
    free(data->group_start);
    free(data->group_id);
}

void dataset_free(struct dataset *data) {
    if (data->map == NULL) {
        free_arrays(data);
    } else {
        if (data->window != NULL)
            data->window->free(data->window);
        munmap(data->map, (size_t)data->map_bytes);
    }
    free(data->weight);
    *data = (struct dataset){0};
}

/* Enlarges an array of numbers. If there was none yet, its first OLD numbers become 1. */
static int enlarge(double **array, bool needed, int64_t old, int64_t count, const char *what,
                   struct error *e) {
    bool fresh = *array == NULL;
    if (!needed && fresh)
        return 0;
    if (memory_resize((void **)array, count, sizeof **array, what, e) != 0)
        return -1;
    for (int64_t k = 0; fresh && k < old; k++)
        (*array)[k] = 1;
    return 0;
}

double dataset_value(const struct dataset *data, int64_t i, int32_t column) {
    const int32_t *columns = dataset_columns(data, i);
    const double *values = dataset_values(data, i);
    int64_t count = dataset_count(data, i), at = column;
    if (at >= count || columns[at] != column) /* an entry before it is left out */
        at = first_not_below(columns, 0, count, column);
    if (at == count || columns[at] != column)
        return 0;
    return values == NULL ? 1 : values[at];
}

int dataset_append(struct dataset *data, const struct dataset *more, int64_t from, int64_t to,
                   struct error *e) {
    int64_t rows = data->rows + to - from, first = dataset_start(more, from);
    int64_t added = dataset_start(more, to) - first, nonzeros = data->nonzeros + added;
    if (memory_resize((void **)&data->start, rows + 1, sizeof *data->start, "row starts", e) != 0 ||
        memory_resize((void **)&data->column, nonzeros, sizeof *data->column, "columns", e) != 0 ||
        memory_resize((void **)&data->label, rows, sizeof *data->label, "labels", e) != 0 ||
        enlarge(&data->value, dataset_has_values(more), data->nonzeros, nonzeros, "values", e) !=
            0 ||
        enlarge(&data->weight, more->weight != NULL, data->rows, rows, "weights", e) != 0)
        return -1;
    for (int64_t i = from; i <= to; i++)
        data->start[data->rows + i - from] = data->nonzeros + dataset_start(more, i) - first;
    for (int64_t i = from; i < to; i++)
        memcpy(data->column + data->start[data->rows + i - from], dataset_columns(more, i),
               (size_t)dataset_count(more, i) * sizeof(int32_t));
    memcpy(data->label + data->rows, more->label + from, (size_t)(to - from) * sizeof(double));
    for (int64_t k = 0; data->value != NULL && k < added; k++)
        data->value[data->nonzeros + k] = dataset_entry(more, first + k);
    for (int64_t i = from; data->weight != NULL && i < to; i++)
        data->weight[data->rows + i - from] = more->weight == NULL ? 1 : more->weight[i];
    for (int64_t k = data->nonzeros; k < nonzeros; k++)
        if (data->column[k] >= data->features)
            data->features = data->column[k] + 1;
    data->rows = rows;
    data->nonzeros = nonzeros;
    return 0;
}
