/* svmlight_arrays.c - the arrays that rows are parsed into. */
#include "io/svmlight/svmlight_arrays.h"

#include "io/huge_pages.h"
#include "io/memory.h"

#include <stdlib.h>

static int resize(void *array, int64_t count, size_t size, const char *what, struct error *e) {
    return memory_resize(array, count, size, what, e);
}

int svmlight_arrays_resize(struct svmlight_rows *rows, int64_t row_count, int64_t nonzero_count,
                           bool dense) {
    struct error *e = rows->e;
    if (resize(&rows->start, row_count + 1, sizeof *rows->start, "row starts", e) != 0 ||
        resize(&rows->label, row_count, sizeof *rows->label, "labels", e) != 0 ||
        resize(&rows->weight, row_count, sizeof *rows->weight, "weights", e) != 0 ||
        resize(&rows->column, nonzero_count, sizeof *rows->column, "columns", e) != 0 ||
        resize(&rows->value, nonzero_count, sizeof *rows->value, "values", e) != 0)
        return -1;
    if (dense) {
        huge_pages_use(rows->column, (size_t)nonzero_count * sizeof *rows->column);
        huge_pages_use(rows->value, (size_t)nonzero_count * sizeof *rows->value);
    }
    return 0;
}

int svmlight_arrays_take(struct svmlight_rows *rows, struct dataset *out) {
    if (rows->row == 0 && !rows->options->is_range)
        return error_file(rows->e, rows->file, "no rows in this file");
    if (!rows->has_values) {
        free(rows->value);
        rows->value = NULL;
    }
    if (!rows->has_weights) {
        free(rows->weight);
        rows->weight = NULL;
    }
    struct error *e = rows->e;
    int64_t row_count = rows->row, nonzero_count = rows->nonzero;
    if (resize(&rows->start, row_count + 1, sizeof *rows->start, "row starts", e) != 0 ||
        resize(&rows->label, row_count, sizeof *rows->label, "labels", e) != 0 ||
        resize(&rows->column, nonzero_count, sizeof *rows->column, "columns", e) != 0)
        return -1;
    if (rows->weight != NULL &&
        resize(&rows->weight, row_count, sizeof *rows->weight, "weights", e) != 0)
        return -1;
    if (rows->value != NULL &&
        resize(&rows->value, nonzero_count, sizeof *rows->value, "values", e) != 0)
        return -1;
    rows->start[row_count] = nonzero_count;
    *out = (struct dataset){.rows = row_count,
                            .nonzeros = nonzero_count,
                            .features = rows->features,
                            .start = rows->start,
                            .column = rows->column,
                            .value = rows->value,
                            .label = rows->label,
                            .weight = rows->weight};
    rows->start = NULL;
    rows->column = NULL;
    rows->value = rows->label = rows->weight = NULL;
    return 0;
}

void svmlight_arrays_free(struct svmlight_rows *rows) {
    free(rows->start);
    free(rows->column);
    free(rows->value);
    free(rows->label);
    free(rows->weight);
    group_runs_free(&rows->runs);
    *rows = (struct svmlight_rows){0};
}
