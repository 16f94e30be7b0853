/* fourier.c - phi_j(x) = sqrt(2/n) cos(<nu_j, x> + beta_j). */
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "math/dense.h"
#include "math/normal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Streams of random numbers: the shifts have one, each feature another; 0 draws landmarks. */
enum { STREAM_SHIFTS = 1, STREAM_FEATURES = 2 };

/* nu_1 .. nu_n of one feature. */
static void draw(const struct map *map, int32_t feature, double *frequency) {
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
    free(fourier->frequency);
    free(fourier->shift);
}

int fourier_prepare(struct map *map, int32_t features, struct error *e) {
    struct fourier *fourier = &map->fourier;
    void *frequency = fourier->frequency;
    if (features <= fourier->features)
        return 0;
    if (memory_resize(&frequency, features, sizeof(double) * (size_t)map->dimension,
                      "a map's frequencies", e) != 0)
        return -1;
    fourier->frequency = frequency;
#pragma omp parallel for schedule(static)
    for (int32_t feature = fourier->features; feature < features; feature++)
        draw(map, feature, fourier->frequency + feature * map->dimension);
    fourier->features = features;
    return 0;
}

void fourier_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                  double *phi, double *room) {
    const struct fourier *fourier = &map->fourier;
    int64_t n = map->dimension;
    double scale = sqrt(2 / (double)n);
    for (int64_t i = from; i < to; i++, phi += n) {
        const int32_t *column = dataset_columns(rows, i);
        const double *value = dataset_values(rows, i);
        memcpy(phi, fourier->shift, sizeof *phi * (size_t)n);
        for (int64_t k = 0; k < dataset_count(rows, i); k++) {
            const double *frequency = room;
            if (column[k] < fourier->features)
                frequency = fourier->frequency + column[k] * n;
            else
                draw(map, column[k], room);
            vector_add_wide(phi, value == NULL ? 1 : value[k], frequency, n);
        }
        for (int64_t j = 0; j < n; j++)
            phi[j] = scale * cos(phi[j]);
    }
}
