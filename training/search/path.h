/* path.h - trains at a sequence of decreasing lambdas (--path); each training starts from the model of the previous
 * lambda. A run without --path is a path of one lambda. */
#ifndef RRM_PATH_H
#define RRM_PATH_H

#include "training/search/path_steps.h"

/* COUNT >= 2 values from LARGEST down to SMALLEST, both exact, equally spaced in log. */
void path_grid(double largest, double smallest, int64_t count, double *lambda);

/* The values that the request asks for, by default from LAMBDA_MAX down to LAMBDA; only LAMBDA if it is not smaller or
 * without --path. The caller frees them in either case. */
int path_values_make(const struct training_request *request, double lambda, double lambda_max,
                     struct path_values *values, struct error *e);

void path_values_free(struct path_values *values);

/* Trains the models at VALUES; *model, at first empty, receives the last one. VISITOR may be NULL. TRAINING is used
 * for every value: its lambda is ignored, its start is for the first value, its title and stream are continued. A
 * value may use all the remaining time of the path; at its end the path ends. The caller frees *model and *path in
 * either case. A signal is not an error. */
int path_train(const struct training *training, struct path_values *values,
               const struct path_visitor *visitor, struct monitor *monitor, struct model *model,
               struct path *path, struct error *e);

/* Whether the time limit ended a path of several values before the last one was done. */
bool path_out_of_time(const struct path *path);

/* The run of the model. */
const struct run *path_last(const struct path *path);

void path_free(struct path *path);

#endif
