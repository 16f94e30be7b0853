/* model_read.c - reading a model file strictly; see model.h for what is refused.
 *
 * Dense weights grow as they are read. Sparse ones go into an array of zeros, whose pages cost
 * nothing until an entry falls into them. */
#include "io/model_format.h"

#include "io/memory.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_LABELS = 16, FIRST_WEIGHTS = 1 << 12 };

struct reading {
    struct text *text;
    struct model *model;
    bool seen[MODEL_KEYS];
    struct error *e;
};

static int read_blank(struct reading *reading) {
    return text_expect(reading->text, ' ', "a blank", reading->e);
}

static int read_newline(struct reading *reading) {
    return text_expect(reading->text, '\n', "the end of the line", reading->e);
}

/* One more item in an array that doubles; *room is what it has. */
static int make_room(double **array, int64_t count, int64_t *room, int64_t first, const char *what,
                     struct error *e) {
    if (count < *room)
        return 0;
    int64_t wanted = *room == 0 ? first : 2 * *room;
    if (memory_resize((void **)array, wanted, sizeof **array, what, e) != 0)
        return -1;
    *room = wanted;
    return 0;
}

static int read_labels(struct reading *reading) {
    struct model *model = reading->model;
    struct error *e = reading->e;
    int64_t room = 0;
    if (text_peek(reading->text, e) == 'n') {
        char word[8];
        if (text_word(reading->text, word, sizeof word, "a label or 'none'", e) != 0)
            return -1;
        return strcmp(word, "none") == 0
                   ? 0
                   : text_fail(reading->text, e, "a label or 'none' expected, not '%s'", word);
    }
    do {
        if (make_room(&model->label, model->labels, &room, FIRST_LABELS, "labels", e) != 0 ||
            text_real(reading->text, &model->label[model->labels], "a label", e) != 0)
            return -1;
        model->labels++;
    } while (text_peek(reading->text, e) == ' ' && read_blank(reading) == 0);
    const char *wrong = model_check_labels(model, e);
    return wrong == NULL ? 0 : text_fail(reading->text, e, "%s", wrong);
}

static int read_status(struct reading *reading, const char *word) {
    for (int i = 0; model_statuses[i] != NULL; i++)
        if (strcmp(word, model_statuses[i]) == 0)
            return 0;
    return text_fail(reading->text, reading->e, "unknown status '%s'", word);
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
        return text_fail(reading->text, reading->e, "seed is no number of 64 bits: '%s'", word);
    return 0;
}

/* The value of a key, into its field. */
static int read_value(struct reading *reading, const struct model_key *key) {
    char *field = (char *)reading->model + key->offset;
    int64_t count = 0;
    switch (key->kind) {
    case KEY_NAME:
    case KEY_STATUS:
        if (text_word(reading->text, field, MODEL_NAME, key->name, reading->e) != 0)
            return -1;
        return key->kind == KEY_STATUS ? read_status(reading, field) : 0;
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
        return text_integer(reading->text, 0, MODEL_FEATURES_MAX, (int64_t *)(void *)field,
                            key->name, reading->e);
    case KEY_SEED:
        return read_seed(reading, (uint64_t *)(void *)field);
    case KEY_LABELS:
        return read_labels(reading);
    }
    return -1;
}

static int find_key(const char *name) {
    for (int k = 0; k < MODEL_KEYS; k++)
        if (strcmp(name, model_keys[k].name) == 0)
            return k;
    return -1;
}

/* The lines up to the word "w", which is taken. */
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
            return text_fail(reading->text, reading->e, "key '%s' stands there twice", name);
        reading->seen[k] = true;
        if (read_blank(reading) != 0 || read_value(reading, &model_keys[k]) != 0 ||
            read_newline(reading) != 0)
            return -1;
    }
}

/* All keys of this loss, no others, and counts that fit together. */
static int check_keys(struct reading *reading) {
    for (int k = 0; k < MODEL_KEYS; k++) {
        const struct model_key *key = &model_keys[k];
        bool belongs = model_key_belongs(key, reading->model);
        if (belongs && !reading->seen[k])
            return text_fail(reading->text, reading->e, "key '%s' is missing", key->name);
        if (!belongs && reading->seen[k])
            return text_fail(reading->text, reading->e, "key '%s' belongs to the loss '%s' only",
                             key->name, key->loss);
    }
    const char *wrong = model_check_shape(reading->model);
    return wrong == NULL ? 0 : text_fail(reading->text, reading->e, "%s", wrong);
}

