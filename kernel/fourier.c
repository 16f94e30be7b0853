/* fourier.c - phi_j(x) = sqrt(2/n) cos(<nu_j, x> + beta_j). */
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "kernel/row_products.h"
#include "math/cosine.h"
#include "math/dense.h"
#include "math/random/normal.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random numbers: one for the shifts, one for each feature. Stream 0 draws landmarks. */
enum { STREAM_SHIFTS = 1, STREAM_FEATURES = 2 };

/* nu_1 .. nu_n of one feature. */
static void draw_frequencies(const struct map *map, int32_t feature, double *frequency) {
    struct random random;
    double deviation = sqrt(2 * map->settings.kernel.gamma);
    random_seed(&random, map->settings.seed, (uint64_t)STREAM_FEATURES + (uint64_t)feature);
    random_normals(&random, frequency, map->dimension);
    for (int64_t j = 0; j < map->dimension; j++)
        frequency[j] *= deviation;
}

int fourier_init(struct map *map, struct error *e) {
    struct fourier *fourier = &map->fourier;
    struct random random;
    if (map->settings.kernel.kind != KERNEL_GAUSSIAN)
        return error_set(e, "a Fourier map is for the Gaussian kernel alone");
    map->dimension = map->settings.size;
    fourier->shift = memory_new(map->dimension, sizeof(double), "a map's shifts", e);
    if (fourier->shift == NULL)
        return -1;
    random_seed(&random, map->settings.seed, STREAM_SHIFTS);
    for (int64_t j = 0; j < map->dimension; j++)
        fourier->shift[j] = 2 * M_PI * random_unit(&random);
    return 0;
}

void fourier_free(struct fourier *fourier) {
    multiplier_free(&fourier->frequency);
    free(fourier->shift);
}

/* Stores the n numbers of ROW as row `feature` of the matrix. */
static void store_row(const struct multiplier *m, int32_t feature, const double *row) {
    for (int64_t j = 0; j < m->columns; j++)
        *multiplier_entry(m, feature, j) = row[j];
}

static int draw_all(const struct map *map, const struct multiplier *m, struct error *e) {
    bool complete = true;
#pragma omp parallel reduction(&& : complete)
    {
        double *row = memory_new(m->columns, sizeof *row, "frequencies", NULL);
        complete = row != NULL;
#pragma omp for schedule(static)
        for (int32_t feature = 0; feature < (int32_t)m->rows; feature++)
            if (complete && !interruption_came(&map->settings.interrupted)) {
                draw_frequencies(map, feature, row);
                store_row(m, feature, row);
            }
        free(row);
    }
    if (interruption_came(&map->settings.interrupted))
        return map_check(MAP_STOPPED, 0, e);
    return complete ? 0 : error_memory(e, "a map's frequencies", m->columns, sizeof(double));
}

int fourier_prepare(struct map *map, int32_t features, struct error *e) {
    struct fourier *fourier = &map->fourier;
    struct multiplier frequency;
    if (features <= fourier->frequency.rows)
        return 0;
    if (multiplier_init(&frequency, features, map->dimension, e) != 0 ||
        draw_all(map, &frequency, e) != 0) {
        multiplier_free(&frequency);
        return -1;
    }
    multiplier_free(&fourier->frequency);
    fourier->frequency = frequency;
    return 0;
}

/* Adds <nu, x> over the row's features that are not prepared. */
static void add_unprepared(const struct map *map, const struct dataset *rows, int64_t i,
                           double *phi, double *work) {
    const int32_t *column = dataset_columns(rows, i);
    const double *value = dataset_values(rows, i);
    for (int64_t k = dataset_count(rows, i) - 1; k >= 0; k--) {
        if (column[k] < map->fourier.frequency.rows)
            break;
        draw_frequencies(map, column[k], work);
        vector_add_wide(phi, value == NULL ? 1 : value[k], work, map->dimension);
    }
}

void fourier_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                  double *phi, double *work) {
    const struct fourier *fourier = &map->fourier;
    int64_t n = map->dimension, count = (to - from) * n;
    double scale = sqrt(2 / (double)n);
    for (int64_t i = from; i < to; i++)
        memcpy(phi + (i - from) * n, fourier->shift, sizeof *phi * (size_t)n);
    row_products_add(&fourier->frequency, NULL, (int32_t)fourier->frequency.rows, rows, from, to,
                     phi);
    for (int64_t i = from; i < to; i++)
        add_unprepared(map, rows, i, phi + (i - from) * n, work);
    cosines(phi, count);
    vector_scale(phi, scale, count);
}
