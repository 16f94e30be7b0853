/* model.c - the keys of the model file, and the checks that a model is consistent. */
#include "io/model/model_format.h"

#include "io/feature_hash.h"
#include "io/memory.h"
#include "io/model/label_pairs.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct model, name)

static const char *const with_elastic[] = {"elastic-net", "elastic-net-ball", NULL};
static const char *const with_ball[] = {"l1-ball", "elastic-net-ball", NULL};
static const char *const without_lambda[] = {"simplex", "l1-ball", "elastic-net-ball", NULL};
static const char *const regularizers_of_boost[] = {"simplex", "entropy", "l1-ball", NULL};

/* Losses of a vector for each class against the rest, or one for two classes, and losses without classes; below, joint:
 * a vector for each class, trained together. A test compares them with the table of risks. */
static const char *const losses_of_classes[] = {"hinge",    "squared-hinge", "logistic", "boost",
                                                "f1",       "precision",     "prbep",    "rocarea",
                                                "nu-hinge", "one-class",     NULL};
static const char *const losses_of_numbers[] = {
    "squared",  "absolute", "epsilon", "squared-epsilon", "huber",
    "quantile", "pairwise", "ndcg",    "nu-epsilon",      NULL};
static const char *const losses_with_tube[] = {"epsilon", "squared-epsilon", "nu-epsilon", NULL};
static const char *const losses_with_nu[] = {"boost", "nu-hinge", "nu-epsilon", "one-class", NULL};
static const char *const losses_with_at[] = {"precision", "ndcg", NULL};
static const char *const joint_losses[] = {"crammer-singer", "softmax", "m3n", "crf", NULL};
static const char *const losses_with_shared[] = {"m3n", "crf", "rna", NULL};

static const char *const losses_with_pairs[] = {"hinge", "squared-hinge", "logistic", "nu-hinge",
                                                NULL};
static const char *const losses_with_sigmoid[] = {
    "hinge",     "squared-hinge", "nu-hinge", "boost",          "f1",
    "precision", "prbep",         "rocarea",  "crammer-singer", NULL};

static const char *const statuses[] = {"converged", "settled", "limit", "interrupted", NULL};
static const char *const maps[] = {"nystrom", "fourier", "support", NULL};
static const char *const maps_of_points[] = {"nystrom", "support", NULL};
static const char *const fourier[] = {"fourier", NULL};
static const char *const support[] = {"support", NULL};
static const char *const kernels[] = {"linear",  "polynomial",  "gaussian",
                                      "sigmoid", "precomputed", NULL};
static const char *const kernels_of_gamma[] = {"polynomial", "gaussian", "sigmoid", NULL};
static const char *const kernels_of_shift[] = {"polynomial", "sigmoid", NULL};
static const char *const polynomial[] = {"polynomial", NULL};

#define ANY_REAL .low = -DBL_MAX, .high = DBL_MAX
#define NOT_NEGATIVE .high = DBL_MAX
#define POSITIVE .low = DBL_TRUE_MIN, .high = DBL_MAX
#define ANY_COUNT .high = MODEL_FEATURES_MAX

