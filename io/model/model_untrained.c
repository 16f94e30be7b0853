/* model_untrained.c - the labels of a model whose training a limit or a signal prevented. */
#include "io/model/model_format.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"

#include <stdlib.h>
#include <string.h>

static int64_t find_label(const struct model *model, double label) {
    for (int64_t k = 0; k < model->labels; k++)
        if (model->label[k] == label)
            return k;
    return -1;
}

int model_mark_untrained(struct model *model, int64_t k, struct error *e) {
    if (model->untrained == NULL)
        model->untrained = memory_zeroed(model->labels, sizeof *model->untrained, "the labels", e);
    if (model->untrained == NULL)
        return -1;
    model->untrained[k] = true;
    return 0;
}

int64_t model_untrained(const struct model *model) {
    int64_t count = 0;
    for (int64_t k = 0; model->untrained != NULL && k < model->labels; k++)
        count += model->untrained[k];
    return count;
}

int model_read_untrained(struct text *text, struct model *model, struct error *e) {
    do {
        double label;
        if (text_real(text, &label, "a label", e) != 0)
            return -1;
        int64_t k = find_label(model, label);
        if (k < 0)
            return text_fail(text, e, "untrained label %.10g is not among the labels above", label);
        if (model_mark_untrained(model, k, e) != 0)
            return -1;
    } while (text_peek(text, e) == ' ' && text_expect_blank(text, e) == 0);
    return 0;
}

void model_write_untrained(const struct model *model, FILE *stream) {
    for (int64_t k = 0; k < model->labels; k++)
        if (model->untrained[k])
            fprintf(stream, " %.17g", model->label[k]);
}

/* Moves vector FROM to the place TO, with its sigmoid or the like. */
static void move_vector(struct model *model, int64_t from, int64_t to) {
    memmove(model->w + to * model->dimension, model->w + from * model->dimension,
            sizeof *model->w * (size_t)model->dimension);
    if (model->sigmoid != NULL)
        memmove(model->sigmoid + 2 * to, model->sigmoid + 2 * from, 2 * sizeof *model->sigmoid);
    if (model->isotonic != NULL) {
        struct isotonic moved = model->isotonic[from];
        model->isotonic[from] = model->isotonic[to];
        model->isotonic[to] = moved;
    }
}

/* Keeps the vectors of the labels that were trained, or of pairs of them; returns their number. */
static int64_t keep_vectors(struct model *model) {
    const bool *untrained = model->untrained;
    int64_t kept = 0, i, j;
    for (int64_t k = 0; k < model->vectors; k++) {
        i = j = k;
        if (model->pairs)
            label_pairs_of(model->labels, k, &i, &j);
        if (!untrained[i] && !untrained[j])
            move_vector(model, k, kept++);
    }
    return kept;
}

void model_drop_untrained(struct model *model) {
    int64_t kept = 0, all = model->labels;
    if (model->untrained == NULL || all - model_untrained(model) < 2)
        return;
    model->vectors = keep_vectors(model);
    for (int64_t k = 0; k < all; k++)
        if (!model->untrained[k])
            model->label[kept++] = model->label[k];
    model->labels = kept;
    model->pairs = model->pairs && kept > 2;
    free(model->untrained);
    model->untrained = NULL;
}
