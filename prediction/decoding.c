/* decoding.c - predictions and measures of a data set in memory. */
#include "prediction/decoding.h"

#include "io/memory.h"

#include <stdlib.h>

enum { SLICE_NUMBERS = 1 << 20 }; /* scores held at a time; at least a group's */

struct decoding {
    const struct decoder_kind *kind; /* NULL: rows */
    void *state;                     /* the decoder's */
    struct measures *measures;       /* of rows */
    bool begun;
    struct interruption interrupted; /* the settings' */
};

struct decoding *decoding_new(const struct risk_row *risk, const struct decoder_settings *settings,
                              struct error *e) {
    struct decoding *decoding = memory_zeroed(1, sizeof *decoding, "the measures", e);

    if (decoding == NULL) {
        return NULL;
    }
    decoding->interrupted = settings->interrupted;
    decoding->kind = risk == NULL ? NULL : risk->decoder;
    if (decoding->kind != NULL) {
        decoding->state = decoding->kind->open(settings, e);
    } else {
        decoding->measures =
            measures_new(settings->model->label, settings->model->labels, settings->model->at, e);
    }
    if (decoding->state == NULL && decoding->measures == NULL) {
        free(decoding);
        return NULL;
    }
    return decoding;
}

void decoding_free(struct decoding *decoding) {
    if (decoding == NULL) {
        return;
    }
    if (decoding->state != NULL) {
        decoding->kind->free(decoding->state);
    }
    measures_free(decoding->measures);
    free(decoding);
}

/* ---- slices */

/* What is predicted, and a slice of it: groups, or rows, from <= i < to. */
struct slices {
    struct decoding *decoding;
    const struct model *model;
    const struct dataset *data;
    FILE *stream;
    int64_t from, to;
};

static int64_t slice_items(const struct slices *s) {
    return s->decoding->kind != NULL ? s->data->groups : s->data->rows;
}

static int64_t first_row(const struct slices *s, int64_t item) {
    return s->decoding->kind != NULL ? s->data->group_start[item] : item;
}

/* The next slice: as many items as have few enough scores, but one at least. */
static bool next_slice(struct slices *s) {
    int64_t items = slice_items(s), rows = SLICE_NUMBERS / (s->model->vectors + 1);

    s->from = s->to;
    while (s->to < items &&
           (s->to == s->from || first_row(s, s->to + 1) - first_row(s, s->from) <= rows)) {
        s->to++;
    }
    return s->from < s->to;
}

static int64_t slice_rows(const struct slices *s) {
    return first_row(s, s->to) - first_row(s, s->from);
}

static int64_t most_rows(struct slices s) {
    int64_t most = 0;

    while (next_slice(&s)) {
        most = slice_rows(&s) > most ? slice_rows(&s) : most;
    }
    return most;
}

static int measure_rows(const struct slices *s, const double *scores, struct error *e) {
    for (int64_t i = s->from; i < s->to; i++) {
        if (predictor_measure(s->model, s->data->label[i],
                              scores + (i - s->from) * s->model->vectors, s->decoding->measures,
                              e) != 0) {
            return -1;
        }
    }
    return 0;
}

/* A fold that was trained is measured, whatever came. */
static int check_signals(const struct slices *s, struct error *e) {
    return s->stream != NULL && interruption_came(&s->decoding->interrupted)
               ? error_set(e, "interrupted by a signal; no predictions were written")
               : 0;
}

static int predict_slice(const struct slices *s, const struct predictor *predictor, double *scores,
                         struct unknown_features *unknown_features, struct error *e) {
    const struct decoding *decoding = s->decoding;

    if (check_signals(s, e) != 0 ||
        predictor_scores(predictor, s->data, first_row(s, s->from), slice_rows(s), scores,
                         unknown_features, e) != 0) {
        return -1;
    }
    if (decoding->kind == NULL) {
        return measure_rows(s, scores, e);
    }
    return decoding->kind->groups(decoding->state, s->model, s->data, s->from, s->to, scores,
                                  s->stream, e) == 0
               ? check_signals(s, e)
               : -1;
}

int decoding_data(struct decoding *decoding, const struct model *model, const struct dataset *data,
                  FILE *stream, struct unknown_features *unknown_features, struct error *e) {
    struct slices s = {.decoding = decoding, .model = model, .data = data, .stream = stream};
    struct predictor *predictor = predictor_new(model, e);
    double *scores = memory_new(most_rows(s) * model->vectors, sizeof *scores, "scores", e);
    int status = predictor == NULL || scores == NULL ? -1 : 0;

    if (stream != NULL && !decoding->begun && decoding->kind != NULL &&
        decoding->kind->header != NULL) {
        decoding->kind->header(decoding->state, stream);
    }
    decoding->begun = true;
    while (status == 0 && next_slice(&s)) {
        status = predict_slice(&s, predictor, scores, unknown_features, e);
    }
    free(scores);
    predictor_free(predictor);
    return status;
}

int decoding_finish(struct decoding *decoding, struct measure list[MEASURES_MOST], int64_t *rows,
                    int64_t *unknown, struct error *e) {
    if (decoding->kind != NULL) {
        return decoding->kind->finish(decoding->state, list, rows, unknown, e);
    }
    *rows = measures_rows(decoding->measures);
    *unknown = measures_unknown(decoding->measures);
    return measures_finish(decoding->measures, list, e);
}
