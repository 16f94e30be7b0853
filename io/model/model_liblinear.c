/* model_liblinear.c - the model files of LIBLINEAR.
 *
 *     solver_type NAME / nr_class K / label A B ... / nr_feature N / bias B / w
 *
 * and then a line for each feature, the bias last, with one weight for each vector. Two classes have one vector, as
 * regression has (there K is 2 and no label line follows); K > 2 classes have K. LIBLINEAR stores no lambda,
 * objective or seed; they are read as 0. */
#include "io/model/model_format.h"

#include "io/memory.h"
#include "io/number_text.h"
#include "io/output.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct type {
    const char *name, *loss, *regularizer; /* loss NULL: refused */
};

static const struct type types[] = {
    {"L2R_LR", "logistic", "l2"},
    {"L2R_L2LOSS_SVC_DUAL", "squared-hinge", "l2"},
    {"L2R_L2LOSS_SVC", "squared-hinge", "l2"},
    {"L2R_L1LOSS_SVC_DUAL", "hinge", "l2"},
    {"MCSVM_CS", "crammer-singer", "l2"},
    {"L1R_L2LOSS_SVC", "squared-hinge", "l1"},
    {"L1R_LR", "logistic", "l1"},
    {"L2R_LR_DUAL", "logistic", "l2"},
    {"L2R_L2LOSS_SVR", "regression", "l2"},
    {"L2R_L2LOSS_SVR_DUAL", "regression", "l2"},
    {"L2R_L1LOSS_SVR_DUAL", "regression", "l2"},
    {"ONECLASS_SVM", NULL, NULL},
};

static int read_type(struct text *text, struct model *model, struct error *e) {
    char name[MODEL_NAME];
    if (text_word(text, name, sizeof name, "a solver type", e) != 0)
        return -1;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(name, types[i].name) != 0)
            continue;
        if (types[i].loss == NULL)
            return text_fail(text, e, "models of %s cannot be used here: they have no labels",
                             name);
        snprintf(model->solver, sizeof model->solver, "%s", name);
        snprintf(model->loss, sizeof model->loss, "%s", types[i].loss);
        snprintf(model->regularizer, sizeof model->regularizer, "%s", types[i].regularizer);
        return 0;
    }
    return text_fail(text, e, "unknown solver type '%s'", name);
}

/* Skips blanks and reads the end of the line. */
static int end_line(struct text *text, struct error *e) {
    if (text_skip_blanks(text, e) != 0)
        return -1;
    return text_expect_newline(text, e);
}

/* Reads the word KEY at the beginning of a line and the blanks after it. */
static int expect_key(struct text *text, const char *key, struct error *e) {
    char word[MODEL_NAME];
    if (text_word(text, word, sizeof word, key, e) != 0)
        return -1;
    if (strcmp(word, key) != 0)
        return text_fail(text, e, "%s expected, not '%s'", key, word);
    return text_skip_blanks(text, e);
}

static int read_labels(struct text *text, int64_t count, struct model *model, struct error *e) {
    int64_t size = text_size(text);
    if (size >= 0 && count > size / 2)
        return text_fail(text, e, "the file is too short for %lld labels", (long long)count);
    model->label = memory_new(count, sizeof *model->label, "labels", e);
    if (model->label == NULL || expect_key(text, "label", e) != 0)
        return -1;
    for (; model->labels < count; model->labels++)
        if (text_real(text, &model->label[model->labels], "a label", e) != 0 ||
            text_skip_blanks(text, e) != 0)
            return -1;
    const char *wrong = model_check_labels(model, e);
    if (wrong != NULL)
        return text_fail(text, e, "%s", wrong);
    return end_line(text, e);
}

