/* train_table.h - what train prints of paths and folds: tables and measures. */
#ifndef RRM_TRAIN_TABLE_H
#define RRM_TRAIN_TABLE_H

#include "training/cross_validation.h"

#include <stdio.h>

/* The table of a path: a header, which says so when lambda_max left a single value, and a row a lambda;
 * MEASURE is the name of a further column and VALUE its text, NULL without. Each line is written through
 * at once. */
void train_table_header(const struct path_values *values, double lambda_max, const char *measure,
                        FILE *stream);
void train_table_row(double lambda, double nonzeros, double objective, double gap,
                     const char *value, FILE *stream);

/* Prints a row of each model of a path, but of one that a signal cut off. */
struct path_visitor train_table_rows(FILE *stream);

/* The table of a path of folds, of the values that are finished, and its best lambda. */
void train_table_folds(const struct cross_validation *validation, const struct path_values *values,
                       double lambda_max, FILE *stream);

/* "Cross Validation Accuracy = 84.9% (27640/32561)" and the other measures, a line each; of the best
 * lambda, if there are several. */
void train_measures(const struct cross_validation *validation, FILE *stream);

#endif
