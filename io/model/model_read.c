/* model_read.c - reads a model file; model.h says what is refused. */
#include "io/model/model_format.h"

#include "io/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct text *text;
    struct model *model;
    bool seen[MODEL_KEYS];
    char *basis[2];   /* text of the keys basis and basis-only, parsed once index-base is known */
    int64_t sigmoids; /* numbers of the key sigmoid */
    struct error *e;
};

static int read_labels(struct reading *reading) {
    struct model *model = reading->model;
    struct error *e = reading->e;
    int64_t capacity = 0;
    if (text_peek(reading->text, e) == 'n') {
        char word[8];
        if (text_word(reading->text, word, sizeof word, "a label or 'none'", e) != 0)
            return -1;
        return strcmp(word, "none") == 0
                   ? 0
                   : text_fail(reading->text, e, "a label or 'none' expected, not '%s'", word);
    }
    do {
        if (model->labels == MODEL_LABELS_MAX)
            return text_fail(reading->text, e, "more than %d labels", MODEL_LABELS_MAX);
        if (memory_reserve((void **)&model->label, &capacity, model->labels + 1,
                           sizeof *model->label, "labels", e) != 0 ||
            text_real(reading->text, &model->label[model->labels], "a label", e) != 0)
            return -1;
        model->labels++;
    } while (text_peek(reading->text, e) == ' ' &&
             text_expect_blank(reading->text, reading->e) == 0);
    const char *wrong = model_check_labels(model, e);
    return wrong == NULL ? 0 : text_fail(reading->text, e, "%s", wrong);
}

static int read_name(struct reading *reading, const struct model_key *key, char *name) {
    if (text_word(reading->text, name, MODEL_NAME, key->name, reading->e) != 0)
        return -1;
    if (key->kind == KEY_NAME || model_name_among(key->choices, name))
        return 0;
    return text_fail(reading->text, reading->e, "unknown %s '%s'", key->name, name);
}

static int read_count(struct reading *reading, const struct model_key *key, int64_t *count) {
    return text_integer(reading->text, (int64_t)key->low, (int64_t)key->high, count, key->name,
                        reading->e);
}

/* Reads the list as text; parse_basis() parses it once index-base is known. */
static int read_basis(struct reading *reading, const struct model_key *key) {
    enum { MAX_BYTES = 24 * BASIS_MAX_FUNCTIONS };
    return text_long_word(reading->text, MAX_BYTES, &reading->basis[key->kind == KEY_BASIS_ONLY],
                          key->name, reading->e);
}

static int read_real(struct reading *reading, const struct model_key *key, double *value) {
    if (key->kind == KEY_BOUND && text_peek(reading->text, reading->e) == '-' &&
        text_look(reading->text, "-inf")) {
        char word[sizeof "-inf"];
        *value = -INFINITY;
        return text_word(reading->text, word, sizeof word, key->name, reading->e);
    }
    if (text_real(reading->text, value, key->name, reading->e) != 0)
        return -1;
    return model_key_in_range(key, *value)
               ? 0
               : text_fail(reading->text, reading->e, "%s is out of range", key->name);
}

static int read_seed(struct reading *reading, uint64_t *seed) {
    char word[24];
    if (text_word(reading->text, word, sizeof word, "seed", reading->e) != 0)
        return -1;
    errno = 0;
    *seed = strtoull(word, NULL, 10);
    if (word[strspn(word, "0123456789")] != '\0' || errno != 0)
        return text_fail(reading->text, reading->e, "seed is not a 64-bit number: '%s'", word);
    return 0;
}

/* Reads "ovo", the only value of the key. */
static int read_pairs(struct reading *reading) {
    reading->model->pairs = true;
    return text_expect_word(reading->text, "ovo", reading->e);
}

/* A and B of each vector; check_keys compares their number with that of the vectors. */
static int read_sigmoids(struct reading *reading, const struct model_key *key) {
    int64_t capacity = 0;
    do {
        if (memory_reserve((void **)&reading->model->sigmoid, &capacity, reading->sigmoids + 1,
                           sizeof(double), "sigmoids", reading->e) != 0 ||
            text_real(reading->text, &reading->model->sigmoid[reading->sigmoids], key->name,
                      reading->e) != 0)
            return -1;
        reading->sigmoids++;
    } while (text_peek(reading->text, reading->e) == ' ' &&
             text_expect_blank(reading->text, reading->e) == 0);
    return 0;
}

