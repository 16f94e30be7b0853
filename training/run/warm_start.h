/* warm_start.h - the weights of an earlier model as a start (-i). */
#ifndef RRM_WARM_START_H
#define RRM_WARM_START_H

#include "io/model/model.h"
#include "training/classes/classes.h"

/* 0, or -1 with an error that names the model file: labels, bias, intercept and the first index
 * have to agree; features need not. */
int warm_start_check(const struct training_request *request, const struct classes *classes,
                     const struct model *start, struct error *e);

/* The start of a vector over `features` features + bias + intercept, written over w: features that
 * the earlier model lacks begin at 0, those that the data lacks are dropped. */
void warm_start_vector(const struct model *start, const struct classes *classes, int64_t vector,
                       int64_t features, double *w);

#endif
