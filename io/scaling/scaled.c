/* scaled.c - a data set with its values scaled; see scaled.h. */
#include "io/scaling/scaled.h"

#include "io/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* What each row has in the columns that it has no entry for. */
struct moved_zeros {
    int32_t count;
    int32_t *column; /* count, ascending: those where 0 does not stay 0 */
};

struct filling {
    const struct scaling *scaling;
    const struct dataset *data;
    const struct moved_zeros *zeros;
    struct scaled *scaled;
};

static int find_zeros(const struct scaling *scaling, struct moved_zeros *zeros, struct error *e) {
    bool moves = scaling->method == SCALING_RANGE || scaling->method == SCALING_STANDARD;
    int32_t features = moves ? scaling->features : 0;
    zeros->column = memory_new(features, sizeof *zeros->column, "columns", e);
    if (zeros->column == NULL)
        return -1;
    for (int32_t j = 0; j < features; j++)
        if (scaling_value(scaling, j, 0) != 0)
            zeros->column[zeros->count++] = j;
    return 0;
}

static double value_of(const struct scaling *scaling, int32_t column, double x) {
    return column < scaling->features ? scaling_value(scaling, column, x) : x;
}

/* ---- each form of the scaled rows: fills row I; false: a value is not finite */

/* The same entries. */
static bool fill_same(const struct filling *f, int64_t i) {
    const struct dataset *data = f->data;
    const int32_t *column = dataset_columns(data, i);
    const double *value = dataset_values(data, i);
    double *out = f->scaled->value + dataset_start(data, i);
    int64_t count = dataset_count(data, i);
    bool by_row = f->scaling->method == SCALING_NORM, finite = true;
    double length = by_row ? scaling_length(value, count) : 1;
    for (int64_t k = 0; k < count; k++) {
        double x = value == NULL ? 1 : value[k];
        out[k] = by_row ? x / length : value_of(f->scaling, column[k], x);
        finite &= isfinite(out[k]) != 0;
    }
    return finite;
}

/* All features. */
static bool fill_dense(const struct filling *f, int64_t i) {
    const int32_t *column = dataset_columns(f->data, i);
    const double *value = dataset_values(f->data, i);
    int64_t count = dataset_count(f->data, i), features = f->scaled->data.features, k = 0;
    double *out = f->scaled->value + i * features;
    bool finite = true;
    for (int32_t j = 0; j < features; j++) {
        bool has = k < count && column[k] == j;
        out[j] = value_of(f->scaling, j, !has ? 0 : value == NULL ? 1 : value[k]);
        finite &= isfinite(out[j]) != 0;
        k += has;
    }
    return finite;
}

/* The entries and the zeros that move; `start` is known. */
static bool fill_merged(const struct filling *f, int64_t i) {
    const int32_t *column = dataset_columns(f->data, i);
    const double *value = dataset_values(f->data, i);
    int64_t count = dataset_count(f->data, i), k = 0, z = 0;
    bool finite = true;
    for (int64_t at = f->scaled->start[i]; at < f->scaled->start[i + 1]; at++) {
        bool zero = z < f->zeros->count && (k == count || f->zeros->column[z] < column[k]);
        int32_t j = zero ? f->zeros->column[z] : column[k];
        double x = zero ? 0 : value == NULL ? 1 : value[k];
        z += z < f->zeros->count && f->zeros->column[z] == j;
        k += !zero;
        f->scaled->column[at] = j;
        f->scaled->value[at] = value_of(f->scaling, j, x);
        finite &= isfinite(f->scaled->value[at]) != 0;
    }
    return finite;
}

static int fill(const struct filling *f, bool (*row)(const struct filling *f, int64_t i),
                struct error *e) {
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (int64_t i = 0; i < f->data->rows; i++)
        finite = row(f, i) && finite;
    return finite ? 0 : error_set(e, "a scaled value is too large for a double");
}

/* ---- the room that they take */