/* The number of knots and the knots of a vector. */
static int read_isotonic(struct reading *reading, struct isotonic *isotonic) {
    int64_t capacity = 0, count;
    if (text_integer(reading->text, 1, INT64_MAX / 2, &count, "a number of knots", reading->e) != 0)
        return -1;
    for (int64_t i = 0; i < 2 * count; i++) {
        if (text_expect_blank(reading->text, reading->e) != 0 ||
            memory_reserve((void **)&isotonic->knot, &capacity, i + 1, sizeof(double), "isotonic",
                           reading->e) != 0 ||
            text_real(reading->text, &isotonic->knot[i], "a knot", reading->e) != 0)
            return -1;
        isotonic->count = (i + 1) / 2;
    }
    const char *wrong = isotonic_check(isotonic);
    return wrong == NULL ? 0 : text_fail(reading->text, reading->e, "%s", wrong);
}

/* Those of each vector; check_keys compares their number with that of the vectors. */
static int read_isotonics(struct reading *reading) {
    struct model *model = reading->model;
    int64_t capacity = 0;
    do {
        if (memory_reserve((void **)&model->isotonic, &capacity, model->isotonics + 1,
                           sizeof *model->isotonic, "isotonic", reading->e) != 0)
            return -1;
        model->isotonic[model->isotonics] = (struct isotonic){0};
        if (read_isotonic(reading, &model->isotonic[model->isotonics++]) != 0)
            return -1;
    } while (text_peek(reading->text, reading->e) == ' ' &&
             text_expect_blank(reading->text, reading->e) == 0);
    return 0;
}

/* Reads the value of a key into its field of the model. */
static int read_value(struct reading *reading, const struct model_key *key) {
    char *field = (char *)reading->model + key->offset;
    int64_t count = 0;
    switch (key->kind) {
    case KEY_NAME:
    case KEY_CHOICE:
        return read_name(reading, key, field);
    case KEY_REAL:
    case KEY_BOUND:
        return read_real(reading, key, (double *)(void *)field);
    case KEY_TRUTH:
    case KEY_BASE:
        if (text_integer(reading->text, 0, 1, &count, key->name, reading->e) != 0)
            return -1;
        *(bool *)field = (count == 1) != (key->kind == KEY_BASE);
        return 0;
    case KEY_COUNT:
    case KEY_OPTIONAL:
        return read_count(reading, key, (int64_t *)(void *)field);
    case KEY_SEED:
        return read_seed(reading, (uint64_t *)(void *)field);
    case KEY_LABELS:
        return read_labels(reading);
    case KEY_UNTRAINED:
        return model_read_untrained(reading->text, reading->model, reading->e);
    case KEY_PAIRS:
        return read_pairs(reading);
    case KEY_SIGMOID:
        return read_sigmoids(reading, key);
    case KEY_ISOTONIC:
        return read_isotonics(reading);
    case KEY_SCALING:
        return model_read_scaling(reading->text, reading->model, reading->e);
    case KEY_BASIS:
    case KEY_BASIS_ONLY:
        return read_basis(reading, key);
    }
    return -1;
}

static int find_key(const char *name) {
    for (int k = 0; k < MODEL_KEYS; k++)
        if (strcmp(name, model_keys[k].name) == 0)
            return k;
    return -1;
}

/* Reads the lines `key value` and the word "w" that follows them. */
static int read_keys(struct reading *reading) {
    for (;;) {
        char name[MODEL_NAME];
        if (text_word(reading->text, name, sizeof name, "a key", reading->e) != 0)
            return -1;
        if (strcmp(name, "w") == 0)
            return 0;
        int k = find_key(name);
        if (k < 0)
            return text_fail(reading->text, reading->e, "unknown key '%s'", name);
        if (reading->seen[k])
            return text_fail(reading->text, reading->e, "key '%s' is repeated", name);
        reading->seen[k] = true;
        if (text_expect_blank(reading->text, reading->e) != 0 ||
            read_value(reading, &model_keys[k]) != 0 ||
            text_expect_newline(reading->text, reading->e) != 0)
            return -1;
    }
}

