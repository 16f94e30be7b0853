/* cross_validation.h - training on all folds but one and predicting that one, for each in turn. */
#ifndef RRM_CROSS_VALIDATION_H
#define RRM_CROSS_VALIDATION_H

#include "cli/run.h"
#include "risk/measures.h"

struct cross_validation {
    int64_t folds;
    int64_t done;         /* fewer than folds after a signal */
    double objective;     /* mean over the folds done */
    double seconds;       /* of training */
    double gap;           /* the largest certified relative gap of a vector */
    struct outcome total; /* passes: the largest; iterations: the sum; verdict: the worst */
    struct measures *measures;
    struct measure list[MEASURES_MOST];
    int measure_count;
};

/* `all`: the training on the whole data. A signal ends it after the folds done. The caller frees in
 * either case. */
int cross_validate(const struct training *all, struct monitor *monitor,
                   struct cross_validation *validation, struct error *e);

void cross_validation_free(struct cross_validation *validation);

/* "Cross Validation Accuracy = 84.9% (27640/32561)" and the other measures, a line each. */
void cross_validation_print(const struct cross_validation *validation, FILE *stream);

#endif
