/* joint_weights.c - the weights of vectors that are trained together, in two orders. */
#include "training/classes/joint_weights.h"

#include "math/matrices/transpose.h"

#include <string.h>

/* The model's weight of pair P, which is one of column j. */
static double *weight_of_pair(const struct model *model, const struct attested *attested,
                              int64_t column, int32_t p) {
    return model->w + attested->output[p] * model->dimension + column;
}

static int64_t offsets_of(const struct model *model) {
    return model->intercept ? model->vectors : 0;
}

/* The last weight of each vector. */
static double *offset_of(const struct model *model, int64_t k) {
    return model->w + (k + 1) * model->dimension - 1;
}

static void pairs_of_model(const struct model *model, const struct attested *attested, double *w) {
    for (int64_t j = 0; j < attested->columns; j++)
        for (int32_t p = attested->start[j]; p < attested->start[j + 1]; p++)
            w[p] = *weight_of_pair(model, attested, j, p);
}

void joint_weights_of_model(const struct model *model, const struct risk *risk, double *w) {
    int64_t vectors = model->vectors, offsets = offsets_of(model);
    double *shared = w + risk->dimension - offsets - model->shared;
    if (risk->attested != NULL)
        pairs_of_model(model, risk->attested, w);
    else
        transpose(model->w, vectors, model->dimension, w);
    memcpy(shared, model->w + vectors * model->dimension, sizeof *w * (size_t)model->shared);
    for (int64_t k = 0; k < offsets; k++)
        shared[model->shared + k] = *offset_of(model, k);
}

/* Weights that are 0 already are not touched: their memory may not exist yet. */
static void clear(const struct model *model) {
    for (int64_t p = 0; p < model_weights(model); p++)
        if (model->w[p] != 0)
            model->w[p] = 0;
}

static void pairs_to_model(const double *w, const struct attested *attested, struct model *model) {
    for (int64_t j = 0; j < attested->columns; j++)
        for (int32_t p = attested->start[j]; p < attested->start[j + 1]; p++)
            if (w[p] != 0)
                *weight_of_pair(model, attested, j, p) = w[p];
}

void joint_weights_to_model(double *w, const struct risk *risk, struct model *model) {
    int64_t vectors = model->vectors, offsets = offsets_of(model);
    double *shared = w + risk->dimension - offsets - model->shared;
    clear(model);
    memcpy(model->w + vectors * model->dimension, shared, sizeof *w * (size_t)model->shared);
    if (risk->attested == NULL) {
        memmove(shared, shared + model->shared, sizeof *w * (size_t)offsets);
        transpose(w, model->dimension, vectors, model->w);
        return;
    }
    pairs_to_model(w, risk->attested, model);
    for (int64_t k = 0; k < offsets; k++)
        *offset_of(model, k) = shared[model->shared + k];
}
