/* prediction.c - the lines of a prediction file; see prediction.h. Labels are formatted once. */
#include "prediction/prediction.h"

#include "io/memory.h"
#include "prediction/predictor.h"
#include "risk/risk_table.h"

#include <stdlib.h>

enum { LABEL_SIZE = 25 /* "-1.7976931348623157e+308" and the end */ };

struct prediction {
    const struct model *model;
    enum prediction_form form;
    bool joint; /* the classes were trained together */
    char (*label)[LABEL_SIZE];
    double *probability; /* of one row */
};

struct prediction *prediction_new(const struct model *model, enum prediction_form form,
                                  struct error *e) {
    struct prediction *prediction = memory_zeroed(1, sizeof *prediction, "predictions", e);
    if (prediction == NULL)
        return NULL;
    prediction->model = model;
    prediction->form = model->labels == 0 && form != PREDICTION_PARTS ? PREDICTION_PLAIN : form;
    const struct risk_row *risk = risk_row_by_name(model->loss);
    prediction->joint = risk != NULL && task_is_joint(risk->task);
    prediction->label = memory_new(model->labels, sizeof *prediction->label, "labels", e);
    prediction->probability = memory_new(model->labels, sizeof(double), "probabilities", e);
    if (prediction->label == NULL || prediction->probability == NULL) {
        prediction_free(prediction);
        return NULL;
    }
    for (int64_t k = 0; k < model->labels; k++)
        snprintf(prediction->label[k], LABEL_SIZE, "%.17g", model->label[k]);
    return prediction;
}

void prediction_free(struct prediction *prediction) {
    if (prediction == NULL)
        return;
    free(prediction->label);
    free(prediction->probability);
    free(prediction);
}

static void write_header_of_parts(const struct prediction *prediction, FILE *stream) {
    const struct model *model = prediction->model;
    fputs(model->labels == 0 ? "value" : "label", stream);
    if (model->vectors == 1)
        fputs(" kernel parametric", stream);
    for (int64_t k = 0; k < model->vectors && model->vectors > 1; k++)
        fprintf(stream, " kernel:%s parametric:%s", prediction->label[k], prediction->label[k]);
    fputc('\n', stream);
}

void prediction_header(const struct prediction *prediction, FILE *stream) {
    if (prediction->form == PREDICTION_PARTS)
        write_header_of_parts(prediction, stream);
    if (prediction->form == PREDICTION_PLAIN || prediction->form == PREDICTION_PARTS)
        return;
    fputs("labels", stream);
    for (int64_t k = 0; k < prediction->model->labels; k++)
        fprintf(stream, " %s", prediction->label[k]);
    fputc('\n', stream);
}

static void write_numbers(const char *format, const double *number, int64_t count, FILE *stream) {
    for (int64_t k = 0; k < count; k++)
        fprintf(stream, format, number[k]);
}

/* The value or label. */
static void write_first(const struct prediction *prediction, const double *scores, FILE *stream) {
    const struct model *model = prediction->model;
    if (model->labels == 0)
        fprintf(stream, "%.17g", scores[0]);
    else
        fputs(prediction->label[predictor_choice(model, scores)], stream);
}

void prediction_write(const struct prediction *prediction, const double *scores, FILE *stream) {
    const struct model *model = prediction->model;
    write_first(prediction, scores, stream);
    if (prediction->form == PREDICTION_DECISIONS) {
        write_numbers(" %.17g", scores, model->vectors, stream);
    } else if (prediction->form == PREDICTION_PROBABILITIES) {
        predictor_probabilities(model, prediction->joint, scores, prediction->probability);
        write_numbers(" %g", prediction->probability, model->labels, stream);
    }
    fputc('\n', stream);
}

void prediction_write_parts(const struct prediction *prediction, const double *scores,
                            const double *kernel, const double *parametric, FILE *stream) {
    write_first(prediction, scores, stream);
    for (int64_t k = 0; k < prediction->model->vectors; k++)
        fprintf(stream, " %.17g %.17g", kernel[k], parametric[k]);
    fputc('\n', stream);
}
