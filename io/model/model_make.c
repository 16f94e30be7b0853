/* model_make.c - copies models, and makes models from weights of the caller. */
#include "io/model/model_format.h"

#include "io/dataset_select.h"
#include "io/feature_hash.h"
#include "io/memory.h"

#include <math.h>
#include <string.h>

/* A copy of COUNT numbers; NULL with the error set. */
static double *copy_reals(const double *from, int64_t count, const char *what, struct error *e) {
    double *to = memory_new(count, sizeof *to, what, e);
    if (to != NULL && count > 0)
        memcpy(to, from, sizeof *to * (size_t)count);
    return to;
}

static int copy_labels(const struct model *from, struct model *to, struct error *e) {
    to->label = copy_reals(from->label, from->labels, "labels", e);
    if (to->label == NULL)
        return -1;
    for (int64_t k = 0; from->untrained != NULL && k < from->labels; k++)
        if (from->untrained[k] && model_mark_untrained(to, k, e) != 0)
            return -1;
    return 0;
}

static int copy_isotonic(const struct model *from, struct model *to, struct error *e) {
    if (from->isotonic == NULL)
        return 0;
    to->isotonic = memory_zeroed(from->vectors, sizeof *to->isotonic, "isotonic regression", e);
    if (to->isotonic == NULL)
        return -1;
    to->isotonics = from->vectors;
    for (int64_t v = 0; v < from->vectors; v++)
        if (isotonic_copy(&from->isotonic[v], &to->isotonic[v], e) != 0)
            return -1;
    return 0;
}

static int copy_arrays(const struct model *from, struct model *to, struct error *e) {
    if (copy_labels(from, to, e) != 0 || copy_isotonic(from, to, e) != 0)
        return -1;
    if (from->sigmoid != NULL) {
        to->sigmoid = copy_reals(from->sigmoid, 2 * from->vectors, "sigmoids", e);
        if (to->sigmoid == NULL)
            return -1;
    }
    to->w = copy_reals(from->w, model_weights(from), "the weights", e);
    if (to->w == NULL || scaling_copy(&from->scaling, &to->scaling, e) != 0 ||
        basis_copy(&from->basis, &to->basis, e) != 0)
        return -1;
    return from->points.rows == 0 ? 0 : dataset_copy(&from->points, &to->points, e);
}

int model_copy(const struct model *from, struct model *to, struct error *e) {
    *to = *from;
    to->label = to->w = to->sigmoid = NULL;
    to->untrained = NULL;
    to->isotonic = NULL;
    to->isotonics = 0;
    to->points = (struct dataset){0};
    to->basis = (struct basis){0};
    to->scaling = (struct scaling){0};
    if (copy_arrays(from, to, e) == 0)
        return 0;
    model_free(to);
    return -1;
}

/* ---- models from weights of the caller */

static void set_defaults(const struct model *shape, struct model *to) {
    *to = (struct model){.solver = "none",
                         .regularizer = "l2",
                         .status = "converged",
                         .tube = 0.1,
                         .quantile = 0.5,
                         .huber = 1,
                         .nu = 1,
                         .eta = 1,
                         .bias = shape->bias,
                         .intercept = shape->intercept,
                         .bound = -INFINITY,
                         .seed = 1,
                         .labels = shape->labels,
                         .features = shape->features,
                         .vectors = shape->vectors,
                         .pairs = shape->pairs,
                         .shared = shape->shared,
                         .hash_bits = shape->hash_bits};
    memcpy(to->loss, shape->loss, MODEL_NAME);
    to->loss[MODEL_NAME - 1] = '\0';
    if (strcmp(to->loss, "boost") == 0)
        memcpy(to->regularizer, "simplex", sizeof "simplex");
}

static int check_count(const char *what, int64_t count, int64_t most, struct error *e) {
    if (count >= 0 && count <= most)
        return 0;
    return most < INT64_MAX
               ? error_usage(e, "%s is %lld; it may be 0 to %lld", what, (long long)count,
                             (long long)most)
               : error_usage(e, "%s is %lld; it is at least 0", what, (long long)count);
}

static int check_ranges(const struct model *model, struct error *e) {
    if (check_count("labels", model->labels, MODEL_LABELS_MAX, e) != 0 ||
        check_count("features", model->features, MODEL_FEATURES_MAX, e) != 0 ||
        check_count("vectors", model->vectors, INT64_MAX, e) != 0 ||
        check_count("shared", model->shared, INT64_MAX, e) != 0 ||
        check_count("hash", model->hash_bits, FEATURE_HASH_BITS_MOST, e) != 0)
        return -1;
    return isfinite(model->bias) ? 0 : error_usage(e, "bias is not finite");
}

static int check_counts(struct model *model, struct error *e) {
    if (check_ranges(model, e) != 0)
        return -1;
    const char *wrong = model_check_shape(model);
    if (wrong == NULL)
        wrong = model_check_names(model);
    return wrong == NULL ? 0 : error_usage(e, "%s", wrong);
}

/* The caller's array has vectors of so many weights. */
static int check_dimension(const struct model *model, int64_t dimension, struct error *e) {
    if (model->vectors == 0 || dimension == model->dimension)
        return 0;
    return error_usage(
        e, "dimension is %lld, but a vector of this model has %lld weights: %lld of features%s%s",
        (long long)dimension, (long long)model->dimension, (long long)model->features,
        model->bias >= 0 ? ", that of the constant feature (bias -1: there is none)" : "",
        model->intercept ? ", the offset" : "");
}

static int check_numbers(const double *number, int64_t count, const char *what, struct error *e) {
    if (count > 0 && number == NULL)
        return error_usage(e, "%s is NULL; %lld are needed", what, (long long)count);
    for (int64_t k = 0; k < count; k++)
        if (!isfinite(number[k]))
            return error_usage(e, "%s %lld is not finite", what, (long long)k);
    return 0;
}

int model_of_weights(const struct model *shape, struct model *to, struct error *e) {
    const char *wrong = NULL;
    set_defaults(shape, to);
    if (check_counts(to, e) != 0 || check_dimension(to, shape->dimension, e) != 0 ||
        check_numbers(shape->label, shape->labels, "label", e) != 0 ||
        check_numbers(shape->w, model_weights(to), "weight", e) != 0)
        return -1;
    to->label = copy_reals(shape->label, shape->labels, "labels", e);
    to->w = copy_reals(shape->w, model_weights(to), "the weights", e);
    if (to->label != NULL && to->w != NULL)
        wrong = model_check_labels(to, e);
    if (to->label != NULL && to->w != NULL && wrong == NULL)
        return 0;
    model_free(to);
    return wrong == NULL ? -1 : error_usage(e, "%s", wrong);
}
