/* example_weights.h - what each example counts: its "cost:" x its line of --weights x its class's
 * -w. */
#ifndef RRM_EXAMPLE_WEIGHTS_H
#define RRM_EXAMPLE_WEIGHTS_H

#include "io/dataset.h"
#include "training/request/request.h"

/* Multiplies data->weight by FACTOR, one a row. 0, or -1 with the error set. */
int example_weights_multiply(struct dataset *data, const double *factor, struct error *e);

/* Multiplies data->weight by the weights of the classes; NULL where all are 1. Weights below 1e-100 become 0. 0, or -1
 * with the error set, also where one is above 1e100. */
int example_weights_classes(const struct training_request *request, struct dataset *data,
                            struct error *e);

/* The same; an error, too, when the sum is not a positive number. */
int example_weights_apply(const struct training_request *request, struct dataset *data,
                          struct error *e);

/* -l, or 1/(C m) for -c C, m the number of examples (of risks of groups: of queries or sequences), each
 * counted with its weight; 1 where the regularizer is a constraint. An error when that is below LAMBDA_LEAST or
 * infinite. */
int example_weights_lambda(const struct training_request *request, const struct dataset *data,
                           double *lambda, struct error *e);

/* Sets OCCURS[k] if a row has the k-th label of -w; the others stay as they are. */
void example_weights_mark(const struct training_request *request, const struct dataset *data,
                          bool *occurs);

/* The first label of -w that no example has, or NULL. */
const struct class_weight *example_weights_unused(const struct training_request *request,
                                                  const struct dataset *data);

/* The number of examples, each counted with its weight. */
double example_weights_sum(const struct dataset *data);

#endif
