/* cross_validation.h - for each fold, trains on the other folds and predicts the rows of this one; or trains on all
 * rows and predicts those that the caller holds out. */
#ifndef RRM_CROSS_VALIDATION_H
#define RRM_CROSS_VALIDATION_H

#include "prediction/decoding.h"
#include "training/search/decided.h"
#include "training/search/path.h"

/* The folds' results at one lambda. */
struct cross_point {
    double lambda; /* of the path; without --path, that of the full data (with -c, folds differ) */
    int64_t place; /* of lambda in the path */
    /* Of the kernel, where they are chosen, too: its gamma, otherwise not-a-number; the number of landmarks, otherwise
     * 0; and which pair of these it is (kernel_lists.h). */
    double gamma;
    int64_t landmarks, pair;
    int64_t folds;             /* that finished this lambda */
    double objective;          /* mean over these folds */
    double nonzeros;           /* mean */
    double gap;                /* the largest certified relative gap of a vector */
    struct decoding *decoding; /* for two labels its measures keep 8 bytes an example */
    struct measure list[MEASURES_MAX];
    int measure_count;
    double fold_mean;            /* of the folds' own values of the chosen measure, */
    double fold_square;          /* and the sum of their squared deviations from it */
    double standard_error;       /* of their mean; not-a-number for one fold */
    struct decided decided;      /* what is known of the accuracy of the exact minimizers */
    struct null_comparison null; /* of the folds' models */
    struct outcome sigmoids;     /* verdict: the worst of the sigmoids that were cut off */
    int64_t turn;                /* the fold that is measured next */
};

struct cross_validation {
    int64_t folds;
    int64_t done;   /* folds that finished; fewer after a signal, or if no value was finished */
    double seconds; /* of training */
    double gap;     /* the largest certified relative gap of a vector */
    /* passes: the largest of a fold; iterations: the sum; verdict: the worst */
    struct outcome total;
    struct null_comparison null; /* of all folds' models */
    int64_t count;               /* points; 1 without --path */
    int64_t finished;            /* leading points that no fold's time limit cut off */
    int64_t turn;                /* the fold that ends next */
    struct cross_point *point;
    int chosen_measure; /* index in the lists of the measure by which lambda is chosen */
    /* The best finished point by that measure; among equal ones the largest lambda. -1: none, or the folds of a path
     * were interrupted. And the one that is chosen: the best, or the largest lambda within a standard error of it. */
    int64_t best, chosen;
};

/* The folds are trained at once, one on each thread (parallel_runs.h), and measured in their order, so that the result
 * does not depend on the number of threads. ALL: the training on the full data; VALUES: the lambdas; HELD_OUT: in place
 * of folds, NULL: none. A signal ends the validation with the folds that are done. If the time limit leaves values of a
 * path unfinished in one fold, the next folds do not train these values. 0, or -1 with the error set; the caller frees
 * *validation in either case. */
int cross_validate(const struct training *all, const struct path_values *values,
                   const struct dataset *held_out, struct monitor *monitor,
                   struct cross_validation *validation, struct error *e);

/* Appends the points of ONE, of another kernel, which is left empty, and chooses among all points; of equal ones the
 * first kernel's. The points of TOTAL are all finished. 0, or -1 with the error set. */
int cross_validation_join(struct cross_validation *total, struct cross_validation *one,
                          const struct training_request *request, struct error *e);

void cross_validation_free(struct cross_validation *validation);

#endif
