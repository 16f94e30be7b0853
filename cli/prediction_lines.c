/* prediction_lines.c - the lines of a prediction file; see prediction_lines.h. Labels are formatted once. */
#include "cli/prediction_lines.h"

#include "io/memory.h"
#include "io/model/label_pairs.h"
#include "io/number_text.h"

#include <stdlib.h>

enum { LABEL_SIZE = 25 /* "-1.7976931348623157e+308" and the end */ };

struct prediction_lines {
    const struct model *model;
    enum prediction_form form;
    const char *const *names; /* NULL: labels are printed as numbers */
    char (*label)[LABEL_SIZE];
};

struct prediction_lines *prediction_lines_new(const struct model *model, enum prediction_form form,
                                              const char *const *names, struct error *e) {
    struct prediction_lines *lines = memory_zeroed(1, sizeof *lines, "predictions", e);
    if (lines == NULL)
        return NULL;
    lines->model = model;
    lines->form = model->labels == 0 && form != PREDICTION_PARTS ? PREDICTION_PLAIN : form;
    lines->names = names;
    lines->label = memory_new(model->labels, sizeof *lines->label, "labels", e);
    if (lines->label == NULL) {
        prediction_lines_free(lines);
        return NULL;
    }
    for (int64_t k = 0; k < model->labels; k++)
        snprintf(lines->label[k], LABEL_SIZE, "%.17g", model->label[k]);
    return lines;
}

void prediction_lines_free(struct prediction_lines *lines) {
    if (lines == NULL)
        return;
    free(lines->label);
    free(lines);
}

/* Writes the number or name of the model's label K. */
static const char *word(const struct prediction_lines *lines, int64_t k) {
    return lines->names != NULL ? lines->names[k] : lines->label[k];
}

/* Writes what vector K is positive for: a label, or a pair of them, "1:2". */
static void write_vector(const struct prediction_lines *lines, int64_t k, FILE *stream) {
    int64_t i = k, j = k;
    if (lines->model->pairs)
        label_pairs_of(lines->model->labels, k, &i, &j);
    fputs(word(lines, i), stream);
    if (j != i)
        fprintf(stream, ":%s", word(lines, j));
}

static void write_header_of_parts(const struct prediction_lines *lines, FILE *stream) {
    const struct model *model = lines->model;
    fputs(model->labels == 0 ? "value" : "label", stream);
    if (model->vectors == 1)
        fputs(" kernel parametric", stream);
    for (int64_t k = 0; k < model->vectors && model->vectors > 1; k++) {
        fputs(" kernel:", stream);
        write_vector(lines, k, stream);
        fputs(" parametric:", stream);
        write_vector(lines, k, stream);
    }
    fputc('\n', stream);
}

static void write_header_of_labels(const struct prediction_lines *lines, FILE *stream) {
    fputs("labels", stream);
    for (int64_t k = 0; k < lines->model->labels; k++)
        fprintf(stream, " %s", word(lines, k));
}

/* PREFIX stands before each vector's label or pair. */
static void write_header_of_vectors(const struct prediction_lines *lines, const char *prefix,
                                    FILE *stream) {
    for (int64_t k = 0; k < lines->model->vectors; k++) {
        fprintf(stream, " %s", prefix);
        write_vector(lines, k, stream);
    }
}

void prediction_lines_header(const struct prediction_lines *lines, FILE *stream) {
    if (lines->form == PREDICTION_PARTS)
        write_header_of_parts(lines, stream);
    if (lines->form == PREDICTION_PLAIN || lines->form == PREDICTION_PARTS)
        return;
    if (lines->form == PREDICTION_DECISIONS && lines->model->pairs) {
        fputs("pairs", stream);
        write_header_of_vectors(lines, "", stream);
    } else {
        write_header_of_labels(lines, stream);
    }
    if (lines->form == PREDICTION_BOTH)
        write_header_of_vectors(lines, "decision:", stream);
    fputc('\n', stream);
}

static void write_number(double number, FILE *stream) {
    char text[NUMBER_TEXT];
    number_digits_text(number, text);
    fputs(text, stream);
}

static void write_scores(const double *score, int64_t count, FILE *stream) {
    for (int64_t k = 0; k < count; k++) {
        fputc(' ', stream);
        write_number(score[k], stream);
    }
}

static void write_probabilities(const double *probability, int64_t count, FILE *stream) {
    for (int64_t k = 0; k < count; k++)
        fprintf(stream, " %g", probability[k]);
}

static void write_parts(const double *kernel, const double *parametric, int64_t count,
                        FILE *stream) {
    for (int64_t k = 0; k < count; k++) {
        write_scores(&kernel[k], 1, stream);
        write_scores(&parametric[k], 1, stream);
    }
}

/* Writes the line of the run's row I. */
static void write_row(const struct prediction_lines *lines, const struct decoded *decoded,
                      int64_t i, FILE *stream) {
    const struct model *model = lines->model;
    int64_t score = i * model->vectors;
    if (decoded->choice == NULL)
        write_number(decoded->scores[score], stream);
    else
        fputs(word(lines, decoded->choice[i]), stream);
    if (lines->form == PREDICTION_PARTS)
        write_parts(decoded->kernel + score, decoded->parametric + score, model->vectors, stream);
    if (lines->form == PREDICTION_PROBABILITIES || lines->form == PREDICTION_BOTH)
        write_probabilities(decoded->probability + i * model->labels, model->labels, stream);
    if (lines->form == PREDICTION_DECISIONS || lines->form == PREDICTION_BOTH)
        write_scores(decoded->scores + score, model->vectors, stream);
    fputc('\n', stream);
}

static void write_brackets(const int32_t *partner, int64_t length, FILE *stream) {
    for (int32_t i = 0; i < length; i++)
        fputc(partner[i] < 0 ? '.' : partner[i] > i ? '(' : ')', stream);
    fputc('\n', stream);
}

static void write_structures(const struct decoded *decoded, FILE *stream) {
    const int64_t *start = decoded->data->group_start + decoded->first_group;
    for (int64_t g = 0; g < decoded->groups; g++)
        write_brackets(decoded->choice + start[g] - start[0], start[g + 1] - start[g], stream);
}

void prediction_lines_write(const struct prediction_lines *lines, const struct decoded *decoded,
                            FILE *stream) {
    if (lines->model->labels == 0 && decoded->choice != NULL) {
        write_structures(decoded, stream);
        return;
    }
    for (int64_t i = 0; i < decoded->rows; i++)
        write_row(lines, decoded, i, stream);
}
