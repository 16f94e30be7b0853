/* prediction.h - the lines of a prediction file.
 *
 * A line a row: the label, or for regression the value. With decision values or probabilities a
 * first line "labels 1 -1", and behind each label a decision value a weight vector (of two labels
 * with one vector: the first label's) or a probability a label. Labels, values and decision values
 * have all their digits, probabilities six: the lines are those of LIBLINEAR's predict. */
#ifndef RRM_PREDICTION_H
#define RRM_PREDICTION_H

#include "io/error.h"
#include "io/model.h"

#include <stdint.h>
#include <stdio.h>

enum prediction_form { PREDICTION_PLAIN, PREDICTION_DECISIONS, PREDICTION_PROBABILITIES };

struct prediction;

/* For rows of the model, which must outlive it, at most MOST at a time. A model of regression has
 * plain lines only, whatever the form. NULL with the error set. */
struct prediction *prediction_new(const struct model *model, enum prediction_form form,
                                  int64_t most, struct error *e);

void prediction_header(const struct prediction *prediction, FILE *stream);

/* The lines of COUNT rows with these scores (COUNT x vectors); formatted in parallel. */
void prediction_write(struct prediction *prediction, const double *scores, int64_t count,
                      FILE *stream);

/* NULL does nothing. */
void prediction_free(struct prediction *prediction);

#endif
