/* prediction_lines.h - writes the lines of a prediction file.
 *
 * Each row has a line with its label (or the label's name), or its value for regression and rankings. With decision
 * values or probabilities there is a first line "labels 1 -1", and after each label follow the decision values of
 * the weight vectors (two labels with one vector: that of the first label) or the probabilities of the labels.
 * Probabilities have six digits, all other numbers have all digits: the format is that of LIBLINEAR's predict.
 *
 * With parts (kernel models with basis functions) the first line is "value kernel parametric" or "label kernel
 * parametric", and the two parts of the score follow each value or label; for several vectors it is "label kernel:1
 * parametric:1 kernel:2 ...".
 *
 * RNA has a line of dots and brackets for each sequence: "((((...))))". */
#ifndef RRM_PREDICTION_LINES_H
#define RRM_PREDICTION_LINES_H

#include "prediction/decoding.h"

#include <stdio.h>

enum prediction_form {
    PREDICTION_PLAIN,
    PREDICTION_DECISIONS,
    PREDICTION_PROBABILITIES,
    PREDICTION_BOTH, /* probabilities, then decision values */
    PREDICTION_PARTS
};

struct prediction_lines;

/* Makes a writer for predictions of the model. The model and NAMES of its labels (NULL: none) must outlive it. A
 * model without labels has plain lines or parts, for any form. NULL with the error set. */
struct prediction_lines *prediction_lines_new(const struct model *model, enum prediction_form form,
                                              const char *const *names, struct error *e);

void prediction_lines_header(const struct prediction_lines *lines, FILE *stream);

/* Writes the lines of a run of rows. */
void prediction_lines_write(const struct prediction_lines *lines, const struct decoded *decoded,
                            FILE *stream);

/* NULL does nothing. */
void prediction_lines_free(struct prediction_lines *lines);

#endif
