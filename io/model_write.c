/* model_write.c - the model file, written whole or not at all. */
#include "io/model_format.h"

#include "io/output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Not left out: everything but +0 (-0 has its own bits, which must come back). */
static bool is_entry(double weight) {
    return weight != 0 || signbit(weight);
}

static int check_name(const char *key, const char *name, struct error *e) {
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] >= 127 || name[i] == ':')
            return error_set(e, "the model's %s is no single word", key);
    if (length == 0 || length >= MODEL_NAME)
        return error_set(e, "the model has no %s", key);
    return 0;
}

/* What the reader would refuse is not written. */
static int check_key(const struct model_key *key, const struct model *model, struct error *e) {
    const void *field = (const char *)model + key->offset;
    double real;
    switch (key->kind) {
    case KEY_NAME:
    case KEY_STATUS:
        return check_name(key->name, field, e);
    case KEY_REAL:
        memcpy(&real, field, sizeof real);
        if (!model_key_in_range(key, real))
            return error_set(e, "the model's %s is out of range: %g", key->name, real);
        return 0;
    case KEY_BOUND:
        memcpy(&real, field, sizeof real);
        if (isnan(real) || real == INFINITY)
            return error_set(e, "the model's %s is out of range: %g", key->name, real);
        return 0;
    default:
        return 0;
    }
}

static int check(const struct model *model, int64_t *entries, struct error *e) {
    for (int k = 0; k < MODEL_KEYS; k++)
        if (model_key_belongs(&model_keys[k], model) && check_key(&model_keys[k], model, e) != 0)
            return -1;
    struct model shape = *model;
    const char *wrong = model_check_shape(&shape);
    if (wrong == NULL && shape.dimension != model->dimension)
        wrong = "dimension is not features + bias + intercept";
    if (wrong == NULL)
        wrong = model_check_names(model);
    if (wrong == NULL)
        wrong = model_check_labels(model, e);
    if (wrong != NULL)
        return error_set(e, "inconsistent model: %s", wrong);
    if (model->features < 0 || model->features > MODEL_FEATURES_MAX)
        return error_set(e, "too many features for a model: %" PRId64, model->features);
    for (int64_t i = 0; i < model->labels; i++)
        if (!isfinite(model->label[i]))
            return error_set(e, "a label of the model is not finite");
    *entries = 0;
    for (int64_t i = 0; i < model->vectors * model->dimension; i++) {
        if (!isfinite(model->w[i]))
            return error_set(e, "weight %" PRId64 " of the model is not finite", i + 1);
        *entries += is_entry(model->w[i]);
    }
    return 0;
}

static void write_key(const struct model_key *key, const struct model *model, FILE *stream) {
    const char *field = (const char *)model + key->offset;
    double real;
    bool truth;
    int64_t count;
    uint64_t seed;
    fputs(key->name, stream);
    switch (key->kind) {
    case KEY_NAME:
    case KEY_STATUS:
        fprintf(stream, " %s", field);
        break;
    case KEY_REAL:
    case KEY_BOUND:
        memcpy(&real, field, sizeof real);
        fprintf(stream, " %.17g", real);
        break;
    case KEY_TRUTH:
    case KEY_BASE:
        memcpy(&truth, field, sizeof truth);
        fprintf(stream, " %d", truth != (key->kind == KEY_BASE));
        break;
    case KEY_COUNT:
        memcpy(&count, field, sizeof count);
        fprintf(stream, " %" PRId64, count);
        break;
    case KEY_SEED:
        memcpy(&seed, field, sizeof seed);
        fprintf(stream, " %" PRIu64, seed);
        break;
    case KEY_LABELS:
        for (int64_t i = 0; i < model->labels; i++)
            fprintf(stream, " %.17g", model->label[i]);
        if (model->labels == 0)
            fputs(" none", stream);
        break;
    }
    fputc('\n', stream);
}

/* Regularizers that make zeros. */
static const char *const makers[] = {"l1", "elastic-net", "l1-ball", "elastic-net-ball"};

/* Whether zeros are left out: where most weights are zero, and any where the regularizer makes them. */
static bool is_sparse(const struct model *model, int64_t weights, int64_t entries) {
    bool made = false;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        made = made || strcmp(model->regularizer, makers[i]) == 0;
    return (made ? entries < weights : 2 * entries < weights) &&
           model_may_be_sparse(weights, entries);
}

/* One weight a line; stops early once a write has failed. */
static void write_weights(const struct model *model, int64_t entries, FILE *stream) {
    int64_t weights = model->vectors * model->dimension;
    bool sparse = is_sparse(model, weights, entries);
    fprintf(stream, "w %s %" PRId64 "\n", sparse ? "sparse" : "dense", sparse ? entries : weights);
    for (int64_t i = 0; i < weights && !ferror(stream); i++)
        if (!sparse)
            fprintf(stream, "%.17g\n", model->w[i]);
        else if (is_entry(model->w[i]))
            fprintf(stream, "%" PRId64 ":%.17g\n", i + 1, model->w[i]);
}

int model_write(const struct model *model, const char *path, bool durable, struct error *e) {
    int64_t entries;
    if (check(model, &entries, e) != 0)
        return -1;
    struct output *output = output_open(path, e);
    if (output == NULL)
        return -1;
    if (durable)
        output_make_durable(output);
    FILE *stream = output_stream(output);
    fprintf(stream, "librrm %d\n", MODEL_VERSION);
    for (int k = 0; k < MODEL_KEYS; k++)
        if (model_key_belongs(&model_keys[k], model))
            write_key(&model_keys[k], model, stream);
    write_weights(model, entries, stream);
    fputs("end\n", stream);
    return output_commit(output, e);
}
