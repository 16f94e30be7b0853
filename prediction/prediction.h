/* prediction.h - the lines of a prediction file.
 *
 * A line a row: the label, or for regression the value. With decision values or probabilities a
 * first line "labels 1 -1", and behind each label a decision value a weight vector (of two labels
 * with one vector: the first label's) or a probability a label. Labels, values and decision values
 * have all their digits, probabilities six: the lines are those of LIBLINEAR's predict.
 *
 * With parts (kernel models with basis functions) a first line "value kernel parametric", or "label
 * kernel parametric", and the two parts of the score behind each value or label; of several vectors
 * "label kernel:1 parametric:1 kernel:2 ...". */
#ifndef RRM_PREDICTION_H
#define RRM_PREDICTION_H

#include "io/error.h"
#include "io/model/model.h"

#include <stdint.h>
#include <stdio.h>

enum prediction_form {
    PREDICTION_PLAIN,
    PREDICTION_DECISIONS,
    PREDICTION_PROBABILITIES,
    PREDICTION_PARTS
};

struct prediction;

/* For rows of the model, which must outlive it. A model of regression has plain lines or parts only,
 * whatever the form. NULL with the error set. */
struct prediction *prediction_new(const struct model *model, enum prediction_form form,
                                  struct error *e);

void prediction_header(const struct prediction *prediction, FILE *stream);

/* The line of a row with these scores (vectors of them). */
void prediction_write(const struct prediction *prediction, const double *scores, FILE *stream);

/* The same with parts: scores = kernel + parametric. */
void prediction_write_parts(const struct prediction *prediction, const double *scores,
                            const double *kernel, const double *parametric, FILE *stream);

/* NULL does nothing. */
void prediction_free(struct prediction *prediction);

#endif
