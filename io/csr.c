/* csr.c - makes a dataset over arrays of the caller; see csr.h. */
#include "io/csr.h"

#include "io/groups.h"
#include "io/memory.h"

#include <inttypes.h>
#include <math.h>

/* ---- the starts of rows */

static int check_starts(const struct dataset *data, struct error *e) {
    if (dataset_start(data, 0) != 0)
        return error_set(e, "row 0 starts at entry %" PRId64 "; the first entry is 0",
                         dataset_start(data, 0));
    for (int64_t i = 0; i < data->rows; i++)
        if (dataset_start(data, i + 1) < dataset_start(data, i))
            return error_set(
                e, "row %" PRId64 " starts at entry %" PRId64 " and ends before it, at %" PRId64, i,
                dataset_start(data, i), dataset_start(data, i + 1));
    return 0;
}

static int set_starts(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    out->data.start = (int64_t *)csr->start.wide;
    out->data.narrow_start = csr->start.narrow;
    if (check_starts(&out->data, e) != 0)
        return -1;
    out->data.nonzeros = dataset_start(&out->data, csr->rows);
    return 0;
}

/* ---- columns */

/* Converts to 32 bits. A number that does not fit becomes the nearest one that fits; the check refuses it. */
static int32_t narrow(int64_t column) {
    if (column < 0)
        return -1;
    return column < INT32_MAX ? (int32_t)column : INT32_MAX;
}

static int refuse_column(int64_t row, int64_t entry, int32_t column, int32_t last,
                         struct error *e) {
    const char *fault = "stands behind a larger one; the columns of a row ascend";
    if (column < 0)
        return error_set(e, "row %" PRId64 ", entry %" PRId64 ": a negative column", row, entry);
    if (column == INT32_MAX)
        return error_set(
            e, "row %" PRId64 ", entry %" PRId64 ": the column is too large; the largest is %d",
            row, entry, INT32_MAX - 1);
    if (column == last)
        fault = "comes twice";
    return error_set(e, "row %" PRId64 ", entry %" PRId64 ": column %d %s", row, entry, (int)column,
                     fault);
}

/* FEATURES: as many as the caller says that there are; 0: he does not say. */
static int check_columns(struct dataset *data, int64_t features, struct error *e) {
    for (int64_t i = 0; i < data->rows; i++) {
        int32_t last = -1;
        const int32_t *columns = dataset_columns(data, i);
        for (int64_t k = 0; k < dataset_count(data, i); k++) {
            int32_t column = columns[k];
            if (column <= last || column == INT32_MAX)
                return refuse_column(i, k, column, last, e);
            if (features > 0 && column >= features)
                return error_set(e,
                                 "row %" PRId64 ", entry %" PRId64
                                 ": column %d, but there are %" PRId64 " features",
                                 i, k, (int)column, features);
            last = column;
        }
        if (last >= data->features)
            data->features = last + 1;
    }
    return 0;
}

static int take_columns(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    out->data.column = (int32_t *)csr->column.narrow;
    if (csr->column.narrow == NULL) {
        int32_t *column = memory_new(out->data.nonzeros, sizeof *column, "columns", e);
        if (column == NULL)
            return -1;
        for (int64_t k = 0; k < out->data.nonzeros; k++)
            column[k] = narrow(csr->column.wide[k]);
        out->data.column = out->owned.column = column;
    }
    out->data.features = (int32_t)csr->features;
    return check_columns(&out->data, csr->features, e);
}

/* ---- values */

static bool all_ones(const struct dataset *data) {
    for (int64_t k = 0; k < data->nonzeros; k++)
        if (dataset_entry(data, k) != 1)
            return false;
    return true;
}

static int check_values(const struct dataset *data, struct error *e) {
    for (int64_t i = 0; i < data->rows; i++)
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            if (!isfinite(dataset_entry(data, dataset_start(data, i) + k)))
                return error_set(
                    e, "row %" PRId64 ", entry %" PRId64 ", column %d: the value is not finite", i,
                    k, (int)dataset_columns(data, i)[k]);
    return 0;
}

static int take_values(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    struct dataset *data = &out->data;
    data->value = (double *)csr->value.wide;
    data->floats = csr->value.narrow;
    if (dataset_has_values(data) && (csr->dense || !all_ones(data)))
        return check_values(data, e);
    data->value = NULL;
    data->floats = NULL;
    return 0;
}

/* ---- labels, weights, groups */

static int take_labels(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    out->data.label = (double *)csr->label;
    for (int64_t i = 0; csr->label != NULL && i < csr->rows; i++)
        if (isinf(csr->label[i]))
            return error_set(e, "row %" PRId64 ": the label is not finite", i);
    if (csr->label != NULL)
        return 0;
    double *label = memory_new(csr->rows, sizeof *label, "labels", e);
    if (label == NULL)
        return -1;
    for (int64_t i = 0; i < csr->rows; i++)
        label[i] = NAN;
    out->data.label = out->owned.label = label;
    return 0;
}

/* That of a row: 0, or within the range. */
static int check_weight(int64_t row, double weight, struct error *e) {
    bool fits = weight == 0 || (weight >= example_weight_least && weight <= example_weight_most);
    return fits ? 0
                : error_set(e, "row %" PRId64 ": the weight is %g; it may be 0, or %g to %g", row,
                            weight, example_weight_least, example_weight_most);
}

