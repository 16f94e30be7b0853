/* points.c - products of rows with a fixed set of points. */
#include "kernel/points.h"

#include "io/memory.h"
#include "kernel/precomputed.h"
#include "kernel/row_products.h"
#include "math/vector.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A feature of fewer than one point in this many gets a list: 12 bytes and one scattered sum for an entry,
 * instead of a row of the matrix. */
enum { RARE_FEATURE_FACTOR = 8 };

static int64_t row_of(const int64_t *rows, int64_t k) {
    return rows == NULL ? k : rows[k];
}

/* list_start[feature + 1] = the number of points that have the feature. */
static void count_points_of_features(struct points *points, const struct dataset *data,
                                     const int64_t *rows) {
    for (int64_t k = 0; k < points->count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        for (int64_t n = 0; n < dataset_count(data, i); n++)
            points->list_start[column[n] + 1]++;
    }
}

/* Turns these numbers into the features' matrix rows and list starts; returns the number of matrix rows. */
static int32_t assign_matrix_rows(struct points *points) {
    int32_t found = 0;
    for (int32_t j = 0; j < points->features; j++) {
        int64_t holders = points->list_start[j + 1];
        bool many = holders > 0 && holders * RARE_FEATURE_FACTOR >= points->count;
        points->matrix_row[j] = many ? found++ : -1;
        points->list_start[j + 1] = points->list_start[j] + (many ? 0 : holders);
    }
    return found;
}

/* Fills the matrix and the lists; list_start[j] moves from the start of j's list to its end. */
static void fill(struct points *points, const struct dataset *data, const int64_t *rows) {
    for (int64_t k = 0; k < points->count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        const double *value = dataset_values(data, i);
        for (int64_t n = 0; n < dataset_count(data, i); n++) {
            double x = value == NULL ? 1 : value[n];
            if (points->matrix_row[column[n]] >= 0) {
                *multiplier_entry(&points->matrix, points->matrix_row[column[n]], k) = x;
                continue;
            }
            int64_t entry = points->list_start[column[n]]++;
            points->list_point[entry] = (int32_t)k;
            points->list_value[entry] = x;
        }
    }
    memmove(points->list_start + 1, points->list_start,
            sizeof *points->list_start * (size_t)points->features);
    points->list_start[0] = 0;
}

static int allocate_values(struct points *points, int32_t found, struct error *e) {
    int64_t entries = points->list_start[points->features];
    points->list_point = memory_new(entries, sizeof *points->list_point, "the points", e);
    points->list_value = memory_new(entries, sizeof *points->list_value, "the points", e);
    return points->list_point == NULL || points->list_value == NULL
               ? -1
               : multiplier_init(&points->matrix, found, points->count, e);
}

static int copy_rows(struct points *points, const int64_t *rows, struct error *e) {
    points->near.row = memory_new(points->count, sizeof *rows, "the points", e);
    if (points->near.row == NULL)
        return -1;
    memcpy(points->near.row, rows, sizeof *rows * (size_t)points->count);
    return 0;
}

int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e) {
    *points = (struct points){
        .count = count, .features = data->features, .near = {.data = data, .known = INT32_MAX}};
    int64_t features = data->features;
    if (rows != NULL && copy_rows(points, rows, e) != 0)
        return -1;
    points->square = memory_new(count, sizeof(double), "the points' squares", e);
    points->matrix_row =
        memory_new(features, sizeof *points->matrix_row, "the points' features", e);
    points->list_start =
        memory_zeroed(features + 1, sizeof *points->list_start, "the points' features", e);
    if (points->square == NULL || points->matrix_row == NULL || points->list_start == NULL)
        return -1;
    count_points_of_features(points, data, rows);
    if (allocate_values(points, assign_matrix_rows(points), e) != 0)
        return -1;
    fill(points, data, rows);
    for (int64_t k = 0; k < count; k++)
        points_squares(data, row_of(rows, k), row_of(rows, k) + 1, &points->square[k]);
    if (points->list_start[features] == 0) {
        free(points->list_start);
        points->list_start = NULL;
    }
    return 0;
}

int points_of_kernel(struct points *points, const struct kernel *kernel, const struct dataset *data,
                     const int64_t *rows, int64_t count, struct error *e) {
    struct dataset units = {0};
    if (kernel->kind != KERNEL_PRECOMPUTED)
        return points_init(points, data, rows, count, e);
    *points = (struct points){0};
    int status = precomputed_points(data, rows, count, &units, e);
    if (status == 0)
        status = points_init(points, &units, NULL, count, e);
    dataset_free(&units);
    points->near.data = NULL;
    return status;
}

void points_free(struct points *points) {
    free(points->square);
    free(points->near.row);
    free(points->matrix_row);
    free(points->list_start);
    free(points->list_point);
    free(points->list_value);
    multiplier_free(&points->matrix);
    *points = (struct points){0};
}

void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square) {
    for (int64_t i = from; i < to; i++)
        square[i - from] = sparse_square(dataset_values(rows, i), dataset_count(rows, i));
}

double points_diagonal(const struct kernel *kernel, const struct dataset *rows, int64_t i) {
    double square;
    if (kernel->kind == KERNEL_PRECOMPUTED)
        return precomputed_value(rows, i, i);
    points_squares(rows, i, i + 1, &square);
    return kernel_value(kernel, square, square, square);
}

static void add_lists(const struct points *points, const struct dataset *rows, int64_t i,
                      double *out) {
    const int32_t *column = dataset_columns(rows, i);
    const double *value = dataset_values(rows, i);
    for (int64_t n = 0; n < dataset_count(rows, i) && column[n] < points->features; n++) {
        double x = value == NULL ? 1 : value[n];
        for (int64_t k = points->list_start[column[n]]; k < points->list_start[column[n] + 1]; k++)
            out[points->list_point[k]] += x * points->list_value[k];
    }
}

void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out) {
    memset(out, 0, sizeof *out * (size_t)(points->count * (to - from)));
    row_products_add(&points->matrix, points->matrix_row, points->features, rows, from, to, out);
    for (int64_t i = from; points->list_start != NULL && i < to; i++)
        add_lists(points, rows, i, out + (i - from) * points->count);
}

void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out) {
    points_products(points, rows, from, to, out);
    for (int64_t i = from; i < to; i++) {
        double *row = out + (i - from) * points->count;
        kernel_apply(kernel, points->square, square[i - from], row, points->count);
        if (kernel->kind == KERNEL_GAUSSIAN)
            near_points_correct(&points->near, points->count, kernel, rows, i, square[i - from],
                                row);
    }
}
