/* dataset_select.c - rows of a dataset, copied. */
#include "io/dataset_select.h"

#include "io/memory.h"
#include "io/window.h"

#include <stdlib.h>
#include <string.h>

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

/* Row i becomes the row `to` of OUT, its entries those from the k-th on. */
static void copy_row(const struct dataset *data, int64_t i, struct dataset *out, int64_t to,
                     int64_t k) {
    size_t length = (size_t)dataset_count(data, i);
    out->start[to] = k;
    if (data->label != NULL)
        out->label[to] = data->label[i];
    if (!data->dense)
        memcpy(out->column + k, dataset_columns(data, i), length * sizeof *out->column);
    if (data->value != NULL)
        memcpy(out->value + k, dataset_values(data, i), length * sizeof *out->value);
    else if (data->floats != NULL)
        expand(out->value + k, dataset_floats(data, i), (int64_t)length);
    if (data->weight != NULL)
        out->weight[to] = data->weight[i];
}

static void copy_rows(const struct dataset *data, const int64_t *rows, struct dataset *out) {
    struct window_rows at = window_rows(data, NULL, 0, data->rows);
    int64_t i = 0, k = 0;
    if (data->dense)
        memcpy(out->column, data->column, sizeof *out->column * (size_t)out->features);
    while (window_next(&at))
        for (; i < out->rows && rows[i] < at.to; i++) {
            copy_row(data, rows[i], out, i, k);
            k += dataset_count(data, rows[i]);
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
