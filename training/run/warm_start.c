/* warm_start.c - the weights of an earlier model as a start (-i). */
#include "training/run/warm_start.h"

#include "io/model/label_pairs.h"

#include <string.h>

/* The place of LABEL among the model's, or -1. */
static int64_t find_label(const struct model *model, double label) {
    for (int64_t k = 0; k < model->labels; k++)
        if (model->label[k] == label)
            return k;
    return -1;
}

static bool same_labels(const struct classes *classes, const struct model *start) {
    if (start->labels != classes->labels || start->against_rest != classes->against_rest ||
        (classes->against_rest && start->label[0] != classes->label[0]))
        return false;
    for (int64_t k = 0; k < classes->labels; k++)
        if (find_label(start, classes->label[k]) < 0)
            return false;
    return true;
}

static int refuse_multiclass(const struct training_request *request, const struct classes *classes,
                             const struct model *start, struct error *e) {
    if (classes->joint)
        return error_file(e, request->start_name,
                          "trained with --multiclass ovo, no start for all classes together");
    return error_file(e, request->start_name,
                      "trained with --multiclass %s, the training with %s; the same is needed here",
                      start->pairs ? "ovo" : "ovr", classes->pairs ? "ovo" : "ovr");
}

int warm_start_check(const struct training_request *request, const struct classes *classes,
                     const struct model *start, struct error *e) {
    const struct train_settings *s = &request->settings;
    if ((start->bias >= 0 || s->bias >= 0) && start->bias != s->bias) {
        return error_file(e, request->start_name, "trained with -B %.10g; the same is needed here",
                          start->bias);
    }
    if (start->intercept != s->intercept && !model_is_support(start)) {
        return error_file(e, request->start_name, "trained %s --intercept; the same is needed here",
                          start->intercept ? "with" : "without");
    }
    if (start->zero_based != request->zero_based) {
        return error_file(e, request->start_name,
                          "trained %s --zero-based; the same is needed here",
                          start->zero_based ? "with" : "without");
    }
    if (start->hash_bits != s->hash_bits) {
        if (start->hash_bits == 0)
            return error_file(e, request->start_name,
                              "trained without --hash; the same is needed here");
        return error_file(e, request->start_name,
                          "trained with --hash %lld; the same is needed here",
                          (long long)start->hash_bits);
    }
    if (!same_labels(classes, start))
        return error_file(e, request->start_name, "its labels are not those of the data");
    return start->pairs == classes->pairs ? 0 : refuse_multiclass(request, classes, start, e);
}

/* The start's vector for this one, and the sign of its weights. */
static int64_t find_vector(const struct model *start, const struct classes *classes, int64_t vector,
                           double *sign) {
    int64_t i = vector, j = vector;
    *sign = 1;
    if (classes->labels == 0)
        return 0;
    if (classes->pairs)
        label_pairs_of(classes->labels, vector, &i, &j);
    i = find_label(start, classes->label[i]);
    j = find_label(start, classes->label[j]);
    if (i > j || (start->vectors == 1 && i > 0))
        *sign = -1; /* the other label is positive there */
    if (classes->pairs)
        return i < j ? label_pairs_index(start->labels, i, j)
                     : label_pairs_index(start->labels, j, i);
    return start->vectors == 1 ? 0 : i;
}

void warm_start_vector(const struct model *start, const struct classes *classes, int64_t vector,
                       int64_t features, double *w) {
    int64_t known = start->features < features ? start->features : features;
    int64_t constants = start->dimension - start->features;
    double sign;
    int64_t from = find_vector(start, classes, vector, &sign);
    memset(w, 0, sizeof *w * (size_t)features);
    for (int64_t j = 0; j < known; j++)
        w[j] = sign * start->w[from * start->dimension + j];
    for (int64_t j = 0; j < constants; j++)
        w[features + j] = sign * start->w[from * start->dimension + start->features + j];
}