static int read_head(struct text *text, struct model *model, struct error *e) {
    int64_t classes;
    if (text_skip_blanks(text, e) != 0 || read_type(text, model, e) != 0 ||
        end_line(text, e) != 0 || expect_key(text, "nr_class", e) != 0 ||
        text_integer(text, 1, INT32_MAX, &classes, "a number of classes", e) != 0)
        return -1;
    bool regression = strcmp(model->loss, "regression") == 0;
    if (regression && classes != 2)
        return text_fail(text, e, "a regression model has nr_class 2");
    if (end_line(text, e) != 0 || (!regression && read_labels(text, classes, model, e) != 0) ||
        expect_key(text, "nr_feature", e) != 0 ||
        text_integer(text, 0, MODEL_FEATURES_MAX, &model->features, "a number of features", e) !=
            0 ||
        end_line(text, e) != 0 || expect_key(text, "bias", e) != 0 ||
        text_real(text, &model->bias, "a bias", e) != 0 || end_line(text, e) != 0 ||
        expect_key(text, "w", e) != 0)
        return -1;
    return end_line(text, e);
}

/* Reads a row of COLUMNS weights for each feature and stores the first KEEP of each row. */
static int read_rows(struct text *text, int64_t columns, int64_t keep, struct model *model,
                     double **rows, struct error *e) {
    int64_t capacity = 0;
    for (int64_t i = 0; i < model->dimension; i++) {
        if (memory_reserve((void **)rows, &capacity, (i + 1) * keep, sizeof **rows, "weights", e) !=
            0)
            return -1;
        for (int64_t k = 0; k < columns; k++) {
            double value;
            if (text_real(text, &value, "a weight", e) != 0 || text_skip_blanks(text, e) != 0)
                return -1;
            if (k < keep)
                (*rows)[i * keep + k] = value;
        }
        if (end_line(text, e) != 0)
            return -1;
    }
    return 0;
}

/* Transposes ROWS (feature by vector) into model->w (vector by feature). */
static int transpose(struct model *model, double *rows, struct error *e) {
    int64_t dimension = model->dimension, vectors = model->vectors;
    model->w = memory_new(dimension * vectors, sizeof *model->w, "weights", e);
    if (model->w == NULL)
        return -1;
    for (int64_t i = 0; i < dimension; i++)
        for (int64_t k = 0; k < vectors; k++)
            model->w[k * dimension + i] = rows[i * vectors + k];
    return 0;
}

int model_read_liblinear(struct text *text, struct model *model, struct error *e) {
    if (read_head(text, model, e) != 0)
        return -1;
    /* Two Crammer-Singer vectors are opposite; the file has both, LIBLINEAR and we use the first. */
    bool both = model->labels == 2 && strcmp(model->loss, "crammer-singer") == 0;
    model->vectors = model->labels == 0 || model->labels == 2 ? 1 : model->labels;
    snprintf(model->status, sizeof model->status, "converged");
    const char *wrong = model_check_shape(model);
    if (wrong != NULL)
        return text_fail(text, e, "%s", wrong);
    double *rows = NULL;
    int status = read_rows(text, both ? 2 : model->vectors, model->vectors, model, &rows, e);
    if (status == 0 && (text_skip_blanks(text, e) != 0 || text_expect_end(text, e) != 0))
        status = -1;
    if (status == 0)
        status = transpose(model, rows, e);
    free(rows);
    return status;
}

/* ---- writing */

static bool has_integers(const struct model *model) {
    bool integers = true;
    for (int64_t k = 0; k < model->labels; k++)
        integers = integers && model->label[k] == floor(model->label[k]) &&
                   fabs(model->label[k]) <= INT_MAX;
    return integers;
}

const char *model_liblinear_lacks(const struct model *model) {
    if (model_has_map(model))
        return "it has linear models alone, no kernels and maps";
    if (model->shared > 0)
        return "it has no models of sequences and of RNA";
    if (model->scaling.method != SCALING_NONE)
        return "it has no place for --scale; scale the data by the program scale";
    if (model->hash_bits > 0)
        return "it has no place for --hash: its features have numbers";
    if (model->zero_based)
        return "its features begin at 1, without --zero-based";
    if (model->pairs)
        return "it has no pairs of labels; --multiclass ovr works";
    if (model->against_rest)
        return "it has no label for all but that of -P; without -P it has weights for each label";
    if (model_is_calibrated(model))
        return "it has no place for sigmoids (-b 1); -L logistic has probabilities without them";
    return has_integers(model) ? NULL : "its labels are integers";
}

