/* path_steps.h - what the paths of given values and the certified ones share. */
#ifndef RRM_PATH_STEPS_H
#define RRM_PATH_STEPS_H

#include "training/run/run.h"

struct path_values {
    int64_t count;
    double *lambda; /* descending */

    /* Of a certified path, whose values path_train chooses: at most `count`, from `from` down to `to`. Afterwards
     * `count` is their number, `to` the lambda down to which all are within the gap, and `solves` the number of models
     * that took a run of the solver. */
    bool certified;
    double from, to;
    int64_t solves;
    /* `count` models were too few, or too near to each other: `to` was not reached */
    bool ends_early;
};

/* The results of a path. */
struct path {
    const struct path_values *values;
    int64_t reached; /* values that were trained; fewer after a signal or the time limit */
    int64_t done;    /* values that were finished: not cut off by a signal or the time limit */
    struct run *run; /* of each; only the last has its vectors */
    /* passes, iterations: sums; verdict: the worst; J and bound: of the last */
    struct outcome total;
    double seconds;
    double gap; /* the largest */
};

/* Called with each model; -1 with the error set ends the path. */
struct path_visitor {
    int (*visit)(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e);
    void *context;
};

/* Whether a signal or the time limit ended the run. */
bool path_cut_off(const struct run *run);

/* Trains *model, an empty one, as *run, at LAMBDA, from START unless that is empty; NUMBER models were trained before
 * it. The caller frees both in either case. */
int path_train_model(const struct training *training, double lambda, int64_t number,
                     const struct model *start, struct monitor *monitor, struct model *model,
                     struct run *run, struct error *e);

/* Whether another model may be trained: the first one in any case, others while there is time. */
bool path_goes_on(const struct training *training, struct monitor *monitor, struct path *path);

/* Counts and shows the model of the next value, whose run is in its place. */
int path_finish_model(const struct path_visitor *visitor, const struct model *model,
                      struct path *path, struct error *e);

#endif
