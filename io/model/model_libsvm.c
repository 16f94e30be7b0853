/* model_libsvm.c - the model files of LIBSVM: regression, one class, and classification.
 *
 *     svm_type NAME / kernel_type NAME / degree, gamma, coef0: the kernel's / nr_class K / total_sv N /
 *     rho R ... / label A B ... / nr_sv ... / SV
 *
 * and then a line for each support vector: its weights and its entries. The model gets the map "support" and the
 * basis function 1 with the weight -rho. More than two labels are one-vs-one: rho, probA and probB have a number for
 * each pair (io/model/label_pairs.h), and a support vector of class i has a weight for its pair with each other class,
 * in the order of the classes; nr_sv says how many support vectors each class has, which stand together. LIBSVM stores
 * no number of features, so rows may have any feature. It stores no C, nu, tube, objective or seed; they are read as 0.
 * probA and probB of classes are the parameters of the sigmoids for probabilities. */
#include "io/model/model_format.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

enum key {
    TYPE,
    KERNEL,
    DEGREE,
    GAMMA,
    SHIFT,
    CLASSES,
    COUNT,
    RHO,
    LABELS,
    VECTORS_PER_CLASS,
    SIGMOID_A,
    SIGMOID_B,
    MARKS,
    KEYS
};

static const char *const key_names[KEYS] = {
    "svm_type", "kernel_type", "degree", "gamma", "coef0", "nr_class",          "total_sv",
    "rho",      "label",       "nr_sv",  "probA", "probB", "prob_density_marks"};

static const struct {
    const char *name, *loss;
} types[] = {{"c_svc", "hinge"},
             {"nu_svc", "hinge"},
             {"epsilon_svr", "regression"},
             {"nu_svr", "regression"},
             {"one_class", "one-class"}};

static const struct {
    const char *name, *kernel;
} kernels[] = {{"linear", "linear"},
               {"polynomial", "polynomial"},
               {"rbf", "gaussian"},
               {"sigmoid", "sigmoid"},
               {"precomputed", "precomputed"}};

struct reading {
    struct text *text;
    struct model *model;
    bool seen[KEYS];
    int64_t classes;     /* 2, also of regression, until nr_class says more */
    double *rho;         /* of each pair of classes */
    double *sigmoid[2];  /* A, B of each pair; NULL: not read */
    int64_t *per_class;  /* support vectors of each class; NULL: not read */
    double *coefficient; /* of each support vector, classes - 1 numbers */
    struct points_capacity points;
    int64_t weight_capacity; /* of the coefficients */
    struct error *e;
};

static int end_line(struct reading *reading) {
    if (text_skip_blanks(reading->text, reading->e) != 0)
        return -1;
    return text_expect_newline(reading->text, reading->e);
}

static int read_type(struct reading *reading) {
    struct model *model = reading->model;
    if (text_word(reading->text, model->solver, MODEL_NAME, "an SVM type", reading->e) != 0)
        return -1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (strcmp(model->solver, types[i].name) != 0)
            continue;
        snprintf(model->loss, MODEL_NAME, "%s", types[i].loss);
        return 0;
    }
    return text_fail(reading->text, reading->e, "unknown SVM type '%s'", model->solver);
}

static int read_kernel(struct reading *reading) {
    char name[MODEL_NAME];
    if (text_word(reading->text, name, sizeof name, "a kernel", reading->e) != 0)
        return -1;
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        if (strcmp(name, kernels[i].name) != 0)
            continue;
        snprintf(reading->model->kernel, MODEL_NAME, "%s", kernels[i].kernel);
        return 0;
    }
    return text_fail(reading->text, reading->e, "unknown kernel '%s'", name);
}

/* The keys with as many numbers as there are classes or pairs of them come later. */
static int read_classes(struct reading *reading) {
    static const int later[] = {RHO, LABELS, VECTORS_PER_CLASS, SIGMOID_A, SIGMOID_B};
    int64_t *classes = &reading->classes;
    if (text_integer(reading->text, 1, INT32_MAX, classes, "a number of classes", reading->e) != 0)
        return -1;
    if (*classes > LABEL_PAIRS_MAX)
        return text_fail(reading->text, reading->e, "a model of %lld classes; %d can be read",
                         (long long)*classes, LABEL_PAIRS_MAX);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++)
        if (*classes > 2 && reading->seen[later[i]])
            return text_fail(reading->text, reading->e, "key '%s' stands before nr_class",
                             key_names[later[i]]);
    return *classes > 1 ? 0 : text_fail(reading->text, reading->e, "a model of a single class");
}