static int read_dense(struct reading *reading, int64_t weights) {
    struct model *model = reading->model;
    int64_t count, room = 0;
    if (text_integer(reading->text, 0, INT64_MAX, &count, "a count", reading->e) != 0)
        return -1;
    if (count != weights)
        return text_fail(reading->text, reading->e,
                         "%lld weights announced, but features and vectors make %lld",
                         (long long)count, (long long)weights);
    if (read_newline(reading) != 0)
        return -1;
    for (int64_t i = 0; i < weights; i++)
        if (make_room(&model->w, i, &room, FIRST_WEIGHTS, "weights", reading->e) != 0 ||
            text_real(reading->text, &model->w[i], "a weight", reading->e) != 0 ||
            read_newline(reading) != 0)
            return -1;
    if (weights == 0)
        model->w = memory_new(0, sizeof *model->w, "weights", reading->e);
    return model->w == NULL ? -1
                            : memory_resize((void **)&model->w, weights, sizeof *model->w,
                                            "weights", reading->e);
}

/* The count of entries, refused when the file is too short for so many or too many zeros follow
 * from so few. */
static int read_entry_count(struct reading *reading, int64_t weights, int64_t *count) {
    enum { SHORTEST_ENTRY = 4 /* "1:1\n" */ };
    if (text_integer(reading->text, 0, weights, count, "a count", reading->e) != 0)
        return -1;
    int64_t size = text_size(reading->text);
    if (size >= 0 && *count > size / SHORTEST_ENTRY)
        return text_fail(reading->text, reading->e, "the file is too short for %lld weights",
                         (long long)*count);
    if (!model_may_be_sparse(weights, *count))
        return text_fail(reading->text, reading->e,
                         "features and vectors make %lld weights, too many for %lld entries",
                         (long long)weights, (long long)*count);
    return read_newline(reading);
}

static int read_sparse(struct reading *reading, int64_t weights) {
    struct model *model = reading->model;
    struct error *e = reading->e;
    int64_t count, index = 0;
    if (read_entry_count(reading, weights, &count) != 0)
        return -1;
    model->w = memory_zeroed(weights, sizeof *model->w, "weights", e);
    if (model->w == NULL)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        double value;
        if (text_integer(reading->text, index + 1, weights, &index, "an ascending index", e) != 0 ||
            text_expect(reading->text, ':', "a colon", e) != 0 ||
            text_real(reading->text, &value, "a weight", e) != 0)
            return -1;
        if (value == 0 && !signbit(value))
            return text_fail(reading->text, e, "a weight of zero among the sparse ones");
        if (read_newline(reading) != 0)
            return -1;
        model->w[index - 1] = value;
    }
    return 0;
}

static int read_weights(struct reading *reading) {
    char form[MODEL_NAME];
    int64_t weights = reading->model->vectors * reading->model->dimension;
    if (read_blank(reading) != 0 ||
        text_word(reading->text, form, sizeof form, "'dense' or 'sparse'", reading->e) != 0)
        return -1;
    bool dense = strcmp(form, "dense") == 0;
    if (!dense && strcmp(form, "sparse") != 0)
        return text_fail(reading->text, reading->e, "'dense' or 'sparse' expected, not '%s'", form);
    if (read_blank(reading) != 0)
        return -1;
    return dense ? read_dense(reading, weights) : read_sparse(reading, weights);
}

static int read_end(struct reading *reading) {
    char word[MODEL_NAME];
    if (text_word(reading->text, word, sizeof word, "'end'", reading->e) != 0)
        return -1;
    if (strcmp(word, "end") != 0)
        return text_fail(reading->text, reading->e, "'end' expected, not '%s'", word);
    if (read_newline(reading) != 0)
        return -1;
    return text_expect_end(reading->text, reading->e);
}

/* What follows the word "librrm". */
static int read_native(struct text *text, struct model *model, struct error *e) {
    struct reading reading = {.text = text, .model = model, .e = e};
    int64_t version;
    if (read_blank(&reading) != 0 ||
        text_integer(text, 0, INT64_MAX, &version, "a version", e) != 0)
        return -1;
    if (version != MODEL_VERSION)
        return text_fail(text, e, "unknown version %lld of the model format; this program reads %d",
                         (long long)version, MODEL_VERSION);
    if (read_newline(&reading) != 0 || read_keys(&reading) != 0 || check_keys(&reading) != 0 ||
        read_weights(&reading) != 0)
        return -1;
    return read_end(&reading);
}

int model_read(const char *path, struct model *model, struct error *e) {
    *model = (struct model){0};
    struct text *text = text_open(path, e);
    if (text == NULL)
        return -1;
    const char *expected = "a model file (librrm or solver_type ...)";
    char word[MODEL_NAME];
    int status = text_word(text, word, sizeof word, expected, e);
    if (status == 0) {
        if (strcmp(word, "librrm") == 0)
            status = read_native(text, model, e);
        else if (strcmp(word, "solver_type") == 0)
            status = model_read_liblinear(text, model, e);
        else
            status = text_fail(text, e, "%s expected, not '%s'", expected, word);
    }
    text_close(text);
    if (status != 0)
        model_free(model);
    return status;
}
