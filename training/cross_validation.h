/* cross_validation.h - training on all folds but one and predicting that one, for each in turn. */
#ifndef RRM_CROSS_VALIDATION_H
#define RRM_CROSS_VALIDATION_H

#include "prediction/decoding.h"
#include "training/path.h"

/* What the folds made of one lambda. */
struct cross_point {
    double lambda;    /* of the path; without one, that of the whole data (-c makes each fold's) */
    int64_t folds;    /* trained to an end */
    double objective; /* mean over these */
    double nonzeros;  /* mean */
    double gap;       /* the largest certified relative gap of a vector */
    struct decoding *decoding; /* for two labels its measures keep 8 bytes an example */
    struct measure list[MEASURES_MOST];
    int measure_count;
};

struct cross_validation {
    int64_t folds;
    int64_t done;   /* trained to an end; fewer after a signal, or for want of finished values */
    double seconds; /* of training */
    double gap;     /* the largest certified relative gap of a vector */
    struct outcome
        total; /* passes: the largest of a fold; iterations: the sum; verdict: the worst */
    struct null_comparison null; /* of all folds' models */
    int64_t count;               /* of points: 1 without --path */
    int64_t finished;            /* the first of these, which no fold's time limit cut off */
    struct cross_point *point;
    int own; /* place in the lists of the measure that lambda is chosen by */
    int64_t
        best; /* finished point: the best by that measure, of equals the largest lambda; -1: none, or a path's folds were interrupted */
};

/* `all`: the training on the whole data; VALUES: the lambdas. A signal ends it after the folds done. What
 * the time limit leaves unfinished of a path in one fold, the next do not train. The caller frees in
 * either case. */
int cross_validate(const struct training *all, const struct path_values *values,
                   struct monitor *monitor, struct cross_validation *validation, struct error *e);

void cross_validation_free(struct cross_validation *validation);

#endif
