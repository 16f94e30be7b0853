/* model.c - the keys of the model file, and what makes a model consistent. */
#include "io/model_format.h"

#include "io/memory.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 64 };

#define FIELD(name) offsetof(struct model, name)

static const char *const elastic_nets[] = {"elastic-net", "elastic-net-ball", NULL};
static const char *const balls[] = {"l1-ball", "elastic-net-ball", NULL};
static const char *const constraints[] = {"simplex", "l1-ball", "elastic-net-ball", NULL};
static const char *const boosted[] = {"simplex", "entropy", "l1-ball", NULL};

#define ANY_REAL .low = -DBL_MAX, .high = DBL_MAX
#define NOT_NEGATIVE .high = DBL_MAX
#define POSITIVE .low = DBL_TRUE_MIN, .high = DBL_MAX

const struct model_key model_keys[MODEL_KEYS] = {
    {"solver", KEY_NAME, FIELD(solver), .loss = NULL},
    {"loss", KEY_NAME, FIELD(loss), .loss = NULL},
    {"tube", KEY_REAL, FIELD(tube), .loss = "epsilon", NOT_NEGATIVE},
    {"quantile", KEY_REAL, FIELD(quantile), .loss = "quantile", .high = 1, .open = true},
    {"huber", KEY_REAL, FIELD(huber), .loss = "huber", POSITIVE},
    {"nu", KEY_REAL, FIELD(nu), .loss = "boost", .low = 1, .high = DBL_MAX},
    {"eta", KEY_REAL, FIELD(eta), .loss = "boost", POSITIVE},
    {"regularizer", KEY_NAME, FIELD(regularizer), .loss = NULL},
    {"elastic", KEY_REAL, FIELD(elastic), .regularizers = elastic_nets, .low = DBL_TRUE_MIN,
     .high = 1},
    {"ball", KEY_REAL, FIELD(ball), .regularizers = balls, POSITIVE},
    {"lambda", KEY_REAL, FIELD(lambda), .regularizers = constraints, .others = true, NOT_NEGATIVE},
    {"bias", KEY_REAL, FIELD(bias), ANY_REAL},
    {"intercept", KEY_TRUTH, FIELD(intercept), .loss = NULL},
    {"index-base", KEY_BASE, FIELD(zero_based), .loss = NULL},
    {"labels", KEY_LABELS, FIELD(labels), .loss = NULL},
    {"rest", KEY_TRUTH, FIELD(rest), .loss = NULL},
    {"features", KEY_COUNT, FIELD(features), .loss = NULL},
    {"vectors", KEY_COUNT, FIELD(vectors), .loss = NULL},
    {"objective", KEY_REAL, FIELD(objective), ANY_REAL},
    {"bound", KEY_BOUND, FIELD(bound), ANY_REAL},
    {"status", KEY_STATUS, FIELD(status), .loss = NULL},
    {"passes", KEY_REAL, FIELD(passes), NOT_NEGATIVE},
    {"seed", KEY_SEED, FIELD(seed), .loss = NULL},
};

const char *const model_statuses[] = {"converged", "limit", "interrupted", NULL};

static bool contains(const char *const *names, const char *name) {
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool model_key_belongs(const struct model_key *key, const struct model *model) {
    return (key->loss == NULL || strcmp(key->loss, model->loss) == 0) &&
           (key->regularizers == NULL ||
            contains(key->regularizers, model->regularizer) != key->others);
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

/* What LPBoost is trained with: the learners as they are, within the ball of the 1-norm of size 1. */
static const char *check_boost(const struct model *model) {
    if (!contains(boosted, model->regularizer))
        return "boost has regularizer simplex, entropy or l1-ball";
    if (strcmp(model->regularizer, "l1-ball") == 0 && model->ball > 1)
        return "boost has a ball of at most 1";
    if (model->bias >= 0 || model->intercept)
        return "boost has no bias and no intercept";
    return model->labels == 0 ? "boost has labels" : NULL;
}

const char *model_check_names(const struct model *model) {
    if (strcmp(model->regularizer, "elastic-net-ball") == 0 && model->elastic == 1)
        return "elastic-net-ball has elastic below 1";
    return strcmp(model->loss, "boost") == 0 ? check_boost(model) : NULL;
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

bool model_has_map(const struct model *model) {
    return model->map[0] != '\0' && strcmp(model->map, "none") != 0;
}

int64_t model_units(const struct model *model) {
    if (!model_has_map(model))
        return model->features;
    return strcmp(model->map, "fourier") == 0 ? model->map_size : model->points.rows;
}

void model_free(struct model *model) {
    free(model->label);
    free(model->w);
    dataset_free(&model->points);
    basis_free(&model->basis);
    *model = (struct model){0};
}