static bool is_loss(const struct model *model, const char *name) {
    return strcmp(model->loss, name) == 0;
}

/* The solver type with which LIBLINEAR's predict does what ours does. */
static const char *type_of(const struct model *model) {
    bool l1 = strcmp(model->regularizer, "l1") == 0;
    if (model->labels == 0)
        return is_loss(model, "squared-epsilon") ? "L2R_L2LOSS_SVR" : "L2R_L1LOSS_SVR_DUAL";
    if (is_loss(model, "logistic") || (is_loss(model, "softmax") && model->labels == 2))
        return l1 ? "L1R_LR" : "L2R_LR";
    if (model->vectors > 2 && (is_loss(model, "crammer-singer") || is_loss(model, "softmax")))
        return "MCSVM_CS";
    if (is_loss(model, "squared-hinge"))
        return l1 ? "L1R_L2LOSS_SVC" : "L2R_L2LOSS_SVC_DUAL";
    return "L2R_L1LOSS_SVC_DUAL";
}

/* Weight J of vector K; of two vectors their difference. */
static double weight_of(const struct model *model, int64_t k, int64_t j) {
    const double *w = model->w + k * model->dimension;
    return model->labels == 2 && model->vectors == 2 ? w[j] - w[model->dimension + j] : w[j];
}

static void print_weight(double w, FILE *stream) {
    char text[NUMBER_TEXT + 1], *end = number_digits_text(w, text);
    *end++ = ' ';
    fwrite(text, 1, (size_t)(end - text), stream);
}

static void print_rows(const struct model *model, int64_t vectors, FILE *stream) {
    for (int64_t j = 0; j < model->features && !ferror(stream); j++) {
        for (int64_t k = 0; k < vectors; k++)
            print_weight(weight_of(model, k, j), stream);
        fputc('\n', stream);
    }
}

/* The weights of the constant feature, which is 1 where there is an offset beside -B. */
static void print_constants(const struct model *model, int64_t vectors, FILE *stream) {
    for (int64_t k = 0; k < vectors; k++) {
        double w = 0;
        if (model->bias >= 0)
            w = weight_of(model, k, model->features) * (model->intercept ? model->bias : 1);
        if (model->intercept)
            w += weight_of(model, k, model->dimension - 1);
        print_weight(w, stream);
    }
    fputc('\n', stream);
}

static void print_model(const struct model *model, FILE *stream) {
    int64_t vectors = model->labels == 2 ? 1 : model->vectors;
    fprintf(stream, "solver_type %s\nnr_class %" PRId64 "\n", type_of(model),
            model->labels == 0 ? 2 : model->labels);
    if (model->labels > 0)
        fputs("label", stream);
    for (int64_t k = 0; k < model->labels; k++)
        fprintf(stream, " %.0f", model->label[k]);
    fprintf(stream, "%snr_feature %" PRId64 "\nbias %.17g\nw\n", model->labels > 0 ? "\n" : "",
            model->features, model->intercept ? 1 : model->bias);
    print_rows(model, vectors, stream);
    if (model->bias >= 0 || model->intercept)
        print_constants(model, vectors, stream);
}

static int write_trained(const struct model *model, const char *path, bool durable,
                         struct error *e) {
    struct output *output = output_open(path, e);
    if (output == NULL)
        return -1;
    if (durable)
        output_make_durable(output);
    print_model(model, output_stream(output));
    return output_commit(output, e);
}

int model_write_liblinear(const struct model *model, const char *path, bool durable,
                          struct error *e) {
    const char *lack = model_liblinear_lacks(model);
    struct model trained;
    if (lack != NULL)
        return error_set(e, "LIBLINEAR's format: %s", lack);
    if (model->untrained == NULL)
        return write_trained(model, path, durable, e);
    if (model_copy(model, &trained, e) != 0)
        return -1;
    model_drop_untrained(&trained);
    int status = write_trained(&trained, path, durable, e);
    model_free(&trained);
    return status;
}
