/* choice.h - what holds where a request says nothing: limits, tolerance, and the solver, which waits for the
 * data. */
#ifndef RRM_CHOICE_H
#define RRM_CHOICE_H

#include "io/dataset.h"
#include "training/request/request.h"

struct default_rule;

/* Fills in what holds where nothing was given, and checks what goes together (check.h). Once the names are
 * found. 0, or a usage error. */
int request_complete(struct training_request *request, struct error *e);

/* Chooses the solver for these data if none was named (-s), or if a linear model replaces a kernel machine
 * (linear_kernel.h), with what it takes as epsilon and passes when they were not given; OUTPUTS vectors are trained
 * together. Otherwise it does nothing. A usage error when the options do not suit the choice. */
int request_choose(struct training_request *request, const struct dataset *data, int64_t outputs,
                   double lambda, struct error *e);

/* The rule that chooses it; NULL: none of them. */
const struct default_rule *request_default_rule(const struct training_request *request,
                                                const struct dataset *data, int64_t outputs,
                                                double lambda);

enum { WINDOW_WORDS = 64 };

/* "all examples in memory, 300 MB": what data with a window lack. */
void request_describe_window(const struct dataset *data, char text[WINDOW_WORDS]);

/* The solver that these data would get without -s and -k; NULL when there is none. */
const struct solver *request_default_solver(const struct training_request *request,
                                            const struct dataset *data, int64_t outputs,
                                            double lambda);

#endif