const struct model_key model_keys[MODEL_KEYS] = {
    {"solver", KEY_NAME, FIELD(solver), .loss = NULL},
    {"loss", KEY_NAME, FIELD(loss), .loss = NULL},
    {"tube", KEY_REAL, FIELD(tube), .losses = losses_with_tube, NOT_NEGATIVE},
    {"quantile", KEY_REAL, FIELD(quantile), .loss = "quantile", .high = 1, .open = true},
    {"huber", KEY_REAL, FIELD(huber), .loss = "huber", POSITIVE},
    {"nu", KEY_REAL, FIELD(nu), .losses = losses_with_nu, NOT_NEGATIVE},
    {"eta", KEY_REAL, FIELD(eta), .loss = "boost", POSITIVE},
    {"at", KEY_COUNT, FIELD(at), .losses = losses_with_at, .high = MODEL_AT_MAX},
    {"regularizer", KEY_NAME, FIELD(regularizer), .loss = NULL},
    {"elastic", KEY_REAL, FIELD(elastic), .regularizers = with_elastic, .low = DBL_TRUE_MIN,
     .high = 1},
    {"ball", KEY_REAL, FIELD(ball), .regularizers = with_ball, POSITIVE},
    {"lambda", KEY_REAL, FIELD(lambda), .regularizers = without_lambda, .others = true,
     NOT_NEGATIVE},
    {"bias", KEY_REAL, FIELD(bias), ANY_REAL},
    {"intercept", KEY_TRUTH, FIELD(intercept), .loss = NULL},
    {"index-base", KEY_BASE, FIELD(zero_based), .loss = NULL},
    {"hash", KEY_OPTIONAL, FIELD(hash_bits), .low = 1, .high = FEATURE_HASH_BITS_MOST},
    {"labels", KEY_LABELS, FIELD(labels), .loss = NULL},
    {"untrained", KEY_UNTRAINED, FIELD(untrained), .loss = NULL},
    {"rest", KEY_TRUTH, FIELD(against_rest), .loss = NULL},
    {"multiclass", KEY_PAIRS, FIELD(pairs), .losses = losses_with_pairs},
    {"features", KEY_COUNT, FIELD(features), ANY_COUNT},
    {"vectors", KEY_COUNT, FIELD(vectors), ANY_COUNT},
    {"shared", KEY_COUNT, FIELD(shared), .losses = losses_with_shared, ANY_COUNT},
    {"sigmoid", KEY_SIGMOID, FIELD(sigmoid), .losses = losses_with_sigmoid},
    {"isotonic", KEY_ISOTONIC, FIELD(isotonic), .losses = losses_with_sigmoid},
    {"scaling", KEY_SCALING, FIELD(scaling), .loss = NULL},
    {"objective", KEY_REAL, FIELD(objective), ANY_REAL},
    {"bound", KEY_BOUND, FIELD(bound), ANY_REAL},
    {"status", KEY_CHOICE, FIELD(status), .choices = statuses},
    {"passes", KEY_REAL, FIELD(passes), NOT_NEGATIVE},
    {"examples", KEY_OPTIONAL, FIELD(examples), .low = 1, .high = MODEL_EXAMPLES_MAX},
    {"seed", KEY_SEED, FIELD(seed), .loss = NULL},
    {"map", KEY_CHOICE, FIELD(map), .choices = maps, .mapped = true},
    {"kernel", KEY_CHOICE, FIELD(kernel), .choices = kernels, .mapped = true},
    {"gamma", KEY_REAL, FIELD(gamma), .kernels = kernels_of_gamma, POSITIVE},
    {"shift", KEY_REAL, FIELD(shift), .kernels = kernels_of_shift, ANY_REAL},
    {"degree", KEY_COUNT, FIELD(degree), .kernels = polynomial, .low = 0, .high = MODEL_DEGREE_MAX},
    {"map-size", KEY_COUNT, FIELD(map_size), .maps = fourier, .low = 1, .high = MODEL_MAP_SIZE_MAX},
    {"points", KEY_COUNT, FIELD(points.rows), .maps = maps_of_points, ANY_COUNT},
    {"basis", KEY_BASIS, FIELD(basis), .maps = support},
    {"basis-only", KEY_BASIS_ONLY, FIELD(basis), .maps = support},
};

