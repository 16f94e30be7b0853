/* model_weights.c - reads the weights of a model file.
 *
 * The array of dense weights grows while they are read. Sparse weights go into an array of zeros; the system gives it
 * memory only for the pages that entries are written to. */
#include "io/model/model_format.h"

#include "io/memory.h"

#include <math.h>
#include <string.h>

/* The key that counts the weights of a vector. */
static const char *count_key(const struct model *model) {
    if (!model_has_map(model))
        return "features";
    return model_has_points(model) ? "points" : "map-size";
}

static int read_dense(struct text *text, int64_t weights, struct model *model, struct error *e) {
    int64_t count, capacity = 0;
    if (text_integer(text, 0, INT64_MAX, &count, "a count", e) != 0)
        return -1;
    if (count != weights)
        return text_fail(text, e, "%lld weights announced, but %s and vectors make %lld",
                         (long long)count, count_key(model), (long long)weights);
    if (text_expect_newline(text, e) != 0)
        return -1;
    for (int64_t i = 0; i < weights; i++)
        if (memory_reserve((void **)&model->w, &capacity, i + 1, sizeof *model->w, "weights", e) !=
                0 ||
            text_real(text, &model->w[i], "a weight", e) != 0 || text_expect_newline(text, e) != 0)
            return -1;
    if (weights == 0)
        model->w = memory_new(0, sizeof *model->w, "weights", e);
    return model->w == NULL
               ? -1
               : memory_resize((void **)&model->w, weights, sizeof *model->w, "weights", e);
}

/* Reads the number of entries. Refuses it if the file is too short for so many entries, or if there are too few of
 * them for so many weights. */
static int read_entry_count(struct text *text, const struct model *model, int64_t weights,
                            int64_t *count, struct error *e) {
    enum { SHORTEST_ENTRY = 4 /* "1:1\n" */ };
    if (text_integer(text, 0, weights, count, "a count", e) != 0)
        return -1;
    int64_t size = text_size(text);
    if (size >= 0 && *count > size / SHORTEST_ENTRY)
        return text_fail(text, e, "the file is too short for %lld weights", (long long)*count);
    if (!model_may_be_sparse(weights, *count))
        return text_fail(text, e, "%s and vectors make %lld weights, too many for %lld entries",
                         count_key(model), (long long)weights, (long long)*count);
    return text_expect_newline(text, e);
}

static int read_sparse(struct text *text, int64_t weights, struct model *model, struct error *e) {
    int64_t count, index = 0;
    if (read_entry_count(text, model, weights, &count, e) != 0)
        return -1;
    model->w = memory_zeroed(weights, sizeof *model->w, "weights", e);
    if (model->w == NULL)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        double value;
        if (text_integer(text, index + 1, weights, &index, "an ascending index", e) != 0 ||
            text_expect(text, ':', "a colon", e) != 0 ||
            text_real(text, &value, "a weight", e) != 0)
            return -1;
        if (value == 0 && !signbit(value))
            return text_fail(text, e, "a weight of zero among the sparse ones");
        if (text_expect_newline(text, e) != 0)
            return -1;
        model->w[index - 1] = value;
    }
    return 0;
}

int model_read_weights(struct text *text, struct model *model, struct error *e) {
    char form[MODEL_NAME];
    int64_t weights = model_weights(model);
    if (text_expect_blank(text, e) != 0 ||
        text_word(text, form, sizeof form, "'dense' or 'sparse'", e) != 0)
        return -1;
    bool dense = strcmp(form, "dense") == 0;
    if (!dense && strcmp(form, "sparse") != 0)
        return text_fail(text, e, "'dense' or 'sparse' expected, not '%s'", form);
    if (text_expect_blank(text, e) != 0)
        return -1;
    return dense ? read_dense(text, weights, model, e) : read_sparse(text, weights, model, e);
}
