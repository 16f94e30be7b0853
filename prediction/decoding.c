/* decoding.c - predicts and measures data in memory, one slice of rows at a time. */
#include "prediction/decoding.h"

#include "io/memory.h"
#include "io/scaling/scaled.h"
#include "prediction/ranking_decoder.h"
#include "prediction/rna_decoder.h"
#include "prediction/tagging.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE_NUMBERS = 1 << 20 }; /* scores of a slice; more if one group has more */

struct decoding {
    const struct decoder_kind *kind; /* NULL: rows are predicted one by one */
    void *state;                     /* the decoder's */
    struct measures *measures;       /* of rows predicted one by one */
    struct decoder_settings settings;
    bool joint; /* the classes were trained together */

    const struct model *model; /* the model that predicts; NULL: none */
    struct predictor *predictor;

    /* Arrays for `capacity` rows; NULL: not needed. */
    int64_t capacity;
    double *scores, *kernel, *parametric, *probability;
    int32_t *choice;
    double *work; /* of predictor_probabilities */
};

/* ---- what can be predicted */

/* Whether both risks have the same kind of labels; two classes and more classes are the same kind. */
static bool alike(enum task a, enum task b) {
    bool classes = a == TASK_CLASSIFICATION || a == TASK_CLASSES;
    return a == b || (classes && (b == TASK_CLASSIFICATION || b == TASK_CLASSES));
}

/* "; train with -b 1 or -L logistic or -L softmax": what gives probabilities for such labels, "" if nothing does;
 * ": it predicts numbers, not labels" of a model without labels. */
static void name_losses(enum task task, char *text, size_t size) {
    int count;
    const struct risk_row *table = risk_table(&count);
    snprintf(text, size, "%s",
             task == TASK_REGRESSION     ? ": it predicts numbers, not labels"
             : alike(task, TASK_CLASSES) ? "; train with -b 1"
                                         : "");
    for (int i = 0; i < count; i++) {
        size_t used = strlen(text);
        if (table[i].probabilities && alike(table[i].task, task))
            snprintf(text + used, size - used, "%s%s", used > 0 ? " or -L " : "; train with -L ",
                     table[i].name);
    }
}

int decoding_check_model(const struct decoder_settings *settings, const char *path,
                         struct error *e) {
    const struct model *model = settings->model;
    const struct risk_row *risk = risk_row_by_name(model->loss);
    char losses[128];
    if (model->labels > 0 && model_untrained(model) == model->labels)
        return error_file(e, path, "none of its labels was trained");
    if (settings->parts && model->basis.count == 0)
        return error_usage(e, "--parts: the model has no basis functions; train with --basis");
    if (!settings->probabilities || model_is_calibrated(model) ||
        (risk != NULL && risk->probabilities))
        return 0;
    if ((risk == NULL && model->labels > 0) || (risk != NULL && risk->learned == LEARNS_LEVEL))
        losses[0] = '\0'; /* one class */
    else
        name_losses(risk == NULL ? TASK_REGRESSION : risk->task, losses, sizeof losses);
    return error_usage(e, "%s: the model's loss, %s, has no probabilities%s",
                       settings->asked != NULL ? settings->asked : "probability", model->loss,
                       losses);
}

int decoding_check_data(const struct risk_row *risk, const struct dataset *data, const char *path,
                        bool zero_based, struct error *e) {
    if (risk == NULL || !task_has_groups(risk->task))
        return 0;
    if (data->groups == 0)
        return error_file(e, path, "a model of %s predicts groups of rows: %s", risk->name,
                          path[0] == '\0' ? "the array `group` is needed"
                                          : "\"qid:\" is needed on each line");
    return risk->check_data == NULL ? 0 : risk->check_data(data, path, zero_based, e);
}

/* ---- opening */

/* The decoder of the risk; NULL: rows are predicted one by one. */
static const struct decoder_kind *kind_of(const struct risk_row *risk) {
    switch (risk == NULL ? TASK_CLASSIFICATION : risk->task) {
    case TASK_RANKING:
        return &ranking_decoder;
    case TASK_SEQUENCES:
        return &tagging_decoder;
    case TASK_FOLDING:
        return &rna_decoder;
    default:
        return NULL;
    }
}

struct decoding *decoding_new(const struct risk_row *risk, const struct decoder_settings *settings,
                              struct error *e) {
    struct decoding *decoding = memory_zeroed(1, sizeof *decoding, "the measures", e);
    if (decoding == NULL)
        return NULL;
    decoding->settings = *settings;
    decoding->joint = risk != NULL && task_is_joint(risk->task);
    decoding->kind = kind_of(risk);
    if (decoding->kind != NULL)
        decoding->state = decoding->kind->open(settings, e);
    else
        decoding->measures =
            measures_new(settings->model->label, settings->model->labels, settings->model->at, e);
    if ((decoding->state == NULL && decoding->measures == NULL) ||
        (decoding->measures != NULL && settings->confusion && settings->model->labels > 0 &&
         measures_confuse(decoding->measures, e) != 0)) {
        decoding_free(decoding);
        return NULL;
    }
    return decoding;
}

