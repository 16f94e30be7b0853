/* prediction.c - the lines of a prediction file; see prediction.h.
 *
 * Printing a double with all its digits costs more than computing it: the rows are formatted into
 * slots of equal size by all threads, then written in order. Labels are formatted once. */
#include "risk/prediction.h"

#include "io/memory.h"
#include "risk/predictor.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBER_SIZE = 26 /* " -1.7976931348623157e+308" and the end */ };

struct prediction {
    const struct model *model;
    enum prediction_form form;
    char (*label)[NUMBER_SIZE];
    int64_t slot;        /* bytes a row */
    char *slots;         /* rows x slot */
    double *probability; /* rows x labels; NULL in other forms */
};

struct prediction *prediction_new(const struct model *model, enum prediction_form form,
                                  int64_t most, struct error *e) {
    struct prediction *prediction = memory_zeroed(1, sizeof *prediction, "predictions", e);
    if (prediction == NULL)
        return NULL;
    if (model->labels == 0)
        form = PREDICTION_PLAIN;
    int64_t numbers = form == PREDICTION_DECISIONS       ? model->vectors
                      : form == PREDICTION_PROBABILITIES ? model->labels
                                                         : 0;
    prediction->model = model;
    prediction->form = form;
    prediction->slot = (1 + numbers) * NUMBER_SIZE + 1;
    prediction->label = memory_new(model->labels, sizeof *prediction->label, "labels", e);
    prediction->slots = memory_new(most, (size_t)prediction->slot, "lines", e);
    if (form == PREDICTION_PROBABILITIES)
        prediction->probability =
            memory_new(most, (size_t)model->labels * sizeof(double), "probabilities", e);
    if (prediction->label == NULL || prediction->slots == NULL ||
        (form == PREDICTION_PROBABILITIES && prediction->probability == NULL)) {
        prediction_free(prediction);
        return NULL;
    }
    for (int64_t k = 0; k < model->labels; k++)
        snprintf(prediction->label[k], NUMBER_SIZE, "%.17g", model->label[k]);
    return prediction;
}

void prediction_free(struct prediction *prediction) {
    if (prediction == NULL)
        return;
    free(prediction->label);
    free(prediction->slots);
    free(prediction->probability);
    free(prediction);
}

void prediction_header(const struct prediction *prediction, FILE *stream) {
    if (prediction->form == PREDICTION_PLAIN)
        return;
    fputs("labels", stream);
    for (int64_t k = 0; k < prediction->model->labels; k++)
        fprintf(stream, " %s", prediction->label[k]);
    fputc('\n', stream);
}

/* Appends the numbers, each after a blank; returns the end. */
static char *append(char *p, const char *format, const double *number, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        p += snprintf(p, NUMBER_SIZE, format, number[k]);
    return p;
}

/* A row's line into its slot, ended by a zero. */
static void format_row(const struct prediction *prediction, const double *scores, int64_t row) {
    const struct model *model = prediction->model;
    char *p = prediction->slots + row * prediction->slot;
    if (model->labels == 0) {
        p += snprintf(p, NUMBER_SIZE, "%.17g", scores[0]);
    } else {
        p = stpcpy(p, prediction->label[predictor_choice(model, scores)]);
        if (prediction->form == PREDICTION_DECISIONS) {
            p = append(p, " %.17g", scores, model->vectors);
        } else if (prediction->form == PREDICTION_PROBABILITIES) {
            double *probability = prediction->probability + row * model->labels;
            predictor_probabilities(model, scores, probability);
            p = append(p, " %g", probability, model->labels);
        }
    }
    strcpy(p, "\n");
}

void prediction_write(struct prediction *prediction, const double *scores, int64_t count,
                      FILE *stream) {
#pragma omp parallel for schedule(static) if (count > 64)
    for (int64_t i = 0; i < count; i++)
        format_row(prediction, scores + i * prediction->model->vectors, i);
    for (int64_t i = 0; i < count; i++)
        fputs(prediction->slots + i * prediction->slot, stream);
}
