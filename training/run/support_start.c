/* support_start.c - support vectors are looked up among the rows of the data. */
#include "training/run/support_start.h"

#include "io/memory.h"
#include "kernel/parametric.h"
#include "kernel/precomputed.h"

#include <stdlib.h>
#include <string.h>

/* Rows by their content: chains of rows with the same hash, in ascending order. */
struct row_table {
    const struct dataset *data;
    int64_t buckets; /* a power of 2 */
    int64_t *first;  /* buckets; -1: none */
    int64_t *next;   /* rows; -1: the last */
};

static double value_of(const struct dataset *data, int64_t i, int64_t n) {
    const double *value = dataset_values(data, i);
    return value == NULL ? 1 : value[n];
}

static uint64_t hash_row(const struct dataset *data, int64_t i) {
    uint64_t hash = 0;
    for (int64_t n = 0; n < dataset_count(data, i); n++) {
        double value = value_of(data, i, n);
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        hash = (hash ^ bits ^ (uint64_t)dataset_columns(data, i)[n]) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static bool is_equal(const struct dataset *a, int64_t i, const struct dataset *b, int64_t k) {
    int64_t count = dataset_count(a, i);
    if (count != dataset_count(b, k))
        return false;
    for (int64_t n = 0; n < count; n++)
        if (dataset_columns(a, i)[n] != dataset_columns(b, k)[n] ||
            value_of(a, i, n) != value_of(b, k, n))
            return false;
    return true;
}

static int table_init(struct row_table *table, const struct dataset *data, struct error *e) {
    *table = (struct row_table){.data = data, .buckets = 1};
    while (table->buckets < data->rows)
        table->buckets *= 2;
    table->first = memory_new(table->buckets, sizeof *table->first, "the start", e);
    table->next = memory_new(data->rows, sizeof *table->next, "the start", e);
    if (table->first == NULL || table->next == NULL)
        return -1;
    memset(table->first, -1, sizeof *table->first * (size_t)table->buckets);
    for (int64_t i = data->rows - 1; i >= 0; i--) {
        int64_t *first = &table->first[hash_row(data, i) & (uint64_t)(table->buckets - 1)];
        table->next[i] = *first;
        *first = i;
    }
    return 0;
}

static void table_free(struct row_table *table) {
    free(table->first);
    free(table->next);
}

/* The first row that is equal to point k, which the table then no longer has; or -1. */
static int64_t take_row(struct row_table *table, const struct dataset *points, int64_t k) {
    int64_t *link = &table->first[hash_row(points, k) & (uint64_t)(table->buckets - 1)];
    while (*link >= 0 && !is_equal(table->data, *link, points, k))
        link = &table->next[*link];
    int64_t found = *link;
    if (found >= 0)
        *link = table->next[found];
    return found;
}

static bool same_basis(const struct basis *a, const struct basis *b) {
    bool same = a->count == b->count && a->shared == b->shared;
    for (int64_t j = 0; same && j < a->count; j++)
        same = a->function[j].column == b->function[j].column &&
               a->function[j].power == b->function[j].power;
    return same;
}

static void copy_weights(const struct model *start, struct row_table *table, bool with_basis,
                         double scale, struct model *rows) {
    int64_t points = start->points.rows, bases = rows->dimension - rows->features;
    for (int64_t p = 0; p < points; p++) {
        int64_t i = take_row(table, &start->points, p);
        for (int64_t k = 0; i >= 0 && k < start->vectors; k++)
            rows->w[k * rows->dimension + i] = scale * start->w[k * start->dimension + p];
    }
    for (int64_t k = 0; k < start->vectors && with_basis; k++)
        memcpy(rows->w + k * rows->dimension + rows->features,
               start->w + k * start->dimension + points, sizeof *rows->w * (size_t)bases);
}

int support_start(const struct model *start, const struct kernel_part *kernel,
                  const struct dataset *data, double lambda, struct model *rows, struct error *e) {
    struct dataset seen = {0};
    struct row_table table = {0};
    int status = kernel->kernel.kind == KERNEL_PRECOMPUTED
                     ? precomputed_points(data, NULL, data->rows, &seen, e)
                     : parametric_kernel_rows(kernel->basis, data, NULL, data->rows, &seen, e);
    *rows = *start;
    rows->features = data->rows;
    rows->dimension = data->rows + kernel->basis->count;
    rows->w = NULL;
    if (status == 0)
        rows->w = memory_zeroed(start->vectors * rows->dimension, sizeof *rows->w, "the start", e);
    if (rows->w == NULL || table_init(&table, &seen, e) != 0)
        status = -1;
    else
        copy_weights(start, &table, same_basis(&start->basis, kernel->basis),
                     start->lambda > 0 ? start->lambda / lambda : 1, rows);
    table_free(&table);
    dataset_free(&seen);
    return status;
}
