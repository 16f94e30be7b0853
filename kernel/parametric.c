/* parametric.c - values of the basis functions, and the kernel's rows. */
#include "kernel/parametric.h"

#include "io/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void parametric_row(const struct basis *basis, const struct dataset *data, int64_t i, double *psi) {
    for (int64_t j = 0; j < basis->count; j++) {
        const struct basis_function *function = &basis->function[j];
        double value = function->column < 0 ? 1 : dataset_value(data, i, function->column);
        psi[j] = function->column < 0 ? 1 : value;
        for (int32_t k = 1; k < function->power; k++)
            psi[j] *= value;
    }
}

/* hidden[column] for all columns of the data; the caller frees it. */
static bool *find_hidden(const struct basis *basis, const struct dataset *data, struct error *e) {
    bool *hidden = memory_zeroed(data->features, sizeof *hidden, "the basis functions' columns", e);
    if (hidden == NULL)
        return NULL;
    for (int64_t j = basis->shared; j < basis->count; j++) {
        int32_t column = basis->function[j].column;
        if (column >= 0 && column < data->features)
            hidden[column] = true;
    }
    return hidden;
}

/* Appends a row: the entries of row i that are not hidden. */
static void copy_row(const struct dataset *data, int64_t i, const bool *hidden,
                     struct dataset *out) {
    const int32_t *columns = dataset_columns(data, i);
    const double *values = dataset_values(data, i);
    for (int64_t n = 0; n < dataset_count(data, i); n++) {
        if (hidden[columns[n]])
            continue;
        if (values != NULL)
            out->value[out->nonzeros] = values[n];
        out->column[out->nonzeros++] = columns[n];
    }
    out->start[++out->rows] = out->nonzeros;
}

int parametric_kernel_rows(const struct basis *basis, const struct dataset *data,
                           const int64_t *rows, int64_t count, struct dataset *out,
                           struct error *e) {
    *out = (struct dataset){.features = data->features};
    bool *hidden = find_hidden(basis, data, e);
    int64_t max_entries = 0;
    for (int64_t k = 0; k < count; k++)
        max_entries += dataset_count(data, rows == NULL ? k : rows[k]);
    out->start = memory_zeroed(count + 1, sizeof *out->start, "the kernel's rows", e);
    out->column = memory_new(max_entries, sizeof *out->column, "the kernel's rows", e);
    if (data->value != NULL)
        out->value = memory_new(max_entries, sizeof *out->value, "the kernel's rows", e);
    bool complete = hidden != NULL && out->start != NULL && out->column != NULL &&
                    (out->value != NULL) == (data->value != NULL);
    for (int64_t k = 0; complete && k < count; k++)
        copy_row(data, rows == NULL ? k : rows[k], hidden, out);
    free(hidden);
    if (!complete)
        dataset_free(out);
    return complete ? 0 : -1;
}