/* Reads COUNT numbers, with blanks between them. */
static int read_reals(struct reading *reading, int64_t count, const char *what, double **number) {
    *number = memory_new(count, sizeof **number, what, reading->e);
    if (*number == NULL)
        return -1;
    for (int64_t k = 0; k < count; k++)
        if (text_skip_blanks(reading->text, reading->e) != 0 ||
            text_real(reading->text, *number + k, what, reading->e) != 0)
            return -1;
    return 0;
}

static int read_pairs(struct reading *reading, const char *what, double **number) {
    return read_reals(reading, label_pairs_count(reading->classes), what, number);
}

/* Reads the number of support vectors of each class. */
static int read_per_class(struct reading *reading) {
    int64_t count = reading->classes;
    reading->per_class = memory_new(count, sizeof *reading->per_class, "nr_sv", reading->e);
    if (reading->per_class == NULL)
        return -1;
    for (int64_t k = 0; k < count; k++)
        if (text_skip_blanks(reading->text, reading->e) != 0 ||
            text_integer(reading->text, 0, MODEL_FEATURES_MAX, &reading->per_class[k], "nr_sv",
                         reading->e) != 0)
            return -1;
    return 0;
}

static int read_labels(struct reading *reading) {
    struct model *model = reading->model;
    model->label = memory_new(reading->classes, sizeof *model->label, "labels", reading->e);
    if (model->label == NULL)
        return -1;
    for (; model->labels < reading->classes; model->labels++)
        if (text_skip_blanks(reading->text, reading->e) != 0 ||
            text_real(reading->text, &model->label[model->labels], "a label", reading->e) != 0)
            return -1;
    const char *wrong = model_check_labels(model, reading->e);
    return wrong == NULL ? 0 : text_fail(reading->text, reading->e, "%s", wrong);
}

static int read_gamma(struct reading *reading) {
    double *gamma = &reading->model->gamma;
    if (text_real(reading->text, gamma, "gamma", reading->e) != 0)
        return -1;
    return *gamma > 0 ? 0 : text_fail(reading->text, reading->e, "gamma is out of range");
}

/* Skips one or more numbers that the scores do not depend on. */
static int skip_numbers(struct reading *reading) {
    enum { MAX_NUMBERS = 10 }; /* prob_density_marks has up to ten numbers, other keys two */
    double number;
    int count = 0;
    do
        if (++count > MAX_NUMBERS)
            return text_fail(reading->text, reading->e, "more than %d numbers", MAX_NUMBERS);
        else if (text_real(reading->text, &number, "a number", reading->e) != 0 ||
                 text_skip_blanks(reading->text, reading->e) != 0)
            return -1;
    while (text_peek(reading->text, reading->e) != '\n');
    return 0;
}

static int read_value(struct reading *reading, int key) {
    struct model *model = reading->model;
    switch (key) {
    case TYPE:
        return read_type(reading);
    case KERNEL:
        return read_kernel(reading);
    case DEGREE:
        return text_integer(reading->text, 0, MODEL_DEGREE_MAX, &model->degree, "degree",
                            reading->e);
    case GAMMA:
        return read_gamma(reading);
    case SHIFT:
        return text_real(reading->text, &model->shift, "coef0", reading->e);
    case CLASSES:
        return read_classes(reading);
    case COUNT:
        return text_integer(reading->text, 0, MODEL_FEATURES_MAX, &model->points.rows, "total_sv",
                            reading->e);
    case RHO:
        return read_pairs(reading, "rho", &reading->rho);
    case LABELS:
        return read_labels(reading);
    case SIGMOID_A:
    case SIGMOID_B:
        return read_pairs(reading, key_names[key], &reading->sigmoid[key - SIGMOID_A]);
    case VECTORS_PER_CLASS:
        return reading->classes > 1 ? read_per_class(reading) : skip_numbers(reading);
    default:
        return skip_numbers(reading);
    }
}

static int find_key(const char *name) {
    int key = 0;
    while (key < KEYS && strcmp(key_names[key], name) != 0)
        key++;
    return key;
}

/* Reads the value of the key NAME and the end of its line. */
static int read_key(struct reading *reading, const char *name) {
    int key = find_key(name);
    if (key == KEYS)
        return text_fail(reading->text, reading->e, "unknown key '%s'", name);
    if (reading->seen[key])
        return text_fail(reading->text, reading->e, "key '%s' is repeated", name);
    reading->seen[key] = true;
    if (text_skip_blanks(reading->text, reading->e) != 0 || read_value(reading, key) != 0)
        return -1;
    return end_line(reading);
}

