/* lambda_max.h - the least lambda from which on all weights are 0, for a regularizer with a 1-norm. */
#ifndef RRM_LAMBDA_MAX_H
#define RRM_LAMBDA_MAX_H

#include "training/run/run.h"

/* Whether the regularizer has a 1-norm, so that there is such a lambda. */
bool lambda_max_exists(const struct training_request *request);

/* Whether that lambda can also be computed: where the offset's best value may lie at a kink of the loss it takes more
 * than a gradient. */
bool lambda_max_known(const struct training_request *request);

/* The least such lambda of each weight vector into EACH; infinite where it is not known. Takes a pass over the data for
 * each vector. 0, or -1 with the error set. */
int lambda_max_find(const struct training *training, double *each, struct error *e);

/* The largest of COUNT. */
double lambda_max_largest(const double *each, int64_t count);

/* Where the path of a kernel machine begins: the largest K(x, x). From there on no score of a loss of slope 1 exceeds
 * 1, and about all dual variables are at their bounds. */
double lambda_max_of_kernel(const struct kernel *kernel, const struct dataset *data);

/* Where the path of another regularizer begins: the largest ||x||^2, the same of the linear kernel. */
double lambda_max_of_rows(const struct dataset *data);

#endif