bool model_name_among(const char *const *names, const char *name) {
    for (int i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

bool model_loss_has_pairs(const char *loss) {
    return model_name_among(losses_with_pairs, loss);
}

/* The name of the map; an empty field means "none". */
static const char *map_of(const struct model *model) {
    return model->map[0] == '\0' ? "none" : model->map;
}

const char *model_key_conflict(const struct model_key *key, const struct model *model,
                               const char **name) {
    *name = model->loss;
    if ((key->loss != NULL && strcmp(key->loss, model->loss) != 0) ||
        (key->losses != NULL && !model_name_among(key->losses, model->loss)))
        return "loss";
    *name = model->regularizer;
    if (key->regularizers != NULL &&
        model_name_among(key->regularizers, model->regularizer) == key->others)
        return "regularizer";
    *name = map_of(model);
    if ((key->maps != NULL && !model_name_among(key->maps, *name)) ||
        ((key->mapped || key->kernels != NULL) && !model_has_map(model)))
        return "map";
    *name = model->kernel;
    return key->kernels != NULL && !model_name_among(key->kernels, *name) ? "kernel" : NULL;
}

bool model_key_belongs(const struct model_key *key, const struct model *model) {
    const char *name;
    return model_key_conflict(key, model, &name) == NULL;
}

bool model_key_optional(const struct model_key *key) {
    return key->kind == KEY_UNTRAINED || key->kind == KEY_OPTIONAL || key->kind == KEY_PAIRS ||
           key->kind == KEY_SIGMOID || key->kind == KEY_ISOTONIC || key->kind == KEY_SCALING;
}

bool model_key_in_range(const struct model_key *key, double value) {
    if (key->open && (value == key->low || value == key->high))
        return false;
    return value >= key->low && value <= key->high;
}

static const char *check_shared(const struct model *model) {
    if (strcmp(model->loss, "rna") == 0)
        return model->shared == MODEL_RNA_WEIGHTS ? NULL : "a model of RNA has 323 shared weights";
    if (!model_name_among(losses_with_shared, model->loss))
        return model->shared == 0 ? NULL : "a model of this loss has no shared weights";
    return model->shared == model->labels * model->labels
               ? NULL
               : "a model of sequences has a shared weight for every pair of labels";
}

/* Checks the counts of models whose weight vectors were trained jointly or that have shared weights. */
static const char *check_joint(const struct model *model) {
    if (strcmp(model->loss, "rna") == 0 && (model->labels != 0 || model->vectors != 0))
        return "a model of RNA has no labels and no vectors";
    bool first_vector_only =
        model->labels == 2 && model->vectors == 1 &&
        strcmp(model->loss, "crammer-singer") ==
            0; /* as LIBLINEAR stores it: the second vector is minus the first */
    if (model_name_among(joint_losses, model->loss) && !first_vector_only &&
        (model->labels == 0 || model->vectors != model->labels))
        return "a model of this loss has a vector for every label";
    return check_shared(model);
}

const char *model_check_shape(struct model *model) {
    const char *wrong = check_joint(model);
    if (wrong != NULL)
        return wrong;
    if (model->labels == 0 && model->vectors != 1 && strcmp(model->loss, "rna") != 0)
        return "a model without labels has one vector";
    if (model->labels == 2 && model->vectors != 1 && model->vectors != 2)
        return "a model of two labels has one vector or two";
    if (model->against_rest && model->labels != 2)
        return "a label against the rest needs two labels";
    if (model->pairs && (model->labels < 3 || model->labels > LABEL_PAIRS_MAX ||
                         model->vectors != label_pairs_count(model->labels)))
        return "a one-vs-one model has a vector for every pair of 3 to 1000 labels";
    if (model->pairs && !model_loss_has_pairs(model->loss))
        return "a one-vs-one model has a loss that is not trained by pairs";
    if (model->labels != 0 && model->labels != 2 && !model->pairs &&
        model->vectors != model->labels)
        return "a model has a vector for every label";
    if (model->untrained != NULL &&
        (model->labels == 0 || (model->vectors != model->labels && !model->pairs)))
        return "only a model with a vector for every label has untrained ones";
    if (model_is_calibrated(model) && model->labels == 0)
        return "a model without labels has no sigmoid";
    if (model->sigmoid != NULL && model->isotonic != NULL)
        return "a model has sigmoid or isotonic";
    if (model->hash_bits > 0 && model->features != feature_hash_columns((int)model->hash_bits))
        return "the features of hashed names are not 2 to the power of hash";
    model->dimension =
        model_units(model) + (model->bias >= 0) + model->intercept + model->basis.count;
    int64_t weights;
    if (__builtin_mul_overflow(model->vectors, model->dimension, &weights) ||
        __builtin_add_overflow(weights, model->shared, &weights))
        return "features times vectors is too large";
    return NULL;
}

static const char *check_basis(const struct model *model) {
    if (model->basis.count > 0 && strcmp(model->map, "support") != 0)
        return "only models of support vectors have a basis";
    for (int64_t j = 0; j < model->basis.count; j++)
        if (model->basis.function[j].column >= model->features)
            return "a basis function is of a feature beyond the model's";
    return NULL;
}

static const char *check_map(const struct model *model) {
    if (strcmp(model->map, "fourier") == 0 && strcmp(model->kernel, "gaussian") != 0)
        return "fourier has the kernel gaussian";
    if (model_is_support(model) && (model->bias >= 0 || model->intercept))
        return "a model of support vectors has no bias and no intercept: its offset is the basis "
               "function 1";
    return check_basis(model);
}

/* LPBoost is trained without bias or intercept, in the 1-norm ball of radius 1 or a part of it. */
static const char *check_boost(const struct model *model) {
    if (model->nu < 1)
        return "boost has nu of at least 1";
    if (!model_name_among(regularizers_of_boost, model->regularizer))
        return "boost has regularizer simplex, entropy or l1-ball";
    if (strcmp(model->regularizer, "l1-ball") == 0 && model->ball > 1)
        return "boost has a ball of at most 1";
    if (model->bias >= 0 || model->intercept)
        return "boost has no bias and no intercept";
    return NULL;
}

/* Not asked of LIBLINEAR's files, which may have one label. */
static const char *check_label_count(const struct model *model) {
    if (model_name_among(losses_of_numbers, model->loss))
        return model->labels == 0 ? NULL : "a model of this loss has no labels";
    if (model->labels == 1 ||
        (model->labels == 0 && model_name_among(losses_of_classes, model->loss)))
        return "a model of this loss has two labels or more";
    return NULL;
}

const char *model_check_names(const struct model *model) {
    if (strcmp(model->regularizer, "elastic-net-ball") == 0 && model->elastic == 1)
        return "elastic-net-ball has elastic below 1";
    const char *wrong = check_label_count(model);
    if (wrong == NULL)
        wrong = check_map(model);
    if (wrong != NULL || !model_name_among(losses_with_nu, model->loss))
        return wrong;
    if (strcmp(model->loss, "boost") == 0)
        return check_boost(model);
    return model->nu <= 1 ? NULL : "nu of this loss is at most 1";
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

const char *model_check_labels(const struct model *model, struct error *e) {
    double *sorted = memory_new(model->labels, sizeof *sorted, "labels", e);
    if (sorted == NULL)
        return "out of memory";
    bool repeated = false;
    if (model->labels > 0) {
        memcpy(sorted, model->label, (size_t)model->labels * sizeof *sorted);
        qsort(sorted, (size_t)model->labels, sizeof *sorted, compare);
    }
    for (int64_t i = 1; i < model->labels; i++)
        repeated |= sorted[i] == sorted[i - 1];
    free(sorted);
    return repeated ? "a label is repeated" : NULL;
}

bool model_may_be_sparse(int64_t weights, int64_t entries) {
    return weights <= (1 << 27) || entries >= (weights >> 10);
}

bool model_has_map(const struct model *model) {
    return model->map[0] != '\0' && strcmp(model->map, "none") != 0;
}

bool model_is_support(const struct model *model) {
    return strcmp(model->map, "support") == 0;
}

int64_t model_weights(const struct model *model) {
    return model->vectors * model->dimension + model->shared;
}

int64_t model_units(const struct model *model) {
    if (!model_has_map(model))
        return model->features;
    return strcmp(model->map, "fourier") == 0 ? model->map_size : model->points.rows;
}

bool model_has_points(const struct model *model) {
    return model_name_among(maps_of_points, model->map);
}

bool model_is_calibrated(const struct model *model) {
    return model->sigmoid != NULL || model->isotonic != NULL;
}

void model_free_calibration(struct model *model) {
    for (int64_t v = 0; v < model->isotonics; v++)
        isotonic_free(&model->isotonic[v]);
    free(model->isotonic);
    free(model->sigmoid);
    model->isotonic = NULL;
    model->isotonics = 0;
    model->sigmoid = NULL;
}

void model_free(struct model *model) {
    free(model->label);
    free(model->untrained);
    model_free_calibration(model);
    free(model->w);
    scaling_free(&model->scaling);
    dataset_free(&model->points);
    basis_free(&model->basis);
    *model = (struct model){0};
}
