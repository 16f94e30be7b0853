/* map.c - feature maps of either kind. */
#include "kernel/map.h"

#include "io/dataset_gather.h"
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "math/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const map_names[] = {"none", "nystrom", "fourier", NULL};
const char *const map_seedings[] = {"uniform", "kmeans++", "rpcholesky", NULL};

static struct map *map_empty(const struct map_settings *settings, struct error *e) {
    struct map *map = memory_zeroed(1, sizeof *map, "a map", e);
    if (map != NULL)
        map->settings = *settings;
    return map;
}

static struct map *map_or_free(struct map *map, int status) {
    if (status == 0)
        return map;
    map_free(map);
    return NULL;
}

static int choose_landmarks(struct map *map, const struct dataset *data, struct error *e) {
    const struct map_settings *settings = &map->settings;
    int64_t all = dataset_whole_rows(data), count = settings->size < all ? settings->size : all;
    int64_t *rows = memory_new(count, sizeof *rows, "landmarks", e);
    int status = communicator_agree(data->communicator, rows == NULL ? -1 : 0, e);
    if (status == 0)
        status = communicator_agree(data->communicator,
                                    landmarks_draw(settings, data, rows, count, e), e);
    if (status == 0)
        status = dataset_gather(data, rows, count, &map->nystrom.landmarks, e);
    if (status == 0)
        status = nystrom_init(map, rows, e);
    free(rows);
    return status;
}

struct map *map_new(const struct map_settings *settings, const struct dataset *data,
                    struct error *e) {
    struct map *map = map_empty(settings, e);
    if (map == NULL)
        return NULL;
    return map_or_free(map, settings->kind == MAP_NYSTROM ? choose_landmarks(map, data, e)
                                                          : fourier_init(map, e));
}

static int copy_landmarks(struct map *map, const struct dataset *landmarks, struct error *e) {
    int64_t *rows = memory_new(landmarks->rows, sizeof *rows, "landmarks", e);
    if (rows == NULL)
        return -1;
    for (int64_t i = 0; i < landmarks->rows; i++)
        rows[i] = i;
    int status = dataset_gather(landmarks, rows, landmarks->rows, &map->nystrom.landmarks, e);
    free(rows);
    return status == 0 ? nystrom_init(map, NULL, e) : -1;
}

struct map *map_of_landmarks(const struct map_settings *settings, const struct dataset *landmarks,
                             struct error *e) {
    struct map *map = map_empty(settings, e);
    if (map == NULL)
        return NULL;
    map->settings.kind = MAP_NYSTROM;
    return map_or_free(map, copy_landmarks(map, landmarks, e));
}

void map_free(struct map *map) {
    if (map == NULL)
        return;
    nystrom_free(&map->nystrom);
    fourier_free(&map->fourier);
    free(map);
}

int map_kind(const struct map *map) {
    return map->settings.kind;
}

const struct kernel *map_kernel(const struct map *map) {
    return &map->settings.kernel;
}

int64_t map_dimension(const struct map *map) {
    return map->dimension;
}

const struct dataset *map_landmarks(const struct map *map) {
    return map->settings.kind == MAP_NYSTROM ? &map->nystrom.landmarks : NULL;
}

int64_t map_work_size(const struct map *map, int64_t count) {
    int64_t block = count < MAP_BLOCK ? count : MAP_BLOCK;
    return map->settings.kind == MAP_NYSTROM ? block * (map->nystrom.points.count + 1)
                                             : (block + 1) * map->dimension;
}

int64_t map_base_width(const struct map *map) {
    return map->settings.kind == MAP_NYSTROM ? map->nystrom.points.count : map->dimension;
}

const double *map_base(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                       double *work) {
    if (map->settings.kind == MAP_NYSTROM)
        return nystrom_kernel(map, rows, from, to, work);
    fourier_rows(map, rows, from, to, work + map->dimension, work);
    return work + map->dimension;
}

void map_to_base(const struct map *map, const double *w, double *v) {
    if (map->settings.kind == MAP_NYSTROM)
        map_to_landmarks(map, w, v);
    else
        memcpy(v, w, sizeof *v * (size_t)map->dimension);
}

void map_from_base(const struct map *map, const double *sum, double *g) {
    if (map->settings.kind == MAP_NYSTROM)
        multiplier_add_all(&map->nystrom.whiten, sum, map->nystrom.points.count, 1, g,
                           map->dimension);
    else
        vector_add_wide(g, 1, sum, map->dimension);
}

bool map_finite(const double *x, int64_t count) {
    double zero = 0;
    for (int64_t k = 0; k < count; k++)
        zero += x[k] - x[k]; /* not-a-number where x is not finite */
    return zero == 0;
}

int map_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
             double *phi, double *work) {
    int64_t n = map->dimension;
    for (int64_t i = from; i < to; i += MAP_BLOCK) {
        int64_t end = i + MAP_BLOCK < to ? i + MAP_BLOCK : to;
        double *out = phi + (i - from) * n;
        if (map->settings.kind == MAP_NYSTROM)
            nystrom_rows(map, rows, i, end, out, work);
        else
            fourier_rows(map, rows, i, end, out, work);
        if (!map_finite(out, (end - i) * n))
            return -1;
    }
    return 0;
}

void map_listed_rows(const struct map *map, const struct dataset *rows, const int64_t *row,
                     int64_t count, double *phi, double *work) {
    if (map->settings.kind == MAP_NYSTROM) {
        nystrom_listed_rows(map, rows, row, count, phi, work);
        return;
    }
    for (int64_t i = 0; i < count; i++)
        fourier_rows(map, rows, row[i], row[i] + 1, phi + i * map->dimension, work);
}

int map_prepare(struct map *map, int32_t features, struct error *e) {
    return map->settings.kind == MAP_FOURIER ? fourier_prepare(map, features, e) : 0;
}

void map_watch(struct map *map, struct interruption interrupted) {
    map->settings.interrupted = interrupted;
}
