/* dataset.c - freeing and selecting rows of a dataset. */
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

static int allocate(const struct dataset *data, struct dataset *out, struct error *e) {
    out->start = memory_new(out->rows + 1, sizeof *out->start, "row starts", e);
    out->column =
        memory_new(out->dense ? out->features : out->nonzeros, sizeof *out->column, "columns", e);
    bool complete = out->start != NULL && out->column != NULL;
    if (complete && data->label != NULL) {
        out->label = memory_new(out->rows, sizeof *out->label, "labels", e);
        complete = out->label != NULL;
    }
    if (complete && dataset_has_values(data)) {
        out->value = memory_new(out->nonzeros, sizeof *out->value, "values", e);
        complete = out->value != NULL;
    }
    if (complete && data->weight != NULL) {
        out->weight = memory_new(out->rows, sizeof *out->weight, "weights", e);
        complete = out->weight != NULL;
    }
    return complete ? 0 : -1;
}

static void expand(double *to, const float *from, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        to[k] = (double)from[k];
}

int dataset_widen(struct dataset *data, struct error *e) {
    double *value = memory_new(data->nonzeros, sizeof *value, "values", e);
    if (value == NULL)
        return -1;
    expand(value, data->floats, data->nonzeros);
    data->value = value;
    data->floats = NULL;
    return 0;
}

static void copy_rows(const struct dataset *data, const int64_t *rows, struct dataset *out) {
    int64_t k = 0;
    if (data->dense)
        memcpy(out->column, data->column, sizeof *out->column * (size_t)out->features);
    for (int64_t i = 0; i < out->rows; i++) {
        size_t length = (size_t)dataset_count(data, rows[i]);
        out->start[i] = k;
        if (data->label != NULL)
            out->label[i] = data->label[rows[i]];
        if (!data->dense)
            memcpy(out->column + k, dataset_columns(data, rows[i]), length * sizeof *out->column);
        if (data->value != NULL)
            memcpy(out->value + k, dataset_values(data, rows[i]), length * sizeof *out->value);
        else if (data->floats != NULL)
            expand(out->value + k, dataset_floats(data, rows[i]), (int64_t)length);
        if (data->weight != NULL)
            out->weight[i] = data->weight[rows[i]];
        k += (int64_t)length;
    }
    out->start[out->rows] = k;
}

/* A chosen row opens a group when it lies in another group than the chosen row before it. Called
 * first without arrays, to count. */
static int64_t select_groups(const struct dataset *data, const int64_t *rows, int64_t count,
                             struct dataset *out) {
    int64_t group = -1;
    int64_t chosen = 0;
    int64_t end = 0;
    for (int64_t i = 0; i < count; i++) {
        if (rows[i] < end)
            continue;
        do
            group++;
        while (rows[i] >= data->group_start[group + 1]);
        end = data->group_start[group + 1];
        if (out != NULL) {
            out->group_start[chosen] = i;
            out->group_id[chosen] = data->group_id[group];
        }
        chosen++;
    }
    return chosen;
}

static int copy_groups(const struct dataset *data, const int64_t *rows, struct dataset *out,
                       struct error *e) {
    int64_t groups = select_groups(data, rows, out->rows, NULL);
    if (groups == 0)
        return 0;
    out->group_start = memory_new(groups + 1, sizeof *out->group_start, "groups", e);
    out->group_id = memory_new(groups, sizeof *out->group_id, "group names", e);
    if (out->group_start == NULL || out->group_id == NULL)
        return -1;
    out->groups = select_groups(data, rows, out->rows, out);
    out->group_start[groups] = out->rows;
    return 0;
}

int dataset_select(const struct dataset *data, const int64_t *rows, int64_t count,
                   struct dataset *out, struct error *e) {
    *out = (struct dataset){.rows = count, .features = data->features, .dense = data->dense};
    for (int64_t i = 0; i < count; i++)
        out->nonzeros += dataset_count(data, rows[i]);
    if (allocate(data, out, e) != 0) {
        dataset_free(out);
        return -1;
    }
    copy_rows(data, rows, out);
    if (data->groups > 0 && copy_groups(data, rows, out, e) != 0) {
        dataset_free(out);
        return -1;
    }
    return 0;
}

int dataset_copy(const struct dataset *data, struct dataset *out, struct error *e) {
    int64_t *all = memory_new(data->rows, sizeof *all, "rows", e);
    for (int64_t i = 0; all != NULL && i < data->rows; i++)
        all[i] = i;
    int status = all == NULL ? -1 : dataset_select(data, all, data->rows, out, e);
    free(all);
    return status;
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
