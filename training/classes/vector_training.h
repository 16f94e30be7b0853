/* vector_training.h - trains one weight vector. */
#ifndef RRM_VECTOR_TRAINING_H
#define RRM_VECTOR_TRAINING_H

#include "training/classes/training.h"
#include "training/classes/vector_run.h"

/* The risk of vector K with these targets (classes_targets), which must outlive it; NULL with the error set. And the
 * problem of minimizing it with the regularizer. */
struct risk *vector_risk(const struct training *training, int64_t k, const double *target,
                         struct error *e);
struct problem vector_problem(const struct training *training, const struct risk *risk);

/* Trains vector K from W (the risk's dimension), where the result will be, and compares it with all weights 0: its
 * outcome in *vector. 0, or -1 with the error set; a limit or a signal is none. */
int vector_train(const struct training *training, int64_t k, const double *target,
                 struct monitor *monitor, double *w, struct vector_run *vector, struct error *e);

/* The same of a risk that is there already. */
int vector_train_risk(const struct training *training, int64_t k, const struct risk *risk,
                      struct monitor *monitor, double *w, struct vector_run *vector,
                      struct error *e);

#endif
