/* kernel_model.c - models of kernel machines as they are trained and as they are written. */
#include "training/run/kernel_model.h"

#include "io/dataset_select.h"
#include "io/memory.h"
#include "kernel/parametric.h"
#include "kernel/precomputed.h"
#include "training/classes/one_vs_one.h"

#include <stdlib.h>
#include <string.h>

static void set_kernel(struct model *model, const char *map, const struct kernel *kernel) {
    snprintf(model->map, MODEL_NAME, "%s", map);
    snprintf(model->kernel, MODEL_NAME, "%s", kernel_names[kernel->kind]);
    model->gamma = kernel->gamma;
    model->shift = kernel->shift;
    model->degree = kernel->degree;
}

/* Makes every vector's first `units` weights `to` others by `change`, and keeps what follows. */
static int change_units(struct model *model, int64_t units, int64_t to, const struct map *map,
                        void (*change)(const struct map *map, const double *from, double *to),
                        struct error *e) {
    int64_t after_units = model->dimension - units;
    double *w = memory_zeroed(model->vectors * (to + after_units), sizeof *w, "the weights", e);
    if (w == NULL)
        return -1;
    for (int64_t k = 0; k < model->vectors; k++) {
        const double *old = model->w + k * model->dimension;
        double *new = w + k *(to + after_units);
        change(map, old, new);
        memcpy(new + to, old + units, sizeof *w * (size_t)after_units);
    }
    free(model->w);
    model->w = w;
    model->dimension = to + after_units;
    return 0;
}

int kernel_model_map(struct model *model, const struct map *map, int64_t features,
                     struct error *e) {
    const struct dataset *landmarks = map_landmarks(map);
    if (landmarks != NULL) {
        if (dataset_copy(landmarks, &model->points, e) != 0 ||
            change_units(model, map_dimension(map), landmarks->rows, map, map_to_landmarks, e) != 0)
            return -1;
    } else {
        model->map_size = map_dimension(map);
    }
    model->features = features;
    set_kernel(model, map_names[map_kind(map)], map_kernel(map));
    return 0;
}

int kernel_model_unmap(struct model *model, const struct map *map, struct error *e) {
    const struct dataset *landmarks = map_landmarks(map);
    if (landmarks != NULL &&
        change_units(model, landmarks->rows, map_dimension(map), map, map_from_landmarks, e) != 0)
        return -1;
    dataset_free(&model->points);
    model->map[0] = '\0';
    model->features = map_dimension(map);
    return 0;
}

static bool same_kernel(const struct model *model, const struct kernel *kernel) {
    return strcmp(model->kernel, kernel_names[kernel->kind]) == 0 &&
           (!kernel_has_gamma(kernel->kind) || model->gamma == kernel->gamma) &&
           (!kernel_has_shift(kernel->kind) || model->shift == kernel->shift) &&
           (kernel->kind != KERNEL_POLYNOMIAL || model->degree == kernel->degree);
}

int kernel_model_check_start(const struct model *start, const struct map_settings *settings,
                             int64_t landmarks, const char *path, struct error *e) {
    const char *map = model_has_map(start) ? start->map : "none";
    if (model_is_support(start))
        return error_file(e, path, "a kernel machine, a start for -s smo, pdsg and mpd alone");
    if (strcmp(map, map_names[settings->kind]) != 0)
        return error_file(e, path, "trained with --map %s; the same is needed here", map);
    if (settings->kind == MAP_NONE)
        return 0;
    if (!same_kernel(start, &settings->kernel)) {
        return error_file(
            e, path,
            "trained with another kernel (--kernel %s, gamma %.17g); the same is needed here",
            start->kernel, start->gamma);
    }
    if (landmarks > 0 && settings->kind == MAP_NYSTROM && start->points.rows != landmarks) {
        return error_file(e, path, "has %lld landmarks, which are used here; leave --landmarks out",
                          (long long)start->points.rows);
    }
    if (settings->kind == MAP_FOURIER &&
        (start->map_size != settings->size || start->seed != settings->seed)) {
        return error_file(e, path,
                          "trained with --dimension %lld and -S %llu; the same are needed here",
                          (long long)start->map_size, (unsigned long long)start->seed);
    }
    return 0;
}

struct map *kernel_model_start_map(const struct model *start, const struct map_settings *settings,
                                   struct error *e) {
    return settings->kind == MAP_NYSTROM ? map_of_landmarks(settings, &start->points, e)
                                         : map_new(settings, NULL, e);
}

/* The rows that some vector has a coefficient for; how many. place[i] is the number of row i among them, or -1. */
static int64_t find_support(const struct model *model, int64_t bases, const struct dataset *data,
                            int64_t *support, int64_t *place) {
    const double *w = model->w;
    int64_t count = 0;
    for (int64_t i = 0; i < data->rows; i++)
        place[i] = -1;
    for (int64_t k = 0; k < model->vectors; k++, w += bases) {
        struct pair_rows own;
        pair_rows_init(&own, model, k, data);
        for (int64_t i; (i = pair_rows_next(&own)) >= 0;)
            if (*w++ != 0)
                place[i] = 0;
    }
    for (int64_t i = 0; i < data->rows; i++)
        if (place[i] == 0) {
            place[i] = count;
            support[count++] = i;
        }
    return count;
}

/* Each vector gets a coefficient for each of COUNT support vectors. */
static int gather(struct model *model, int64_t bases, const struct dataset *data,
                  const int64_t *place, int64_t count, struct error *e) {
    int64_t dimension = count + bases;
    double *w = memory_zeroed(model->vectors * dimension, sizeof *w, "the weights", e);
    const double *from = model->w;
    if (w == NULL)
        return -1;
    for (int64_t k = 0; k < model->vectors; k++, from += bases) {
        struct pair_rows own;
        double *to = w + k * dimension;
        pair_rows_init(&own, model, k, data);
        for (int64_t i; (i = pair_rows_next(&own)) >= 0; from++)
            if (*from != 0)
                to[place[i]] = *from;
        memcpy(to + count, from, sizeof *w * (size_t)bases);
    }
    free(model->w);
    model->w = w;
    model->dimension = dimension;
    return 0;
}

/* The rows numbered in SUPPORT as the kernel sees them. */
static int take_points(const struct kernel_part *kernel, const struct dataset *data,
                       const int64_t *support, int64_t count, struct dataset *points,
                       struct error *e) {
    return kernel->kernel.kind == KERNEL_PRECOMPUTED
               ? precomputed_points(data, support, count, points, e)
               : parametric_kernel_rows(kernel->basis, data, support, count, points, e);
}

int kernel_model_expand(struct model *model, const struct kernel_part *kernel,
                        const struct dataset *data, struct error *e) {
    int64_t bases = kernel->basis->count;
    int64_t *support = memory_new(2 * data->rows, sizeof *support, "the support vectors", e);
    int status = -1;
    if (support != NULL) {
        int64_t *place = support + data->rows;
        int64_t count = find_support(model, bases, data, support, place);
        if (take_points(kernel, data, support, count, &model->points, e) == 0 &&
            basis_copy(kernel->basis, &model->basis, e) == 0)
            status = gather(model, bases, data, place, count, e);
    }
    free(support);
    model->features = data->features;
    for (int64_t j = 0; j < bases; j++) { /* one that no example has is 0 in all */
        int64_t known = (int64_t)kernel->basis->function[j].column + 1;
        model->features = known > model->features ? known : model->features;
    }
    model->intercept = false; /* it is a basis function */
    set_kernel(model, "support", &kernel->kernel);
    return status;
}
