/* model_liblinear.c - the model files of LIBLINEAR.
 *
 *     solver_type NAME / nr_class K / label A B ... / nr_feature N / bias B / w
 *
 * and then a line for each feature, the bias last, with one weight for each vector. Two classes have one vector, as
 * regression has (there K is 2 and no label line follows); K > 2 classes have K. LIBLINEAR stores no lambda,
 * objective or seed; they are read as 0. */
#include "io/model/model_format.h"

#include "io/memory.h"

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
    return text_expect(text, '\n', "the end of the line", e);
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
        if ((i + 1) * keep > capacity) {
            capacity = 2 * capacity + 64 * keep;
            if (memory_resize((void **)rows, capacity, sizeof **rows, "weights", e) != 0)
                return -1;
        }
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