/* Checks that the support vectors of the classes are all of them. */
static int check_per_class(struct reading *reading) {
    int64_t count = 0;
    bool given = reading->per_class != NULL;
    for (int64_t k = 0; given && k < reading->classes; k++)
        count += reading->per_class[k];
    return given && count != reading->model->points.rows
               ? text_fail(reading->text, reading->e, "nr_sv adds up to %lld, not to total_sv %lld",
                           (long long)count, (long long)reading->model->points.rows)
               : 0;
}

/* Checks that the keys which this type and kernel need are present. */
static int check_keys(struct reading *reading) {
    const struct model *model = reading->model;
    bool polynomial = strcmp(model->kernel, "polynomial") == 0;
    bool shifted = polynomial || strcmp(model->kernel, "sigmoid") == 0;
    bool needed[KEYS] = {[TYPE] = true, [KERNEL] = true,       [CLASSES] = true, [COUNT] = true,
                         [RHO] = true,  [DEGREE] = polynomial, [SHIFT] = shifted};
    needed[GAMMA] = shifted || strcmp(model->kernel, "gaussian") == 0;
    needed[LABELS] = strcmp(model->loss, "hinge") == 0;
    needed[VECTORS_PER_CLASS] = needed[LABELS] && reading->classes > 2;
    needed[SIGMOID_A] = needed[LABELS] && reading->seen[SIGMOID_B];
    needed[SIGMOID_B] =
        needed[LABELS] && reading->seen[SIGMOID_A]; /* probA of regression is the noise */
    for (int key = 0; key < KEYS; key++)
        if (needed[key] && !reading->seen[key])
            return text_fail(reading->text, reading->e, "key '%s' is missing", key_names[key]);
    if (needed[LABELS])
        return check_per_class(reading);
    return model->labels > 0 || reading->classes > 2
               ? text_fail(reading->text, reading->e, "a model of %s has no labels", model->solver)
               : 0;
}

static int read_head(struct reading *reading) {
    char word[MODEL_NAME];
    if (read_key(reading, key_names[TYPE]) != 0)
        return -1;
    for (;;) {
        if (text_word(reading->text, word, sizeof word, "a key", reading->e) != 0)
            return -1;
        if (strcmp(word, "SV") == 0)
            return check_keys(reading) == 0 ? end_line(reading) : -1;
        if (read_key(reading, word) != 0)
            return -1;
    }
}

/* Reads the weights of support vector K. */
static int read_coefficients(struct reading *reading, int64_t k) {
    int64_t each = reading->classes - 1;
    for (int64_t c = k * each; c < (k + 1) * each; c++)
        if (memory_reserve((void **)&reading->coefficient, &reading->weight_capacity, c + 1,
                           sizeof(double), "weights", reading->e) != 0 ||
            text_skip_blanks(reading->text, reading->e) != 0 ||
            text_real(reading->text, &reading->coefficient[c], "a weight", reading->e) != 0)
            return -1;
    return 0;
}

/* Reads the number of a support vector of a precomputed kernel, "0:7 ", as a unit vector. */
static int read_number(struct reading *reading) {
    struct text *text = reading->text;
    int64_t number;
    if (text_skip_blanks(text, reading->e) != 0 ||
        text_integer(text, 0, 0, &number, "index 0", reading->e) != 0 ||
        text_expect(text, ':', "a colon", reading->e) != 0 ||
        text_integer(text, 1, MODEL_FEATURES_MAX - 1, &number, "an example's number", reading->e) !=
            0 ||
        model_points_entry(&reading->points, &reading->model->points, number, 1, reading->e) != 0 ||
        text_skip_blanks(text, reading->e) != 0)
        return -1;
    return end_line(reading);
}

/* Reads the entries of a support vector, with blanks before each and after the last. */
static int read_entries(struct reading *reading) {
    struct text *text = reading->text;
    int64_t index = 0;
    double value;
    while (text_skip_blanks(text, reading->e) == 0 && text_peek(text, reading->e) != '\n')
        if (text_integer(text, index + 1, MODEL_FEATURES_MAX, &index, "an ascending index",
                         reading->e) != 0 ||
            text_expect(text, ':', "a colon", reading->e) != 0 ||
            text_real(text, &value, "a value", reading->e) != 0 ||
            model_points_entry(&reading->points, &reading->model->points, index - 1, value,
                               reading->e) != 0)
            return -1;
    return end_line(reading);
}