static int new_values(struct scaled *scaled, double count, bool more, struct error *e) {
    double bytes = count * (sizeof *scaled->value + (more ? sizeof *scaled->column : 0));
    if (bytes > 0.8 * memory_of_machine())
        return error_too_large(
            e, "out of memory: %.0f MB for scaled values%s", bytes / 1e6,
            more ? ", since zeros are scaled, too; the methods max, deviation and norm keep them"
                 : "");
    scaled->value = memory_new((int64_t)count, sizeof *scaled->value, "scaled values", e);
    if (more && scaled->value != NULL)
        scaled->column = memory_new((int64_t)count, sizeof *scaled->column, "scaled values", e);
    return scaled->value == NULL || (more && scaled->column == NULL) ? -1 : 0;
}

/* Sets `start` to that of rows with the zeros. */
static int merged_starts(const struct filling *f, struct error *e) {
    const struct dataset *data = f->data;
    struct scaled *scaled = f->scaled;
    bool *moved = memory_zeroed(scaled->data.features, sizeof *moved, "columns", e);
    scaled->start = memory_new(data->rows + 1, sizeof *scaled->start, "rows", e);
    for (int32_t z = 0; moved != NULL && z < f->zeros->count; z++)
        moved[f->zeros->column[z]] = true;
    for (int64_t i = 0, at = 0; moved != NULL && scaled->start != NULL && i <= data->rows; i++) {
        scaled->start[i] = at;
        if (i == data->rows)
            break;
        at += f->zeros->count;
        for (int64_t k = 0; k < dataset_count(data, i); k++)
            at += !moved[dataset_columns(data, i)[k]];
    }
    free(moved);
    return moved == NULL || scaled->start == NULL ? -1 : 0;
}

static int keep_entries(const struct filling *f, struct error *e) {
    int64_t entries = dataset_start(f->data, f->data->rows);
    return new_values(f->scaled, (double)entries, false, e) != 0 ? -1 : fill(f, fill_same, e);
}

static int make_dense(const struct filling *f, struct error *e) {
    struct scaled *scaled = f->scaled;
    int64_t rows = f->data->rows, features = scaled->data.features;
    if (new_values(scaled, (double)rows * (double)features, false, e) != 0)
        return -1;
    scaled->start = memory_new(rows + 1, sizeof *scaled->start, "rows", e);
    scaled->column = memory_new(features, sizeof *scaled->column, "columns", e);
    if (scaled->start == NULL || scaled->column == NULL)
        return -1;
    for (int64_t i = 0; i <= rows; i++)
        scaled->start[i] = i * features;
    for (int32_t j = 0; j < features; j++)
        scaled->column[j] = j;
    scaled->data.dense = true;
    return fill(f, fill_dense, e);
}

static int merge(const struct filling *f, struct error *e) {
    if (merged_starts(f, e) != 0 ||
        new_values(f->scaled, (double)f->scaled->start[f->data->rows], true, e) != 0)
        return -1;
    f->scaled->data.dense = false;
    return fill(f, fill_merged, e);
}

static int scale(const struct filling *f, struct error *e) {
    struct dataset *out = &f->scaled->data;
    bool same = f->zeros->count == 0;
    if (!same && out->features < f->scaling->features)
        out->features = f->scaling->features;
    same = same || (f->data->dense && out->features == f->data->features);
    if (same)
        return keep_entries(f, e);
    return 2 * (int64_t)f->zeros->count > out->features ? make_dense(f, e) : merge(f, e);
}

int scaled_init(struct scaled *scaled, const struct scaling *scaling, const struct dataset *data,
                struct error *e) {
    struct moved_zeros zeros = {0};
    const struct filling f = {.scaling = scaling, .data = data, .zeros = &zeros, .scaled = scaled};
    *scaled = (struct scaled){.data = *data};
    int status = find_zeros(scaling, &zeros, e) == 0 ? scale(&f, e) : -1;
    free(zeros.column);
    if (scaled->start != NULL) {
        scaled->data.start = scaled->start;
        scaled->data.narrow_start = NULL;
    }
    if (scaled->column != NULL)
        scaled->data.column = scaled->column;
    scaled->data.value = scaled->value;
    if (status == 0)
        scaled->data.nonzeros = dataset_start(&scaled->data, data->rows);
    return status;
}

void scaled_free(struct scaled *scaled) {
    free(scaled->start);
    free(scaled->column);
    free(scaled->value);
    *scaled = (struct scaled){0};
}
