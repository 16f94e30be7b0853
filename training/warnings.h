/* warnings.h - the texts of warnings: a run ended early, or a model learned nothing. */
#ifndef RRM_WARNINGS_H
#define RRM_WARNINGS_H

#include "training/request/feature_sizes.h"
#include "training/search/cross_validation.h"

enum { WARNING_SIZE = 512 }; /* bytes of a sentence, which has no newline */

/* True if a run needs a warning: a limit or rounding ended it before the tolerance was reached, or the time limit
 * before all passes were made. */
bool outcome_cut_short(const struct outcome *total);

/* The warning for one run with this certified gap. INTERRUPTION, here and below: the words of monitor_interruption. */
void warning_limit(const struct training_request *request, const struct outcome *total, double gap,
                   const char *interruption, char text[WARNING_SIZE]);

/* The warning for a path, or for a run that is a path of one. */
void warning_path(const struct training_request *request, const struct path *path,
                  const char *interruption, char text[WARNING_SIZE]);

/* The warning for all folds together. */
void warning_validation(const struct training_request *request,
                        const struct cross_validation *validation, const char *interruption,
                        char text[WARNING_SIZE]);

/* True if a run that had no tolerance used all of its passes, or settled, and its certified gap is more than 2 %; or if
 * it settled with a gap above EPSILON, that of -e (infinite: not given). */
bool outcome_is_unproved(const struct outcome *total, double gap, double epsilon);

/* The warning for such a run. Its remedy: to scale features that differ in size, else more passes; or the solver OTHER,
 * as in warning_null. */
void warning_unproved(const struct training_request *request, const struct outcome *total,
                      double gap, const struct feature_sizes *sizes, const struct solver *other,
                      char text[WARNING_SIZE]);

/* The warning that a model has learned nothing. Its remedy, if its weights of 0 are the optimum: a smaller lambda or
 * another loss; else to scale features that differ in size, else the solver OTHER, the default one for the data
 * (NULL: none). OF: "10 labels" for a model of many vectors, or "". */
void warning_null(const struct training_request *request, const struct null_comparison *null,
                  const char *of, const struct feature_sizes *sizes, const struct solver *other,
                  char text[WARNING_SIZE]);

/* Of a kernel of examples whose features are of very different SIZES. */
void warning_kernel(const struct training_request *request, const struct feature_sizes *sizes,
                    char text[WARNING_SIZE]);

#endif
