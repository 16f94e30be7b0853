/* float_base.c - whether kernel values in floats are good enough: B' = D^(-1/2) P' takes their rounding times up to
 * 1/sqrt(the least eigenvalue) to phi. */
#include "kernel/float_base.h"

#include "io/memory.h"
#include "kernel/float_kernel.h"
#include "kernel/map_parts.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLED_ROWS = 64 };

static const double max_distance = 1e-3; /* of phi from phi in floats */

static double max_square(const struct dataset *data) {
    double square, max = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        points_squares(data, i, i + 1, &square);
        max = fmax(max, square);
    }
    return max;
}

/* Whether floats suit the kernel, and their points fit in the cache. */
static bool is_possible(const struct map *map, const struct dataset *data) {
    return map->settings.kind == MAP_NYSTROM &&
           isfinite(float_points_bytes(&map->nystrom.landmarks)) &&
           float_kernel_suits(&map->settings.kernel,
                              fmax(max_square(data), max_square(&map->nystrom.landmarks)));
}

struct sampling {
    const struct float_points *points;
    const struct map *map;
    const struct dataset *data;
    float *floats; /* landmarks: b(x) */
    double *work;  /* of one row (map_work_size) */
    double *phi;
};

/* ||phi from floats - phi||^2 at row i. */
static double distance_square(const struct sampling *s, int64_t i) {
    int64_t count = s->points->count, n = s->map->dimension;
    double *b = s->work + 1;
    nystrom_kernel(s->map, s->data, i, i + 1, s->work);
    float_points_kernel(s->points, s->data, i, i + 1, s->floats);
    for (int64_t k = 0; k < count; k++)
        b[k] -= (double)s->floats[k];
    multiplier_apply(&s->map->nystrom.whiten, b, 1, s->phi);
    return vector_dot(s->phi, s->phi, n);
}

static bool is_near(const struct sampling *s) {
    int64_t rows = s->data->rows, count = rows < SAMPLED_ROWS ? rows : SAMPLED_ROWS;
    for (int64_t k = 0; k < count; k++)
        if (!(distance_square(s, k * rows / count) <= max_distance * max_distance))
            return false;
    return true;
}

int float_base_init(struct float_points *points, const struct map *map, const struct dataset *data,
                    struct error *e) {
    *points = (struct float_points){0};
    if (!is_possible(map, data))
        return 0;
    if (float_points_init(points, &map->settings.kernel, &map->nystrom.landmarks, e) != 0)
        return -1;
    struct sampling s = {.points = points, .map = map, .data = data};
    s.floats = memory_new(points->count, sizeof *s.floats, "kernel values", e);
    s.work = memory_new(map_work_size(map, 1), sizeof *s.work, "kernel values", e);
    s.phi = memory_new(map->dimension, sizeof *s.phi, "a mapped example", e);
    int status = s.floats == NULL || s.work == NULL || s.phi == NULL ? -1 : is_near(&s);
    free(s.floats);
    free(s.work);
    free(s.phi);
    if (status != 1)
        float_points_free(points);
    return status;
}
