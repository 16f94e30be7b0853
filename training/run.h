/* run.h - training the weight vectors of one model, one after another; those of a joint task together. */
#ifndef RRM_RUN_H
#define RRM_RUN_H

#include "io/model/model.h"
#include "solvers/solver.h"
#include "training/classes.h"
#include "training/null_model.h"

struct training {
    const struct training_request *request;
    const struct dataset
        *data; /* weights in place; as a feature map gives them, where there is one */
    const struct kernel_part *kernel; /* for a solver that expands; otherwise not looked at */
    const struct classes *classes;
    double lambda;
    const struct model *start; /* NULL: from 0 */
    const char *title;         /* "fold 2", or NULL */
    uint64_t stream;           /* of the first vector's random numbers; the next has the next */
    int64_t runs_after;        /* vectors still to train after these; they share the time limit */
    double deadline;           /* seconds of training in place of the time limit; 0: none */

    /* A vector's lambda_max (lambda_max.h), of these data: from there on the null point is its solution,
     * and no solver runs. NULL: the solver finds out. */
    const double *lambda_max;
};

struct vector_run {
    bool trained; /* false: a signal or the time limit left it all 0, or as at the start */
    double seconds;
    int64_t nonzeros;
    struct outcome outcome;
};

/* A model's training: its vectors, and what they come to together. */
struct run {
    int64_t vectors;
    struct vector_run *vector;
    int64_t trained;
    bool warm; /* vectors that are not trained are as the start had them, not 0 */
    double seconds;
    int64_t nonzeros;
    double gap;           /* the largest certified relative gap of a vector */
    struct outcome total; /* J, bound, iterations: sums; passes: the largest; verdict: the worst */
    struct null_comparison null;
};

/* The model that a run begins with: everything that is known before training; the weights are 0. 0, or
 * -1 with the error set; to be freed in either case. */
int run_model(const struct training *training, struct model *model, struct error *e);

/* How many weights are not 0; a -0, which the model file may leave out, becomes 0. */
int64_t run_nonzeros(double *w, int64_t n);

/* What a run came to, into its model. */
void run_finish(const struct outcome *total, struct model *model);

/* The risk of the vector with these targets, which outlive it; NULL with the error set. And what is to be
 * minimized of it. */
struct risk *run_risk(const struct training *training, const double *target, struct error *e);
struct problem run_problem(const struct training *training, const struct risk *risk);

/* Seconds of training at which RUNS of ALL end, where all of them share the time that is left. */
double run_share(const struct training *training, int64_t runs, int64_t all,
                 const struct monitor *monitor);

/* The worst verdict of several, with what caused it, and the first note. */
void run_keep_worst(struct outcome *total, const struct outcome *one);

/* The certified relative gap (J - bound)/J; infinite without a bound, not-a-number for J = 0. */
double run_gap(const struct outcome *outcome);

/* Trains into *model, an empty one, which the caller frees, as *run (run_free), in either case. A
 * signal is not an error: what was reached is in the model. */
int run_train(const struct training *training, struct monitor *monitor, struct model *model,
              struct run *run, struct error *e);

void run_free(struct run *run);

#endif