static int refuse_key(struct reading *reading, const struct model_key *key) {
    const char *name;
    const char *what = model_key_conflict(key, reading->model, &name);
    return text_fail(reading->text, reading->e, "the %s '%s' has no key '%s'", what, name,
                     key->name);
}

static int parse_basis(struct reading *reading) {
    struct model *model = reading->model;
    struct error wrong = {0};
    if (basis_parse(reading->basis[0], reading->basis[1], model->zero_based, &model->basis,
                    &wrong) == 0)
        return 0;
    if (wrong.kind == ERROR_MEMORY)
        return error_pass(reading->e, &wrong);
    return text_fail(reading->text, reading->e, "%s", wrong.words);
}

/* Refuses more points than the file can have lines. */
static int check_size(struct reading *reading) {
    enum { SHORTEST_POINT = 2 /* "-\n" */ };
    int64_t size = text_size(reading->text), points = reading->model->points.rows;
    if (size >= 0 && points > size / SHORTEST_POINT)
        return text_fail(reading->text, reading->e, "the file is too short for %lld points",
                         (long long)points);
    return 0;
}

/* Checks that the file has exactly the keys of this loss, regularizer, map and kernel, and that the counts fit
 * together. */
static int check_keys(struct reading *reading) {
    for (int k = 0; k < MODEL_KEYS; k++) {
        const struct model_key *key = &model_keys[k];
        bool belongs = model_key_belongs(key, reading->model);
        if (belongs && !reading->seen[k] && !model_key_optional(key))
            return text_fail(reading->text, reading->e, "key '%s' is missing", key->name);
        if (!belongs && reading->seen[k])
            return refuse_key(reading, key);
    }
    if (parse_basis(reading) != 0 || check_size(reading) != 0)
        return -1;
    const char *wrong = model_check_shape(reading->model);
    if (wrong == NULL)
        wrong = model_check_names(reading->model);
    if (wrong == NULL && reading->model->sigmoid != NULL &&
        reading->sigmoids != 2 * reading->model->vectors)
        wrong = "sigmoid has two numbers for every vector";
    if (wrong == NULL && reading->model->isotonic != NULL &&
        reading->model->isotonics != reading->model->vectors)
        wrong = "isotonic has knots for every vector";
    return wrong == NULL ? 0 : text_fail(reading->text, reading->e, "%s", wrong);
}

static int read_end(struct text *text, struct error *e) {
    return text_expect_word(text, "end", e) != 0 || text_expect_newline(text, e) != 0
               ? -1
               : text_expect_end(text, e);
}

/* Reads the rest of a model file after the word "librrm". */
static int read_native(struct text *text, struct model *model, struct error *e) {
    struct reading reading = {.text = text, .model = model, .e = e};
    int64_t version;
    if (text_expect_blank(text, e) != 0 ||
        text_integer(text, 0, INT64_MAX, &version, "a version", e) != 0)
        return -1;
    if (version != MODEL_VERSION)
        return text_fail(text, e, "unknown version %lld of the model format; this program reads %d",
                         (long long)version, MODEL_VERSION);
    int status = text_expect_newline(text, e) != 0 || read_keys(&reading) != 0 ||
                         check_keys(&reading) != 0 || model_read_weights(text, model, e) != 0
                     ? -1
                     : 0;
    free(reading.basis[0]);
    free(reading.basis[1]);
    if (status == 0 && model_has_points(model))
        status = model_read_points(text, model, e);
    if (status == 0 && model_has_ranges(model))
        status = model_read_ranges(text, model, e);
    return status == 0 ? read_end(text, e) : -1;
}

int model_read(const char *path, struct model *model, struct error *e) {
    *model = (struct model){0};
    struct text *text = text_open(path, e);
    if (text == NULL)
        return -1;
    const char *expected = "a model file (librrm, solver_type or svm_type ...)";
    char word[MODEL_NAME];
    int status = text_word(text, word, sizeof word, expected, e);
    if (status == 0) {
        if (strcmp(word, "librrm") == 0)
            status = read_native(text, model, e);
        else if (strcmp(word, "solver_type") == 0)
            status = model_read_liblinear(text, model, e);
        else if (strcmp(word, "svm_type") == 0)
            status = model_read_libsvm(text, model, e);
        else
            status = text_fail(text, e, "%s expected, not '%s'", expected, word);
    }
    text_close(text);
    if (status != 0)
        model_free(model);
    return status;
}
