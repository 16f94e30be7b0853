/* points.c - products of rows with a fixed set of points. */
#include "kernel/points.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

static int64_t row_of(const int64_t *rows, int64_t k) {
    return rows == NULL ? k : rows[k];
}

/* Gives each feature that some point has a place; how many there are. */
static int64_t find_places(struct points *points, const struct dataset *data, const int64_t *rows) {
    int64_t found = 0;
    for (int32_t j = 0; j < points->features; j++)
        points->place[j] = -1;
    for (int64_t k = 0; k < points->count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        for (int64_t n = 0; n < dataset_count(data, i); n++)
            if (points->place[column[n]] < 0)
                points->place[column[n]] = found++ * points->count;
    }
    return found;
}

int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e) {
    *points = (struct points){.count = count, .features = data->features};
    points->square = memory_new(count, sizeof(double), "the points' squares", e);
    points->place = memory_new(data->features, sizeof *points->place, "the points' features", e);
    if (points->square == NULL || points->place == NULL)
        return -1;
    int64_t found = find_places(points, data, rows);
    points->value =
        memory_zeroed(found, (size_t)(count > 0 ? count : 1) * sizeof(double), "the points", e);
    if (points->value == NULL)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        int64_t i = row_of(rows, k);
        const int32_t *column = dataset_columns(data, i);
        const double *value = dataset_values(data, i);
        points_squares(data, i, i + 1, &points->square[k]);
        for (int64_t n = 0; n < dataset_count(data, i); n++)
            points->value[points->place[column[n]] + k] = value == NULL ? 1 : value[n];
    }
    return 0;
}

void points_free(struct points *points) {
    free(points->square);
    free(points->place);
    free(points->value);
    *points = (struct points){0};
}

void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square) {
    for (int64_t i = from; i < to; i++)
        square[i - from] = sparse_square(dataset_values(rows, i), dataset_count(rows, i));
}

void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out) {
    for (int64_t i = from; i < to; i++, out += points->count) {
        const int32_t *column = dataset_columns(rows, i);
        const double *value = dataset_values(rows, i);
        memset(out, 0, sizeof *out * (size_t)points->count);
        for (int64_t n = 0; n < dataset_count(rows, i) && column[n] < points->features; n++) {
            if (points->place[column[n]] < 0)
                continue;
            const double *s = points->value + points->place[column[n]];
            double x = value == NULL ? 1 : value[n];
            for (int64_t k = 0; k < points->count; k++)
                out[k] += x * s[k];
        }
    }
}

void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out) {
    points_products(points, rows, from, to, out);
    for (int64_t i = from; i < to; i++)
        kernel_apply(kernel, points->square, square[i - from], out + (i - from) * points->count,
                     points->count);
}
