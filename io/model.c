/* model.c - the keys of the model file, and what makes a model consistent. */
#include "io/model_format.h"

#include "io/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

#define FIELD(name) offsetof(struct model, name)

const struct model_key model_keys[MODEL_KEYS] = {
    {"solver", KEY_NAME, FIELD(solver), NULL, NULL, 0, 0, false},
    {"loss", KEY_NAME, FIELD(loss), NULL, NULL, 0, 0, false},
    {"tube", KEY_REAL, FIELD(tube), "epsilon", NULL, 0, DBL_MAX, false},
    {"quantile", KEY_REAL, FIELD(quantile), "quantile", NULL, 0, 1, true},
    {"huber", KEY_REAL, FIELD(huber), "huber", NULL, 0, DBL_MAX, true},
    {"regularizer", KEY_NAME, FIELD(regularizer), NULL, NULL, 0, 0, false},
    {"elastic", KEY_REAL, FIELD(elastic), NULL, "elastic-net", DBL_TRUE_MIN, 1, false}, /* (0, 1] */
    {"lambda", KEY_REAL, FIELD(lambda), NULL, NULL, 0, DBL_MAX, false},
    {"bias", KEY_REAL, FIELD(bias), NULL, NULL, -DBL_MAX, DBL_MAX, false},
    {"intercept", KEY_TRUTH, FIELD(intercept), NULL, NULL, 0, 0, false},
    {"index-base", KEY_BASE, FIELD(zero_based), NULL, NULL, 0, 0, false},
    {"labels", KEY_LABELS, FIELD(labels), NULL, NULL, 0, 0, false},
    {"rest", KEY_TRUTH, FIELD(rest), NULL, NULL, 0, 0, false},
    {"features", KEY_COUNT, FIELD(features), NULL, NULL, 0, 0, false},
    {"vectors", KEY_COUNT, FIELD(vectors), NULL, NULL, 0, 0, false},
    {"objective", KEY_REAL, FIELD(objective), NULL, NULL, -DBL_MAX, DBL_MAX, false},
    {"bound", KEY_BOUND, FIELD(bound), NULL, NULL, -DBL_MAX, DBL_MAX, false},
    {"status", KEY_STATUS, FIELD(status), NULL, NULL, 0, 0, false},
    {"passes", KEY_REAL, FIELD(passes), NULL, NULL, 0, DBL_MAX, false},
    {"seed", KEY_SEED, FIELD(seed), NULL, NULL, 0, 0, false},
};

const char *const model_statuses[] = {"converged", "limit", "interrupted", NULL};

bool model_key_belongs(const struct model_key *key, const struct model *model) {
    return (key->loss == NULL || strcmp(key->loss, model->loss) == 0) &&
           (key->regularizer == NULL || strcmp(key->regularizer, model->regularizer) == 0);
}

bool model_key_in_range(const struct model_key *key, double value) {
    if (key->open && (value == key->low || value == key->high))
        return false;
    return value >= key->low && value <= key->high;
}

const char *model_check_shape(struct model *model) {
    if (model->labels == 0 && model->vectors != 1)
        return "a model without labels has one vector";
    if (model->labels == 2 && model->vectors != 1 && model->vectors != 2)
        return "a model of two labels has one vector or two";
    if (model->rest && model->labels != 2)
        return "a label against the rest needs two labels";
    if (model->labels != 0 && model->labels != 2 && model->vectors != model->labels)
        return "a model has a vector for every label";
    model->dimension = model->features + (model->bias >= 0) + model->intercept;
    int64_t weights;
    if (__builtin_mul_overflow(model->vectors, model->dimension, &weights))
        return "features times vectors is too large";
    return NULL;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

const char *model_check_labels(const struct model *model, struct error *e) {
    double *sorted = memory_new(model->labels, sizeof *sorted, "labels", e);
    if (sorted == NULL)
        return "out of memory";
    bool twice = false;
    if (model->labels > 0) {
        memcpy(sorted, model->label, (size_t)model->labels * sizeof *sorted);
        qsort(sorted, (size_t)model->labels, sizeof *sorted, compare);
    }
    for (int64_t i = 1; i < model->labels; i++)
        twice |= sorted[i] == sorted[i - 1];
    free(sorted);
    return twice ? "a label stands there twice" : NULL;
}

bool model_may_be_sparse(int64_t weights, int64_t entries) {
    return weights <= (1 << 27) || entries >= (weights >> 10);
}

int model_make_room(double **array, int64_t count, int64_t *room, const char *what,
                    struct error *e) {
    if (count < *room)
        return 0;
    int64_t wanted = *room == 0 ? FIRST_ROOM : 2 * *room;
    if (memory_resize((void **)array, wanted, sizeof **array, what, e) != 0)
        return -1;
    *room = wanted;
    return 0;
}

void model_free(struct model *model) {
    free(model->label);
    free(model->w);
    *model = (struct model){0};
}
