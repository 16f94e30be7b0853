/* attested.c - the pairs of a feature and an output that occur in the data. */
#include "risk/attested.h"

#include "io/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 32 };

/* A bit for each pair: `words` words a feature. */
struct marks {
    uint32_t *bit;
    int64_t words;
};

static uint32_t *word_of(const struct marks *marks, int64_t column, int64_t output) {
    return marks->bit + column * marks->words + output / BITS;
}

static void mark(const struct marks *marks, int64_t column, int64_t output) {
    *word_of(marks, column, output) |= (uint32_t)1 << (output % BITS);
}

static bool is_marked(const struct marks *marks, int64_t column, int64_t output) {
    return *word_of(marks, column, output) >> (output % BITS) & 1;
}

static void mark_row(const struct marks *marks, const struct dataset *data, int64_t r,
                     int64_t output) {
    const int32_t *column = dataset_columns(data, r);
    const double *value = dataset_values(data, r);
    for (int64_t j = 0; j < dataset_count(data, r); j++)
        if (value == NULL || value[j] != 0)
            mark(marks, column[j], output);
}

static void mark_all(const struct marks *marks, const struct attested_settings *settings) {
    const struct dataset *data = settings->data;
    for (int64_t r = 0; r < data->rows; r++)
        if (settings->weight == NULL || settings->weight[r] > 0)
            mark_row(marks, data, r, (int64_t)settings->target[r]);
    for (int64_t k = 0; k < settings->outputs && settings->constant; k++)
        mark(marks, data->features, k);
}

static int64_t count_marks(const struct marks *marks, int64_t columns) {
    int64_t count = 0;
    for (int64_t i = 0; i < columns * marks->words; i++)
        count += __builtin_popcount(marks->bit[i]);
    return count;
}

/* The lists from the marks. */
static int make_lists(struct attested *attested, const struct marks *marks, struct error *e) {
    int64_t columns = attested->columns, count = count_marks(marks, columns), p = 0;
    if (count > INT32_MAX)
        return error_set(e, "%lld pairs of a feature and a label are too many", (long long)count);
    int32_t *list = memory_new(columns + 1 + count, sizeof *list, "the weights' places", e);
    if (list == NULL)
        return -1;
    int32_t *output = list + columns + 1;
    for (int64_t j = 0; j < columns; j++) {
        list[j] = (int32_t)p;
        for (int64_t k = 0; k < attested->outputs; k++)
            if (is_marked(marks, j, k))
                output[p++] = (int32_t)k;
    }
    list[columns] = (int32_t)p;
    attested->start = list;
    attested->output = output;
    return 0;
}

int attested_init(struct attested *attested, const struct attested_settings *settings,
                  struct error *e) {
    struct marks marks = {.words = (settings->outputs + BITS - 1) / BITS};
    int64_t columns = settings->data->features + settings->constant;
    int status = -1;
    *attested = (struct attested){.columns = columns, .outputs = settings->outputs};
    marks.bit = memory_zeroed(columns, sizeof *marks.bit * (size_t)marks.words, "pairs", e);
    if (marks.bit != NULL) {
        mark_all(&marks, settings);
        status = make_lists(attested, &marks, e);
    }
    free(marks.bit);
    return status;
}

void attested_free(struct attested *attested) {
    free((void *)attested->start);
    *attested = (struct attested){0};
}

/* ---- rows */

static int64_t column_of(const struct sparse_row *row, int64_t j) {
    return row->column == NULL ? j : row->column[j];
}

static double value_of(const struct sparse_row *row, int64_t j) {
    return row->value == NULL ? 1 : row->value[j];
}

void attested_score(const struct attested *attested, const struct sparse_row *row, const double *w,
                    double *u) {
    for (int64_t j = 0; j < row->count; j++) {
        const int32_t *range = attested->start + column_of(row, j);
        double x = value_of(row, j);
        for (int32_t p = range[0]; p < range[1]; p++)
            u[attested->output[p]] += x * w[p];
    }
}

void attested_add(const struct attested *attested, const struct sparse_row *row, double *w,
                  const double *a) {
    for (int64_t j = 0; j < row->count; j++) {
        const int32_t *range = attested->start + column_of(row, j);
        double x = value_of(row, j);
        for (int32_t p = range[0]; p < range[1]; p++)
            w[p] += x * a[attested->output[p]];
    }
}
