/* model_write.c - writes the model file; on failure the old file stays unchanged. */
#include "io/model/model_format.h"

#include "io/number_text.h"
#include "io/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct writing {
    const struct model *model;
    int64_t entries; /* weights that the sparse form has: all but +0 */
    char *basis[2];  /* text of the keys basis and basis-only */
};

/* True for all weights but +0. -0 is an entry, since reading must return the same bits. */
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

/* Whether the line of this key is left out: the key does not belong to the model, or has its default. */
static bool is_left_out(const struct model_key *key, const struct model *model) {
    int64_t count = 0;
    if (key->kind == KEY_OPTIONAL)
        memcpy(&count, (const char *)model + key->offset, sizeof count);
    return (key->kind == KEY_UNTRAINED && model->untrained == NULL) ||
           (key->kind == KEY_PAIRS && !model->pairs) ||
           (key->kind == KEY_ISOTONIC && model->isotonic == NULL) ||
           (key->kind == KEY_SIGMOID && model->sigmoid == NULL) ||
           (key->kind == KEY_SCALING && model->scaling.method == SCALING_NONE) ||
           (key->kind == KEY_OPTIONAL && count == 0);
}

/* Refuses a value that the reader would refuse. */
static int check_key(const struct model_key *key, const struct model *model, struct error *e) {
    const void *field = (const char *)model + key->offset;
    double real;
    int64_t count;
    switch (key->kind) {
    case KEY_NAME:
        return check_name(key->name, field, e);
    case KEY_CHOICE:
        if (!model_name_among(key->choices, field))
            return error_set(e, "the model's %s is unknown: '%.31s'", key->name,
                             (const char *)field);
        return 0;
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
    case KEY_COUNT:
    case KEY_OPTIONAL:
        memcpy(&count, field, sizeof count);
        if (!is_left_out(key, model) && !model_key_in_range(key, (double)count))
            return error_set(e, "the model's %s is out of range: %" PRId64, key->name, count);
        return 0;
    default:
        return 0;
    }
}

static int check_points(const struct model *model, struct error *e) {
    int64_t row;
    const char *wrong = model_has_points(model) ? model_check_points(model, &row) : NULL;
    return wrong == NULL ? 0 : error_set(e, "point %" PRId64 " of the model: %s", row + 1, wrong);
}

/* Writes the basis as text and checks that the text can be parsed. */
static int check_basis(struct writing *writing, struct error *e) {
    const struct model *model = writing->model;
    const struct basis *basis = &model->basis;
    struct basis parsed;
    struct error wrong = {0};
    writing->basis[0] = basis_text(basis, 0, basis->shared, model->zero_based, e);
    writing->basis[1] = basis_text(basis, basis->shared, basis->count, model->zero_based, e);
    if (writing->basis[0] == NULL || writing->basis[1] == NULL)
        return -1;
    int status =
        basis_parse(writing->basis[0], writing->basis[1], model->zero_based, &parsed, &wrong);
    basis_free(&parsed);
    if (wrong.kind == ERROR_MEMORY)
        return error_pass(e, &wrong);
    return status == 0 ? 0 : error_set(e, "inconsistent model: %s", wrong.words);
}

static int check_weights(struct writing *writing, struct error *e) {
    const struct model *model = writing->model;
    for (int64_t i = 0; i < model_weights(model); i++) {
        if (!isfinite(model->w[i]))
            return error_set(e, "weight %" PRId64 " of the model is not finite", i + 1);
        writing->entries += is_entry(model->w[i]);
    }
    return 0;
}

static int check(struct writing *writing, struct error *e) {
    const struct model *model = writing->model;
    for (int k = 0; k < MODEL_KEYS; k++)
        if (model_key_belongs(&model_keys[k], model) && check_key(&model_keys[k], model, e) != 0)
            return -1;
    struct model shape = *model;
    const char *wrong = model_check_shape(&shape);
    if (wrong == NULL && shape.dimension != model->dimension)
        wrong = "dimension is not the units, bias, intercept and basis";
    if (wrong == NULL)
        wrong = model_check_names(model);
    if (wrong == NULL)
        wrong = model_check_labels(model, e);
    if (wrong == NULL)
        wrong = model_check_scaling(model);
    if (wrong != NULL)
        return error_set(e, "inconsistent model: %s", wrong);
    if (check_points(model, e) != 0)
        return -1;
    for (int64_t i = 0; i < model->labels; i++)
        if (!isfinite(model->label[i]))
            return error_set(e, "a label of the model is not finite");
    for (int64_t i = 0; model->sigmoid != NULL && i < 2 * model->vectors; i++)
        if (!isfinite(model->sigmoid[i]))
            return error_set(e, "a sigmoid of the model is not finite");
    for (int64_t v = 0; wrong == NULL && model->isotonic != NULL && v < model->vectors; v++)
        wrong = isotonic_check(&model->isotonic[v]);
    if (wrong != NULL)
        return error_set(e, "inconsistent model: %s", wrong);
    return check_basis(writing, e) == 0 ? check_weights(writing, e) : -1;
}

