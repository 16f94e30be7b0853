/* run.h - trains the weight vectors of one model: one after another, or jointly. */
#ifndef RRM_RUN_H
#define RRM_RUN_H

#include "training/classes/training.h"
#include "training/classes/vector_run.h"

/* The training of a model: its vectors and their joint outcome. */
struct run {
    int64_t vectors;
    struct vector_run *vector;
    int64_t trained;        /* vectors */
    int64_t labels;         /* of the model */
    int64_t labels_trained; /* those whose vectors are all trained */
    bool warm;              /* vectors that are not trained keep the start's weights instead of 0 */
    bool mixed; /* no vector took a run of the solver: all are mixtures of two that are known */
    int tried;  /* the trial that was enough for each vector, from 1; 0: none was */
    double seconds;
    int64_t nonzeros;
    double gap;           /* the largest certified relative gap of a vector */
    struct outcome total; /* J, bound, iterations: sums; passes: the largest; verdict: the worst */
    struct null_comparison null;
};

/* Makes the model before training: all fields that are known, weights 0. 0, or -1 with the error set; the caller
 * frees it in either case. */
int run_model(const struct training *training, struct model *model, struct error *e);

/* The number of weights other than 0. Changes every -0 to 0. */
int64_t run_nonzeros(double *w, int64_t n);

/* Writes the outcome of a run into its model. */
void run_finish(const struct outcome *total, struct model *model);

/* The time, in seconds of training, at which RUNS of ALL must end if all of them share the remaining time. */
double run_share(const struct training *training, int64_t runs, int64_t all,
                 const struct monitor *monitor);

/* Merges outcomes: the worst verdict with its cause, and the first note. */
void run_keep_worst(struct outcome *total, const struct outcome *one);

/* Trains into *model, an empty one, which the caller frees, as *run (run_free), in either case. A
 * signal is not an error: what was reached is in the model. */
int run_train(const struct training *training, struct monitor *monitor, struct model *model,
              struct run *run, struct error *e);

void run_free(struct run *run);

#endif