static int read_vectors(struct reading *reading) {
    struct model *model = reading->model;
    struct dataset *points = &model->points;
    bool numbers = strcmp(model->kernel, "precomputed") == 0;
    model->zero_based = numbers;
    if (model_points_row(&reading->points, points, 0, reading->e) != 0)
        return -1;
    for (int64_t k = 0; k < points->rows; k++)
        if (read_coefficients(reading, k) != 0 ||
            (numbers ? read_number(reading) : read_entries(reading)) != 0 ||
            model_points_row(&reading->points, points, k + 1, reading->e) != 0)
            return -1;
    if (text_expect_end(reading->text, reading->e) != 0)
        return -1;
    return model_points_finish(&reading->points, points, reading->text, reading->e);
}

/* Spreads the weights of the support vectors, class after class, over the vectors of their pairs. */
static void spread_weights(const struct reading *reading) {
    struct model *model = reading->model;
    int64_t points = model->points.rows, classes = reading->classes, k = 0;
    for (int64_t i = 0; i < classes; i++)
        for (int64_t end = k + reading->per_class[i]; k < end; k++)
            for (int64_t j = 0; j < classes; j++) {
                int64_t pair =
                    i < j ? label_pairs_index(classes, i, j) : label_pairs_index(classes, j, i);
                const double *of = reading->coefficient + k * (classes - 1);
                if (i != j)
                    model->w[pair * (points + 1) + k] = of[j < i ? j : j - 1];
            }
}

/* Makes the weights of the model: those of the points, then that of the basis function 1. */
static int make_weights(struct reading *reading) {
    struct model *model = reading->model;
    int64_t points = model->points.rows, vectors = label_pairs_count(reading->classes);
    int64_t weights = vectors * (points + 1), coefficients = points * (reading->classes - 1);
    if (vectors > 1 && !model_may_be_sparse(weights, coefficients))
        return text_fail(reading->text, reading->e, "too many classes for so few support vectors");
    model->w = memory_zeroed(weights, sizeof *model->w, "weights", reading->e);
    if (model->w == NULL)
        return -1;
    if (vectors > 1)
        spread_weights(reading);
    else if (points > 0)
        memcpy(model->w, reading->coefficient, sizeof *model->w * (size_t)points);
    for (int64_t v = 0; v < vectors; v++)
        model->w[v * (points + 1) + points] = -reading->rho[v];
    return 0;
}

/* Takes over the sigmoids of classes; probA of regression is the noise. */
static int make_sigmoids(struct reading *reading) {
    struct model *model = reading->model;
    if (model->labels == 0 || reading->sigmoid[0] == NULL)
        return 0;
    model->sigmoid = memory_new(2 * model->vectors, sizeof(double), "sigmoids", reading->e);
    for (int64_t v = 0; model->sigmoid != NULL && v < 2 * model->vectors; v++)
        model->sigmoid[v] = reading->sigmoid[v % 2][v / 2];
    return model->sigmoid == NULL ? -1 : 0;
}

/* A model of one class predicts +1 or -1. */
static int set_one_class(struct model *model, struct error *e) {
    model->label = memory_new(2, sizeof *model->label, "labels", e);
    if (model->label == NULL)
        return -1;
    model->labels = 2;
    model->label[0] = 1;
    model->label[1] = -1;
    return 0;
}

static void reading_free(struct reading *reading) {
    free(reading->rho);
    free(reading->sigmoid[0]);
    free(reading->sigmoid[1]);
    free(reading->per_class);
    free(reading->coefficient);
}

static int read_model(struct reading *reading) {
    struct model *model = reading->model;
    if (read_head(reading) != 0 || read_vectors(reading) != 0 || make_weights(reading) != 0 ||
        basis_parse("1", NULL, false, &model->basis, reading->e) != 0)
        return -1;
    model->pairs = reading->classes > 2;
    model->vectors = label_pairs_count(reading->classes);
    if (make_sigmoids(reading) != 0)
        return -1;
    return strcmp(model->loss, "one-class") == 0 ? set_one_class(model, reading->e) : 0;
}

int model_read_libsvm(struct text *text, struct model *model, struct error *e) {
    struct reading reading = {.text = text, .model = model, .classes = 2, .e = e};
    int status = read_model(&reading);
    reading_free(&reading);
    if (status != 0)
        return -1;
    snprintf(model->map, MODEL_NAME, "support");
    snprintf(model->regularizer, MODEL_NAME, "l2");
    snprintf(model->status, MODEL_NAME, "converged");
    model->features = MODEL_FEATURES_MAX;
    model->bias = -1;
    const char *wrong = model_check_shape(model);
    return wrong == NULL ? 0 : text_fail(text, e, "%s", wrong);
}