/* Frees the arrays and forgets the model. */
static void release(struct decoding *decoding) {
    predictor_free(decoding->predictor);
    free(decoding->scores);
    free(decoding->kernel);
    free(decoding->parametric);
    free(decoding->probability);
    free(decoding->choice);
    free(decoding->work);
    decoding->model = NULL;
    decoding->predictor = NULL;
    decoding->scores = decoding->kernel = decoding->parametric = decoding->probability = NULL;
    decoding->choice = NULL;
    decoding->work = NULL;
    decoding->capacity = 0;
}

void decoding_free(struct decoding *decoding) {
    if (decoding == NULL)
        return;
    release(decoding);
    if (decoding->state != NULL)
        decoding->kind->free(decoding->state);
    measures_free(decoding->measures);
    free(decoding);
}

int decoding_use(struct decoding *decoding, const struct model *model, struct error *e) {
    release(decoding);
    decoding->model = model;
    decoding->predictor = predictor_new(model, e);
    return decoding->predictor == NULL ? -1 : 0;
}

/* ---- room */

static int widen(double **array, int64_t count, struct error *e) {
    return memory_resize((void **)array, count, sizeof **array, "scores", e);
}

static bool has_choices(const struct decoding *decoding) {
    return decoding->kind != NULL ? decoding->kind->chooses : decoding->model->labels > 0;
}

static int make_room(struct decoding *decoding, int64_t rows, struct error *e) {
    const struct model *model = decoding->model;
    int64_t numbers = rows * model->vectors;
    if (decoding->scores != NULL && rows <= decoding->capacity)
        return 0;
    if (widen(&decoding->scores, numbers, e) != 0)
        return -1;
    if (decoding->settings.parts && (widen(&decoding->kernel, numbers, e) != 0 ||
                                     widen(&decoding->parametric, numbers, e) != 0))
        return -1;
    if (has_choices(decoding) && memory_resize((void **)&decoding->choice, rows,
                                               sizeof *decoding->choice, "predictions", e) != 0)
        return -1;
    if (decoding->settings.probabilities && model->labels > 0 &&
        (widen(&decoding->probability, rows * model->labels, e) != 0 ||
         widen(&decoding->work, predictor_probabilities_work(model), e) != 0))
        return -1;
    decoding->capacity = rows;
    return 0;
}

/* ---- slices */

/* The data, and a slice of it: groups, or rows, from <= i < to. */
struct slices {
    struct decoding *decoding;
    const struct dataset *data;
    const struct dataset *scored; /* the same, scaled if the model says so */
    const struct decoded_visitor *visitor;
    int64_t from, to;
};

static int64_t slice_items(const struct slices *s) {
    return s->decoding->kind != NULL ? s->data->groups : s->data->rows;
}

static int64_t first_row(const struct slices *s, int64_t item) {
    return s->decoding->kind != NULL ? s->data->group_start[item] : item;
}

/* The next slice: as many items as fit into SLICE_NUMBERS scores, but at least one. */
static bool next_slice(struct slices *s) {
    int64_t items = slice_items(s), rows = SLICE_NUMBERS / (s->decoding->model->vectors + 1);
    s->from = s->to;
    while (s->to < items &&
           (s->to == s->from || first_row(s, s->to + 1) - first_row(s, s->from) <= rows))
        s->to++;
    return s->from < s->to;
}

static int64_t slice_rows(const struct slices *s) {
    return first_row(s, s->to) - first_row(s, s->from);
}

static int64_t most_rows(struct slices s) {
    int64_t largest = 0;
    while (next_slice(&s))
        largest = slice_rows(&s) > largest ? slice_rows(&s) : largest;
    return largest;
}

static int score_slice(const struct slices *s, struct unknown_features *unknown_features,
                       struct error *e) {
    struct decoding *decoding = s->decoding;
    int64_t first = first_row(s, s->from), rows = slice_rows(s);
    if (decoding->kernel == NULL)
        return predictor_scores(decoding->predictor, s->scored, first, rows, decoding->scores,
                                unknown_features, e);
    if (predictor_parts(decoding->predictor, s->scored, first, rows, decoding->kernel,
                        decoding->parametric, unknown_features, e) != 0)
        return -1;
    for (int64_t k = 0; k < rows * decoding->model->vectors; k++)
        decoding->scores[k] = decoding->kernel[k] + decoding->parametric[k];
    return 0;
}

