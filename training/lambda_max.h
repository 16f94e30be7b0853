/* lambda_max.h - the least lambda from which on all weights are 0, for a regularizer with a 1-norm. */
#ifndef RRM_LAMBDA_MAX_H
#define RRM_LAMBDA_MAX_H

#include "training/run.h"

/* Whether the regularizer has a 1-norm, so that there is such a lambda. */
bool lambda_max_exists(const struct training_request *request);

/* Whether it can also be told: where the offset's best value may lie at a kink of the loss it takes more
 * than a gradient. */
bool lambda_max_known(const struct training_request *request);

/* That of each weight vector into EACH; infinite where it is not known. A pass over the data a vector. */
int lambda_max_find(const struct training *training, double *each, struct error *e);

/* The largest of COUNT. */
double lambda_max_largest(const double *each, int64_t count);

#endif
