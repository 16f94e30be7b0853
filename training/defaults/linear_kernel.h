/* linear_kernel.h - kernel machines whose kernel is linear.
 *
 * With k(s, x) = <s, x>, and no basis function but the constant, sum_i theta_i k(x_i, x) + beta is a linear model with
 * w = sum_i theta_i x_i and an offset that is not regularized. A linear solver finds it sooner, and for any C.
 * Where a margin is learned (--nu) there is no linear solver. A path of lambda (--path) is one of the kernel machine:
 * linear solvers have it for penalties with a 1-norm alone. */
#ifndef RRM_LINEAR_KERNEL_H
#define RRM_LINEAR_KERNEL_H

#include "training/request/request.h"

/* Whether a linear model answers the request; false too if its basis functions are in error. */
bool linear_kernel_answers(const struct training_request *request);

/* 0, or a usage error: an option of the kernel machine's solver, which a linear solver would ignore; or --expand
 * without a linear kernel. */
int linear_kernel_check(const struct training_request *request, struct error *e);

/* If the request is for such a kernel machine, and not for its support vectors (--expand) or a path, changes it to one
 * for the linear model: with the offset if the constant is a basis function, and with the linear solver of -s, or
 * without a solver. 0, or -1 with the error set. */
int linear_kernel_replace(struct training_request *request, struct error *e);

#endif
