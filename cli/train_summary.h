/* train_summary.h - what train says of a run when it is over. */
#ifndef RRM_TRAIN_SUMMARY_H
#define RRM_TRAIN_SUMMARY_H

#include "training/cross_validation.h"
#include "training/feature_sizes.h"

#include <stdio.h>

/* Seconds before training. */
struct preparation {
    double load;
    double map; /* the feature map and the mapped examples; 0 without */
};

/* One line: the solver where it was chosen, objective, bound, gap, nonzeros, passes, lambda_max where it is
 * finite, seconds, the model file; then the coefficients of basis functions, if there are any. Of a path those of its last model, but all passes and seconds. */
void train_summary(const struct train_command *command, const struct model *model,
                   const struct path *path, double lambda_max, const struct preparation *before,
                   FILE *stream);

/* The same for a cross-validation. */
void train_validation_summary(const struct train_command *command,
                              const struct cross_validation *validation, double lambda_max,
                              const struct preparation *before, FILE *stream);

/* True when a limit, or rounding, came before the tolerance, or a time limit before the passes asked
 * for. */
bool train_cut_short(const struct outcome *total);

/* The warning for that, with the remedy. GAP is the largest of the weight vectors'. */
void train_warn_limit(const struct train_command *command, const struct outcome *total, double gap,
                      FILE *stream);

/* The same for a path, which may have ended early, and for a cross-validation. */
void train_warn_path(const struct train_command *command, const struct path *path, FILE *stream);
void train_warn_validation(const struct train_command *command,
                           const struct cross_validation *validation, FILE *stream);

/* The warning of --strict for a run that ended at a limit and was not asked for a tolerance. */
void train_warn_strict(const struct train_command *command, FILE *stream);

/* The warning that a model has learned nothing, with the remedy: to scale features that differ in size, else
 * the solver OTHER, that of the data by default (NULL: there is none). OF: what the model is made of, "10
 * labels", or "". */
void train_warn_null(const struct train_command *command, const struct null_comparison *null,
                     const char *of, const struct feature_sizes *sizes, const struct solver *other,
                     FILE *stream);

#endif
