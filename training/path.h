/* path.h - training at one lambda after another, from the largest down, each from the model of the one
 * before (--path). A run without --path is a path of one lambda. */
#ifndef RRM_PATH_H
#define RRM_PATH_H

#include "training/run.h"

struct path_values {
    int64_t count;
    double *lambda; /* descending */
};

/* The COUNT >= 2 values from LARGEST down to LEAST, both exactly, equally spaced in log. */
void path_grid(double largest, double least, int64_t count, double *lambda);

/* The values that the request asks for, down to LAMBDA, from LAMBDA_MAX; LAMBDA alone where it is no
 * smaller or there is no --path. The caller frees in either case. */
int path_values_make(const struct training_request *request, double lambda, double lambda_max,
                     struct path_values *values, struct error *e);

void path_values_free(struct path_values *values);

/* What a path came to. */
struct path {
    const struct path_values *values;
    int64_t reached; /* values trained, from the first; fewer after a signal or the time limit */
    int64_t done;    /* of these, without the one that a signal or the time limit cut off */
    struct run *run; /* of each; only the last has its vectors */
    struct outcome
        total; /* passes, iterations: sums; verdict: the worst; J and bound: of the last */
    double seconds;
    double gap; /* the largest */
};

/* Is told of each model; -1 with the error set ends the path. */
struct path_visitor {
    int (*visit)(void *context, int64_t i, const struct model *model, const struct run *run,
                 struct error *e);
    void *context;
};

/* Trains the models at VALUES, of which the last that was reached is left in *model, an empty one. The
 * visitor may be NULL. `training` is that of every one: its lambda is not looked at, its start is for the
 * first, its title and stream are continued. Each value may use all the time that is left to the path: when
 * it is up, the path ends. The caller frees *model and *path in either case. A signal is not an error. */
int path_train(const struct training *training, const struct path_values *values,
               const struct path_visitor *visitor, struct monitor *monitor, struct model *model,
               struct path *path, struct error *e);

/* Whether the time limit came before the last of several values was done. */
bool path_out_of_time(const struct path *path);

/* The run of the model. */
const struct run *path_last(const struct path *path);

void path_free(struct path *path);

#endif
