/* expansion.h - f = K theta in doubles, of the rows that theta has. */
#ifndef RRM_EXPANSION_H
#define RRM_EXPANSION_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

/* f_i = sum_r theta_r K(i, r), both of data->rows; in parallel, the same for any number of threads. 0, or
 * -1 with the error set. Cost: rows times the nonzeros of theta values of the kernel. */
int expansion_scores(const struct kernel *kernel, const struct dataset *data, const double *theta,
                     double *f, struct error *e);

#endif
