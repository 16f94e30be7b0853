/* map_fixture.h - what the tests of feature maps share: settings, points, all rows mapped. Include after cmocka.h. */
#ifndef RRM_MAP_FIXTURE_H
#define RRM_MAP_FIXTURE_H

#include "kernel/map.h"

#include "tests/kernel/kernel_direct.h"
#include "tests/near.h"
#include "tests/random_data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 300, FEATURES = 8 };

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.5};
static const struct kernel cubic = {
    .kind = KERNEL_POLYNOMIAL, .gamma = 0.7, .shift = 1, .degree = 3};

static inline struct map_settings nystrom_of(struct kernel kernel, int64_t size) {
    return (struct map_settings){
        .kind = MAP_NYSTROM, .kernel = kernel, .size = size, .threshold = 1e-12, .seed = 1};
}

static inline struct map_settings fourier_of(double gamma, int64_t size) {
    return (struct map_settings){.kind = MAP_FOURIER,
                                 .kernel = {.kind = KERNEL_GAUSSIAN, .gamma = gamma},
                                 .size = size,
                                 .seed = 1};
}

/* phi of all rows; the caller frees it. */
static inline double *map_all(const struct map *map, const struct dataset *data) {
    double *phi = malloc(sizeof *phi * (size_t)(data->rows * map_dimension(map)) + 1);
    double *work = malloc(sizeof *work * (size_t)map_work_size(map, data->rows));
    assert_int_equal(map_rows(map, data, 0, data->rows, phi, work), 0);
    free(work);
    return phi;
}

static inline double product(const double *phi, int64_t n, int64_t i, int64_t k) {
    long double sum = 0;
    for (int64_t j = 0; j < n; j++)
        sum += (long double)phi[i * n + j] * phi[k * n + j];
    return (double)sum;
}

/* ROWS x 1: the points 0, step, 2 step, ..., COUNT of them in turn. */
static inline struct dataset line_data(int64_t rows, int64_t count, double step) {
    struct dataset data = random_data(rows, 1, false, 1);
    data.nonzeros = rows;
    for (int64_t i = 0; i <= rows; i++)
        data.start[i] = i;
    for (int64_t i = 0; i < rows; i++) {
        data.column[i] = 0;
        data.value[i] = step * (double)(i % count);
    }
    return data;
}

#endif
