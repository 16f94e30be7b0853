/* model_scaling.c - reads and writes the scaling of a model: the key `scaling METHOD`, of the method range with the
 * ends of the range, and after weights and points the features that are not left out, as in the file of a scaling:
 *
 *     ranges N
 *     INDEX NUMBER NUMBER      N lines
 *
 * Indices ascend and begin at the key index-base. */
#include "io/model/model_format.h"

#include "io/memory.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

bool model_has_ranges(const struct model *model) {
    return model->scaling.method != SCALING_NONE && model->scaling.method != SCALING_NORM;
}

const char *model_check_scaling(const struct model *model) {
    const struct scaling *scaling = &model->scaling;
    if ((unsigned)scaling->method >= SCALING_METHODS)
        return "the scaling is unknown";
    if (scaling->features != (model_has_ranges(model) ? model->features : 0))
        return "the scaling has other features than the model";
    for (int32_t j = 0; j < scaling->features; j++) {
        struct scaling_feature f = scaling->feature[j];
        if (!isfinite(f.first) || !isfinite(f.second))
            return "a number of the scaling is not finite";
        if (!scaling_leaves_out(scaling, j) && scaling_check_feature(scaling->method, f) != NULL)
            return scaling_check_feature(scaling->method, f);
    }
    return NULL;
}

void model_write_scaling(const struct model *model, FILE *stream) {
    const struct scaling *scaling = &model->scaling;
    fprintf(stream, " %s", scaling_names[scaling->method]);
    if (scaling->method == SCALING_RANGE)
        fprintf(stream, " %.17g %.17g", scaling->target.low, scaling->target.high);
}

void model_write_ranges(const struct model *model, FILE *stream) {
    const struct scaling *scaling = &model->scaling;
    int64_t count = 0;
    for (int32_t j = 0; j < scaling->features; j++)
        count += !scaling_leaves_out(scaling, j);
    fprintf(stream, "ranges %" PRId64 "\n", count);
    for (int32_t j = 0; j < scaling->features && !ferror(stream); j++)
        if (!scaling_leaves_out(scaling, j))
            fprintf(stream, "%" PRId64 " %.17g %.17g\n", (int64_t)j + !model->zero_based,
                    scaling->feature[j].first, scaling->feature[j].second);
}

static int read_pair(struct text *text, double *first, double *second, struct error *e) {
    return text_expect_blank(text, e) != 0 || text_real(text, first, "a number", e) != 0 ||
                   text_expect_blank(text, e) != 0 || text_real(text, second, "a number", e) != 0
               ? -1
               : 0;
}

int model_read_scaling(struct text *text, struct model *model, struct error *e) {
    struct scaling *scaling = &model->scaling;
    char word[MODEL_NAME];
    if (text_word(text, word, sizeof word, "a method of scaling", e) != 0)
        return -1;
    for (int i = SCALING_NONE + 1; i < SCALING_METHODS; i++)
        if (strcmp(word, scaling_names[i]) == 0)
            scaling->method = (enum scaling_method)i;
    if (scaling->method == SCALING_NONE)
        return text_fail(text, e, "unknown scaling '%s'", word);
    if (scaling->method != SCALING_RANGE)
        return 0;
    if (read_pair(text, &scaling->target.low, &scaling->target.high, e) != 0)
        return -1;
    return scaling->target.low < scaling->target.high
               ? 0
               : text_fail(text, e, "the first number must be below the second one");
}

static int read_range(struct text *text, struct model *model, int64_t *column, struct error *e) {
    int64_t base = !model->zero_based, index;
    struct scaling_feature f;
    if (text_integer(text, *column + 1 + base, model->features - 1 + base, &index,
                     "an ascending index", e) != 0 ||
        read_pair(text, &f.first, &f.second, e) != 0)
        return -1;
    const char *wrong = scaling_check_feature(model->scaling.method, f);
    if (wrong != NULL)
        return text_fail(text, e, "%s", wrong);
    *column = index - base;
    model->scaling.feature[*column] = f;
    return text_expect_newline(text, e);
}

int model_read_ranges(struct text *text, struct model *model, struct error *e) {
    int64_t count, column = -1;
    if (text_expect_word(text, "ranges", e) != 0 || text_expect_blank(text, e) != 0 ||
        text_integer(text, 0, model->features, &count, "a number of features", e) != 0 ||
        text_expect_newline(text, e) != 0)
        return -1;
    if (!model_may_be_sparse(model->features, count))
        return text_fail(text, e, "so many features and so few ranges");
    model->scaling.feature =
        memory_zeroed(model->features, sizeof *model->scaling.feature, "ranges of features", e);
    if (model->scaling.feature == NULL)
        return -1;
    model->scaling.features = (int32_t)model->features;
    for (int64_t k = 0; k < count; k++)
        if (read_range(text, model, &column, e) != 0)
            return -1;
    return 0;
}