static int take_weights(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    bool used = false;
    for (int64_t i = 0; csr->weight != NULL && i < csr->rows; i++) {
        if (check_weight(i, csr->weight[i], e) != 0)
            return -1;
        used = used || csr->weight[i] != 1;
    }
    out->data.weight = used ? (double *)csr->weight : NULL;
    return 0;
}

static int add_group(struct group_check *check, int64_t row, int64_t id, struct error *e) {
    struct group_run run = {.id = id};
    const struct group_runs runs = {.run = &run, .count = 1};
    struct error wrong = {0};
    if (id == GROUP_NONE)
        return error_set(e, "row %" PRId64 ": the group is out of range", row);
    if (group_check_add(check, &runs, row, 0, NULL, &wrong) == 0)
        return 0;
    if (wrong.kind == ERROR_MEMORY)
        return error_pass(e, &wrong);
    return error_set(e,
                     "row %" PRId64 ": group %" PRId64
                     " comes back after another one; the rows of a group stand together",
                     row, id);
}

static int take_groups(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    struct group_check check = {0};
    int status = 0;
    for (int64_t i = 0; csr->group != NULL && i < csr->rows && status == 0; i++)
        status = add_group(&check, i, csr->group[i], e);
    if (status == 0)
        status = group_check_finish(&check, &out->data, e);
    out->owned.group_start = out->data.group_start;
    out->owned.group_id = out->data.group_id;
    group_check_free(&check);
    return status;
}

/* ---- the dataset */

static int check_counts(const struct csr *csr, struct error *e) {
    if (csr->rows <= 0)
        return error_usage(e, "no rows in these arrays");
    if (csr->features < 0 || csr->features > INT32_MAX)
        return error_usage(e, "%" PRId64 " features; there may be 0 to %d", csr->features,
                           INT32_MAX);
    return 0;
}

static int refuse_both(const char *what, struct error *e) {
    return error_usage(e, "the %s are given twice, in two types; one array must be NULL", what);
}

static int check_dense(const struct csr *csr, struct error *e) {
    if (csr->start.narrow != NULL || csr->start.wide != NULL || csr->column.narrow != NULL ||
        csr->column.wide != NULL)
        return error_usage(e, "dense rows have neither starts nor columns");
    if (csr->value.narrow == NULL && csr->value.wide == NULL)
        return error_usage(e, "the values of the dense rows are missing");
    if (csr->value.narrow != NULL && csr->value.wide != NULL)
        return refuse_both("values", e);
    if (csr->features == 0)
        return error_usage(e, "dense rows without features");
    return csr->rows <= INT64_MAX / csr->features ? 0
                                                  : error_usage(e, "too many rows and features");
}

static int check_arrays(const struct csr *csr, struct error *e) {
    if (csr->dense)
        return check_dense(csr, e);
    if (csr->start.narrow == NULL && csr->start.wide == NULL)
        return error_usage(e, "the starts of the rows are missing");
    if (csr->start.narrow != NULL && csr->start.wide != NULL)
        return refuse_both("starts of the rows", e);
    if (csr->column.narrow != NULL && csr->column.wide != NULL)
        return refuse_both("columns", e);
    if (csr->value.narrow != NULL && csr->value.wide != NULL)
        return refuse_both("values", e);
    return 0;
}

static bool has_columns(const struct csr *csr, int64_t nonzeros) {
    return nonzeros == 0 || csr->column.narrow != NULL || csr->column.wide != NULL;
}

/* The one list of columns that all rows share; where these start is known. */
static int make_dense(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    struct dataset *owned = &out->owned;
    owned->column = memory_new(csr->features, sizeof *owned->column, "columns", e);
    if (owned->column == NULL)
        return -1;
    for (int64_t j = 0; j < csr->features; j++)
        owned->column[j] = (int32_t)j;
    out->data.column = owned->column;
    out->data.features = (int32_t)csr->features;
    out->data.nonzeros = csr->rows * csr->features;
    out->data.dense = true;
    return take_values(csr, out, e);
}

static int take_entries(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    if (csr->dense)
        return make_dense(csr, out, e);
    if (set_starts(csr, out, e) != 0)
        return -1;
    if (!has_columns(csr, out->data.nonzeros))
        return error_usage(e, "the columns of the entries are missing");
    return take_columns(csr, out, e) != 0 ? -1 : take_values(csr, out, e);
}

int csr_open(const struct csr *csr, struct csr_dataset *out, struct error *e) {
    *out = (struct csr_dataset){.data = {.rows = csr->rows}};
    if (check_counts(csr, e) != 0 || check_arrays(csr, e) != 0 || take_entries(csr, out, e) != 0 ||
        take_labels(csr, out, e) != 0 || take_weights(csr, out, e) != 0 ||
        take_groups(csr, out, e) != 0) {
        csr_close(out);
        return -1;
    }
    return 0;
}

void csr_close(struct csr_dataset *csr) {
    dataset_free(&csr->owned);
    csr->data = (struct dataset){0};
}
