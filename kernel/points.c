/* points.c - products of rows with a fixed set of points. */
#include "kernel/points.h"

#include "io/memory.h"
#include "kernel/row_products.h"
#include "math/vector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A feature that fewer than one point in this many has is a list: 12 bytes an entry and one scattered
 * sum, against a row of the matrix. */
enum { FEW = 8 };

static int64_t row_of(const int64_t *rows, int64_t k) {
    return rows == NULL ? k : rows[k];
}

/* Counts the points that have a feature, in list[feature + 1]. */
static void count_holders(struct points *points, const struct dataset *data, const int64_t *rows) {
    for (int64_t k = 0; k < points->count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        for (int64_t n = 0; n < dataset_count(data, i); n++)
            points->list[column[n] + 1]++;
    }
}

/* From numbers of holders to places in the matrix, and to the lists' starts; how many the former. */
static int32_t assign_places(struct points *points) {
    int32_t found = 0;
    for (int32_t j = 0; j < points->features; j++) {
        int64_t holders = points->list[j + 1];
        bool many = holders > 0 && holders * FEW >= points->count;
        points->place[j] = many ? found++ : -1;
        points->list[j + 1] = points->list[j] + (many ? 0 : holders);
    }
    return found;
}

/* list[j] moves from the start of j's entries to their end. */
static void fill(struct points *points, const struct dataset *data, const int64_t *rows) {
    for (int64_t k = 0; k < points->count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        const double *value = dataset_values(data, i);
        for (int64_t n = 0; n < dataset_count(data, i); n++) {
            double x = value == NULL ? 1 : value[n];
            if (points->place[column[n]] >= 0) {
                *multiplier_entry(&points->matrix, points->place[column[n]], k) = x;
                continue;
            }
            int64_t entry = points->list[column[n]]++;
            points->holder[entry] = (int32_t)k;
            points->value[entry] = x;
        }
    }
    memmove(points->list + 1, points->list, sizeof *points->list * (size_t)points->features);
    points->list[0] = 0;
}

static int allocate_values(struct points *points, int32_t found, struct error *e) {
    int64_t entries = points->list[points->features];
    points->holder = memory_new(entries, sizeof *points->holder, "the points", e);
    points->value = memory_new(entries, sizeof *points->value, "the points", e);
    return points->holder == NULL || points->value == NULL
               ? -1
               : multiplier_init(&points->matrix, found, points->count, e);
}

int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e) {
    *points = (struct points){.count = count, .features = data->features};
    int64_t features = data->features;
    points->square = memory_new(count, sizeof(double), "the points' squares", e);
    points->place = memory_new(features, sizeof *points->place, "the points' features", e);
    points->list = memory_zeroed(features + 1, sizeof *points->list, "the points' features", e);
    if (points->square == NULL || points->place == NULL || points->list == NULL)
        return -1;
    count_holders(points, data, rows);
    if (allocate_values(points, assign_places(points), e) != 0)
        return -1;
    fill(points, data, rows);
    for (int64_t k = 0; k < count; k++)
        points_squares(data, row_of(rows, k), row_of(rows, k) + 1, &points->square[k]);
    if (points->list[features] == 0) {
        free(points->list);
        points->list = NULL;
    }
    return 0;
}

void points_free(struct points *points) {
    free(points->square);
    free(points->place);
    free(points->list);
    free(points->holder);
    free(points->value);
    multiplier_free(&points->matrix);
    *points = (struct points){0};
}

void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square) {
    for (int64_t i = from; i < to; i++)
        square[i - from] = sparse_square(dataset_values(rows, i), dataset_count(rows, i));
}

static void add_lists(const struct points *points, const struct dataset *rows, int64_t i,
                      double *out) {
    const int32_t *column = dataset_columns(rows, i);
    const double *value = dataset_values(rows, i);
    for (int64_t n = 0; n < dataset_count(rows, i) && column[n] < points->features; n++) {
        double x = value == NULL ? 1 : value[n];
        for (int64_t k = points->list[column[n]]; k < points->list[column[n] + 1]; k++)
            out[points->holder[k]] += x * points->value[k];
    }
}

void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out) {
    memset(out, 0, sizeof *out * (size_t)(points->count * (to - from)));
    row_products_add(&points->matrix, points->place, points->features, rows, from, to, out);
    for (int64_t i = from; points->list != NULL && i < to; i++)
        add_lists(points, rows, i, out + (i - from) * points->count);
}

void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out) {
    points_products(points, rows, from, to, out);
    for (int64_t i = from; i < to; i++)
        kernel_apply(kernel, points->square, square[i - from], out + (i - from) * points->count,
                     points->count);
}
