/* warnings.h - sentences for people whose run ended before its time, or whose model has learned nothing. */
#ifndef RRM_WARNINGS_H
#define RRM_WARNINGS_H

#include "training/cross_validation.h"
#include "training/feature_sizes.h"

enum { WARNING_SIZE = 512 }; /* bytes of a sentence, which has no newline */

/* True when a limit, or rounding, came before the tolerance, or a time limit before the passes asked
 * for: there is something to warn of. */
bool outcome_cut_short(const struct outcome *total);

/* Of one run with this certified gap. INTERRUPTION, here and below: the words of monitor_interruption. */
void warning_limit(const struct training_request *request, const struct outcome *total, double gap,
                   const char *interruption, char text[WARNING_SIZE]);

/* Of a path, or a run that is a path of one. */
void warning_path(const struct training_request *request, const struct path *path,
                  const char *interruption, char text[WARNING_SIZE]);

/* Of the folds together. */
void warning_validation(const struct training_request *request,
                        const struct cross_validation *validation, const char *interruption,
                        char text[WARNING_SIZE]);

/* That a model has learned nothing, with the remedy: to scale features that differ in size, else
 * the solver OTHER, that of the data by default (NULL: there is none). OF: what the model is made of, "10
 * labels", or "". */
void warning_null(const struct training_request *request, const struct null_comparison *null,
                  const char *of, const struct feature_sizes *sizes, const struct solver *other,
                  char text[WARNING_SIZE]);

#endif
