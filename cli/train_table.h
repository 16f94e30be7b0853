/* train_table.h - prints tables of paths and measures of folds. */
#ifndef RRM_TRAIN_TABLE_H
#define RRM_TRAIN_TABLE_H

#include "training/cross_validation.h"

#include <stdio.h>

/* Prints the table of a path: a header, with a note if lambda_max left a single value, and a row for each lambda.
 * MEASURE: the name of a further column, VALUE: its text; NULL: none. Each line is flushed at once. */
void train_table_header(const struct path_values *values, double lambda_max, const char *measure,
                        FILE *stream);
void train_table_row(double lambda, double nonzeros, double objective, double gap,
                     const char *value, FILE *stream);

/* Prints a row for each model of a path, except one that a signal cut off. */
struct path_visitor train_table_rows(FILE *stream);

/* Prints the table of a cross-validated path for the finished values, and the best lambda. */
void train_table_folds(const struct cross_validation *validation, const struct path_values *values,
                       double lambda_max, FILE *stream);

/* "Cross Validation Accuracy = 84.9% (27640/32561)" and the other measures, one on each line, for the
 * best lambda. */
void train_measures(const struct cross_validation *validation, FILE *stream);

#endif
