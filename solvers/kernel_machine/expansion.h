/* expansion.h - scores f = K theta in doubles. */
#ifndef RRM_EXPANSION_H
#define RRM_EXPANSION_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

enum { EXPANSION_TERMS = 256 /* r's that are added at a time */ };

/* f_i = sum_r theta_r K(i, r) over all rows of the data; in parallel, with the same result for any number of
 * threads. 0, or -1 with the error set. Cost: rows times the nonzeros of theta kernel values. */
int expansion_scores(const struct kernel *kernel, const struct dataset *data, const double *theta,
                     double *f, struct error *e);

#endif
