/* check.h - checks the names and combinations of settings. */
#ifndef RRM_CHECK_H
#define RRM_CHECK_H

#include "training/defaults/solver_fit.h"
#include "training/request/request.h"

/* Finds loss, regularizer, and the solver if one was named; an unknown name suggests the nearest. */
int request_find_names(struct training_request *request, struct error *e);

/* The request in the form that solvers check. */
struct solver_needs request_needs(const struct training_request *request);

/* 0, or a usage error that names a remedy. Called when the names are known, and again when the default solver is
 * chosen. */
int request_check(const struct training_request *request, struct error *e);

#endif