static void write_isotonic(const struct isotonic *isotonic, FILE *stream) {
    fprintf(stream, " %" PRId64, isotonic->count);
    for (int64_t i = 0; i < 2 * isotonic->count; i++)
        fprintf(stream, " %.17g", isotonic->knot[i]);
}

static void write_key(const struct model_key *key, const struct writing *writing, FILE *stream) {
    const struct model *model = writing->model;
    const char *field = (const char *)model + key->offset;
    double real;
    bool truth;
    int64_t count;
    uint64_t seed;
    if (is_left_out(key, model))
        return;
    fputs(key->name, stream);
    switch (key->kind) {
    case KEY_NAME:
    case KEY_CHOICE:
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
    case KEY_OPTIONAL:
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
    case KEY_UNTRAINED:
        model_write_untrained(model, stream);
        break;
    case KEY_PAIRS:
        fputs(" ovo", stream);
        break;
    case KEY_SIGMOID:
        for (int64_t i = 0; i < 2 * model->vectors; i++)
            fprintf(stream, " %.17g", model->sigmoid[i]);
        break;
    case KEY_ISOTONIC:
        for (int64_t v = 0; v < model->vectors; v++)
            write_isotonic(&model->isotonic[v], stream);
        break;
    case KEY_SCALING:
        model_write_scaling(model, stream);
        break;
    case KEY_BASIS:
    case KEY_BASIS_ONLY:
        fprintf(stream, " %s", writing->basis[key->kind == KEY_BASIS_ONLY]);
        break;
    }
    fputc('\n', stream);
}

/* Regularizers whose minimizers have zeros. */
static const char *const sparse_regularizers[] = {"l1", "elastic-net", "l1-ball",
                                                  "elastic-net-ball"};

/* Whether the sparse form is written: if more than half of the weights are zero, or any under a sparse regularizer. */
static bool is_sparse(const struct model *model, int64_t weights, int64_t entries) {
    bool sparse_regularizer = false;
    for (size_t i = 0; i < sizeof sparse_regularizers / sizeof *sparse_regularizers; i++)
        sparse_regularizer =
            sparse_regularizer || strcmp(model->regularizer, sparse_regularizers[i]) == 0;
    return (sparse_regularizer ? entries < weights : 2 * entries < weights) &&
           model_may_be_sparse(weights, entries);
}

/* A line with a weight, behind its index if that is not 0. */
static void write_weight(int64_t index, double w, FILE *stream) {
    char line[2 * NUMBER_TEXT + 2], *end = line;
    if (index > 0) {
        end = number_text((double)index, end);
        *end++ = ':';
    }
    end = number_digits_text(w, end);
    *end++ = '\n';
    fwrite(line, 1, (size_t)(end - line), stream);
}

/* Writes one weight on each line; stops after a write has failed. */
static void write_weights(const struct writing *writing, FILE *stream) {
    const struct model *model = writing->model;
    int64_t weights = model_weights(model), entries = writing->entries;
    bool sparse = is_sparse(model, weights, entries);
    fprintf(stream, "w %s %" PRId64 "\n", sparse ? "sparse" : "dense", sparse ? entries : weights);
    for (int64_t i = 0; i < weights && !ferror(stream); i++)
        if (!sparse || is_entry(model->w[i]))
            write_weight(sparse ? i + 1 : 0, model->w[i], stream);
}

static void write_all(const struct writing *writing, FILE *stream) {
    const struct model *model = writing->model;
    fprintf(stream, "librrm %d\n", MODEL_VERSION);
    for (int k = 0; k < MODEL_KEYS; k++)
        if (model_key_belongs(&model_keys[k], model))
            write_key(&model_keys[k], writing, stream);
    write_weights(writing, stream);
    if (model_has_points(model))
        model_write_points(model, stream);
    if (model_has_ranges(model))
        model_write_ranges(model, stream);
    fputs("end\n", stream);
}

int model_write(const struct model *model, const char *path, bool durable, struct error *e) {
    struct writing writing = {.model = model};
    int status = check(&writing, e);
    struct output *output = status == 0 ? output_open(path, e) : NULL;
    if (output != NULL) {
        if (durable)
            output_make_durable(output);
        write_all(&writing, output_stream(output));
    }
    free(writing.basis[0]);
    free(writing.basis[1]);
    return output == NULL ? -1 : output_commit(output, e);
}
