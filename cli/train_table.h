/* train_table.h - prints tables of paths and measures of folds. */
#ifndef RRM_TRAIN_TABLE_H
#define RRM_TRAIN_TABLE_H

#include "training/search/cross_validation.h"

#include <stdio.h>

enum { TRAIN_MEASURE = 32 };

/* The value of a measure: an accuracy as "97.5%". */
void train_describe_measure(const char *name, double value, char text[TRAIN_MEASURE]);

/* Prints the header of the table of a path, with a note if lambda_max (infinite: there is none) left a single value.
 * MEASURE: the name of a further column; NULL: none; BOUNDS: of an accuracy follow. */
void train_table_header(const struct path_values *values, double lambda_max, const char *measure,
                        bool bounds, FILE *stream);

/* Prints the row of a model of a path, unless a signal cut it off; the summary reports that. */
void train_table_row(const struct run *run, double lambda, FILE *stream);

/* Prints the table of a cross-validated path for the finished values, and the best lambda. */
void train_table_folds(const struct cross_validation *validation, const struct path_values *values,
                       double lambda_max, FILE *stream);

/* "Cross Validation Accuracy = 84.9% (27640/32561)" and the other measures, one on each line, for the
 * chosen lambda, which is that of the model. */
void train_measures(const struct cross_validation *validation, FILE *stream);

#endif
