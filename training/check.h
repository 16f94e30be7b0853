/* check.h - names and combinations of settings that training does not know or cannot do. */
#ifndef RRM_CHECK_H
#define RRM_CHECK_H

#include "training/request.h"
#include "training/solver_fit.h"

/* Finds loss, regularizer, and the solver if one was named; an unknown name suggests the nearest. */
int request_find_names(struct training_request *request, struct error *e);

/* What the command line asks of a solver. */
struct solver_needs request_needs(const struct training_request *request);

/* 0, or a usage error that names what would work. Run once the names are known, and again once the
 * default solver is. */
int request_check(const struct training_request *request, struct error *e);

#endif
