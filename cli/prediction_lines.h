/* prediction_lines.h - the lines of a prediction file.
 *
 * A line a row: the label, or its name, or for regression and rankings the value. With decision values or
 * probabilities a first line "labels 1 -1", and behind each label a decision value a weight vector (of two
 * labels with one vector: the first label's) or a probability a label. Labels, values and decision values
 * have all their digits, probabilities six: the lines are those of LIBLINEAR's predict.
 *
 * With parts (kernel models with basis functions) a first line "value kernel parametric", or "label
 * kernel parametric", and the two parts of the score behind each value or label; of several vectors
 * "label kernel:1 parametric:1 kernel:2 ...".
 *
 * Of RNA a line of dots and brackets a sequence: "((((...))))". */
#ifndef RRM_PREDICTION_LINES_H
#define RRM_PREDICTION_LINES_H

#include "prediction/decoding.h"

#include <stdio.h>

enum prediction_form {
    PREDICTION_PLAIN,
    PREDICTION_DECISIONS,
    PREDICTION_PROBABILITIES,
    PREDICTION_PARTS
};

struct prediction_lines;

/* For predictions of the model, which must outlive it, as must NAMES, of its labels (NULL: they have none). A
 * model without labels has plain lines or parts only, whatever the form. NULL with the error set. */
struct prediction_lines *prediction_lines_new(const struct model *model, enum prediction_form form,
                                              const char *const *names, struct error *e);

void prediction_lines_header(const struct prediction_lines *lines, FILE *stream);

/* The lines of a run of rows. */
void prediction_lines_write(const struct prediction_lines *lines, const struct decoded *decoded,
                            FILE *stream);

/* NULL does nothing. */
void prediction_lines_free(struct prediction_lines *lines);

#endif
