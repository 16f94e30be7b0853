/* kernel_model.c - models of kernel machines as they are trained and as they are written. */
#include "training/kernel_model.h"

#include "io/memory.h"
#include "kernel/parametric.h"
#include "kernel/precomputed.h"

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
    if (strcmp(map, map_names[settings->kind]) != 0)
        return error_file(e, path, "trained with --map %s; the same is needed here", map);
    if (settings->kind == MAP_NONE)
        return 0;
    if (!same_kernel(start, &settings->kernel)) {
        return error_file(e, path,
                          "trained with another kernel (--kernel %s, gamma %.17g); the "
                          "same is needed here",
                          start->kernel, start->gamma);
    }
    if (landmarks > 0 && settings->kind == MAP_NYSTROM && start->points.rows != landmarks) {
        return error_file(e, path, "has %lld landmarks, which are used here; leave --landmarks out",
                          (long long)start->points.rows);
    }
    if (settings->kind == MAP_FOURIER &&
        (start->map_size != settings->size || start->seed != settings->seed)) {
        return error_file(e, path,
                          "trained with --dimension %lld and -S %llu; the same are "
                          "needed here",
                          (long long)start->map_size, (unsigned long long)start->seed);
    }
    return 0;
}

struct map *kernel_model_start_map(const struct model *start, const struct map_settings *settings,
                                   struct error *e) {
    return settings->kind == MAP_NYSTROM ? map_of_landmarks(settings, &start->points, e)
                                         : map_new(settings, NULL, e);
}

/* The rows that some vector has a coefficient for; how many. */
static int64_t find_support(const struct model *model, int64_t rows, int64_t *support) {
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        bool found = false;
        for (int64_t k = 0; k < model->vectors; k++)
            found = found || model->w[k * model->dimension + i] != 0;
        if (found)
            support[count++] = i;
    }
    return count;
}

/* The rows' coefficients move together, in place. */
static void gather(struct model *model, const int64_t *support, int64_t count, int64_t rows) {
    int64_t bases = model->dimension - rows, to = 0;
    for (int64_t k = 0; k < model->vectors; k++) {
        const double *from = model->w + k * model->dimension;
        for (int64_t s = 0; s < count; s++)
            model->w[to++] = from[support[s]];
        for (int64_t j = 0; j < bases; j++)
            model->w[to++] = from[rows + j];
    }
    model->dimension = count + bases;
}

/* The rows numbered in SUPPORT as the kernel sees them. */
static int take_points(const struct kernel_part *kernel, const struct dataset *data,
                       const int64_t *support, int64_t count, struct dataset *points,
                       struct error *e) {
    struct dataset rows = {0};
    if (kernel->kernel.kind == KERNEL_PRECOMPUTED)
        return precomputed_points(data, support, count, points, e);
    int status = dataset_select(data, support, count, &rows, e);
    if (status == 0)
        status = parametric_kernel_rows(kernel->basis, &rows, points, e);
    dataset_free(&rows);
    return status;
}

int kernel_model_expand(struct model *model, const struct kernel_part *kernel,
                        const struct dataset *data, struct error *e) {
    int64_t *support = memory_new(data->rows, sizeof *support, "the support vectors", e);
    int status = -1;
    if (support != NULL) {
        int64_t count = find_support(model, data->rows, support);
        status = take_points(kernel, data, support, count, &model->points, e);
        if (status == 0)
            status = basis_copy(kernel->basis, &model->basis, e);
        gather(model, support, count, data->rows);
    }
    free(support);
    model->features = data->features;
    for (int64_t j = 0; j < kernel->basis->count; j++) { /* one that no example has is 0 in all */
        int64_t known = (int64_t)kernel->basis->function[j].column + 1;
        model->features = known > model->features ? known : model->features;
    }
    model->intercept = false; /* it is a basis function */
    set_kernel(model, "support", &kernel->kernel);
    return status;
}