/* Predicts and measures row ROW, the i-th of the slice. */
static int decode_row(struct decoding *decoding, const struct dataset *data, int64_t row, int64_t i,
                      struct error *e) {
    const struct model *model = decoding->model;
    const double *scores = decoding->scores + i * model->vectors;
    double *probability = decoding->probability;
    bool likeliest = probability != NULL && predictor_chooses_likeliest(model);
    int64_t choice = 0;
    if (probability != NULL) {
        probability += i * model->labels;
        predictor_probabilities(model, decoding->joint, scores, decoding->work, probability);
    }
    if (decoding->choice != NULL) {
        choice = likeliest ? predictor_likeliest(model, scores, probability)
                           : predictor_choice(model, scores);
        decoding->choice[i] = (int32_t)choice;
    }
    if (probability != NULL)
        measures_add_probabilities(decoding->measures, data->label[row], model->against_rest,
                                   probability);
    double rank = model->labels == 2 ? predictor_rank(model, scores, likeliest) : 0;
    return predictor_measure(model, data->label[row], scores, choice, rank, decoding->measures, e);
}

static int decode_rows(const struct slices *s, struct error *e) {
    struct decoding *decoding = s->decoding;
    for (int64_t i = s->from; i < s->to; i++)
        if (decode_row(decoding, s->data, i, i - s->from, e) != 0)
            return -1;
    return 0;
}

static int decode_groups(const struct slices *s, struct error *e) {
    struct decoding *decoding = s->decoding;
    const struct decoder_arrays out = {decoding->choice, decoding->probability};
    return decoding->kind->groups(decoding->state, decoding->model, s->data, s->from, s->to,
                                  decoding->scores, &out, e);
}

static int show_slice(const struct slices *s, struct error *e) {
    const struct decoding *decoding = s->decoding;
    bool groups = decoding->kind != NULL;
    const struct decoded decoded = {.data = s->data,
                                    .first = first_row(s, s->from),
                                    .rows = slice_rows(s),
                                    .first_group = groups ? s->from : 0,
                                    .groups = groups ? s->to - s->from : 0,
                                    .scores = decoding->scores,
                                    .kernel = decoding->kernel,
                                    .parametric = decoding->parametric,
                                    .choice = decoding->choice,
                                    .probability = decoding->probability};
    return s->visitor == NULL ? 0 : s->visitor->visit(s->visitor->context, &decoded, e);
}

/* Without a visitor interruptions are ignored: a fold that was trained is also measured. */
static int check_interruption(const struct slices *s, struct error *e) {
    return s->visitor != NULL && interruption_came(&s->decoding->settings.interrupted)
               ? error_set(e, "interrupted by a signal; no predictions were written")
               : 0;
}

static int decode_slice(const struct slices *s, struct unknown_features *unknown_features,
                        struct error *e) {
    if (check_interruption(s, e) != 0 || score_slice(s, unknown_features, e) != 0)
        return -1;
    if (s->decoding->kind == NULL)
        return decode_rows(s, e);
    return decode_groups(s, e) != 0 ? -1 : check_interruption(s, e);
}

static int decode_slices(struct slices *s, struct unknown_features *unknown_features,
                         struct error *e) {
    if (make_room(s->decoding, most_rows(*s), e) != 0)
        return -1;
    while (next_slice(s))
        if (decode_slice(s, unknown_features, e) != 0 || show_slice(s, e) != 0)
            return -1;
    return 0;
}

int decoding_block(struct decoding *decoding, const struct dataset *data,
                   const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                   struct error *e) {
    struct slices s = {.decoding = decoding, .data = data, .scored = data, .visitor = visitor};
    const struct scaling *scaling = &decoding->model->scaling;
    struct scaled scaled;
    if (scaling->method == SCALING_NONE)
        return decode_slices(&s, unknown_features, e);
    int status = scaled_init(&scaled, scaling, data, e);
    s.scored = &scaled.data;
    if (status == 0)
        status = decode_slices(&s, unknown_features, e);
    scaled_free(&scaled);
    return status;
}

int decoding_data(struct decoding *decoding, const struct model *model, const struct dataset *data,
                  const struct decoded_visitor *visitor, struct unknown_features *unknown_features,
                  struct error *e) {
    int status = decoding_use(decoding, model, e);
    if (status == 0)
        status = decoding_block(decoding, data, visitor, unknown_features, e);
    release(decoding);
    return status;
}

int decoding_finish(struct decoding *decoding, struct measure list[MEASURES_MAX],
                    struct measured_rows *rows, struct error *e) {
    struct measured_rows unasked;
    if (rows == NULL)
        rows = &unasked;
    if (decoding->kind != NULL)
        return decoding->kind->finish(decoding->state, list, rows, e);
    *rows = measures_rows(decoding->measures);
    return measures_finish(decoding->measures, list, e);
}

void decoding_measure_names(const struct decoding *decoding, const char *names[MEASURES_MAX + 1]) {
    int count = 0;
    if (decoding->kind == NULL) {
        measures_names(decoding->measures, decoding->settings.probabilities, names);
        return;
    }
    const char *const *all = decoding->kind->measures(decoding->state);
    do {
        names[count] = all[count];
    } while (all[count++] != NULL);
}

struct confusion decoding_confusion(const struct decoding *decoding) {
    return decoding->kind != NULL ? (struct confusion){0} : measures_confusion(decoding->measures);
}
