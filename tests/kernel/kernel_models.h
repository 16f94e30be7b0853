/* kernel_models.h - small kernel models for tests. */
#ifndef RRM_KERNEL_MODELS_H
#define RRM_KERNEL_MODELS_H

#include "io/model/model.h"
#include "tests/random_data.h"

#include <stdio.h>
#include <string.h>

enum { MODEL_FEATURES = 9 };

/* With SUPPORT functions of the parametric part, feature 3 (from 1) out of the kernel. */
#define MODEL_BASIS "1,2,5^2"
#define MODEL_BASIS_ONLY "3,3^3"

/* The points have only features that the kernel uses. */
static inline void hide_column(struct dataset *data, int32_t column) {
    int64_t kept = 0;
    for (int64_t i = 0; i < data->rows; i++) {
        int64_t from = data->start[i];
        data->start[i] = kept;
        for (int64_t k = from; k < data->start[i + 1]; k++) {
            if (data->column[k] == column)
                continue;
            data->column[kept] = data->column[k];
            if (data->value != NULL)
                data->value[kept] = data->value[k];
            kept++;
        }
    }
    data->start[data->rows] = data->nonzeros = kept;
}

static inline void set_points(struct model *model, int64_t count, bool ones) {
    model->points = random_data(count, MODEL_FEATURES, ones, 11);
    free(model->points.label);
    model->points.label = NULL;
}

/* Regression (LABELS = 0) or classes, with random weights; freed by model_free. POINTS: points, or
 * map_size. */
static inline struct model kernel_model(const char *map, const char *kernel, int64_t points,
                                        bool ones, int64_t labels) {
    struct model model = {.solver = "proximal",
                          .regularizer = "l2",
                          .status = "converged",
                          .lambda = 1e-4,
                          .bias = 0.5,
                          .intercept = true,
                          .objective = 0.1 + 0.2,
                          .passes = 12.5,
                          .seed = 7,
                          .labels = labels,
                          .features = MODEL_FEATURES,
                          .vectors = labels > 2 ? labels : 1};
    struct random random;
    struct error e = {0};
    random_seed(&random, 5, 0);
    snprintf(model.loss, sizeof model.loss, "%s", labels > 0 ? "hinge" : "squared");
    snprintf(model.map, sizeof model.map, "%s", map);
    snprintf(model.kernel, sizeof model.kernel, "%s", kernel);
    if (strcmp(kernel, "linear") != 0)
        model.gamma = 0.3;
    if (strcmp(kernel, "polynomial") == 0) {
        model.shift = -0.75;
        model.degree = 3;
    }
    if (strcmp(map, "fourier") == 0)
        model.map_size = points;
    else
        set_points(&model, points, ones);
    if (strcmp(map, "support") == 0) {
        model.bias = -1;
        model.intercept = false;
        basis_parse(MODEL_BASIS, MODEL_BASIS_ONLY, false, &model.basis, &e);
        hide_column(&model.points, 2);
    }
    model.dimension = model_units(&model) + (model.bias >= 0) + model.intercept + model.basis.count;
    model.label = calloc((size_t)labels + 1, sizeof *model.label);
    model.w = calloc((size_t)(model.vectors * model.dimension) + 1, sizeof *model.w);
    for (int64_t k = 0; k < labels; k++)
        model.label[k] = 1.5 - (double)k;
    for (int64_t k = 0; k < model.vectors * model.dimension; k++)
        model.w[k] = 2 * random_unit(&random) - 1;
    return model;
}

#endif
