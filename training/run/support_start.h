/* support_start.h - a model of support vectors as a start for training a kernel machine. */
#ifndef RRM_SUPPORT_START_H
#define RRM_SUPPORT_START_H

#include "io/model/model.h"
#include "solvers/solver.h"

/* *rows = START with a coefficient for each row of DATA, as a solver of kernel expansions has them: that of the support
 * vector that is equal to the row as the kernel sees it, times lambda of the start over LAMBDA (the bounds of the dual
 * variables grow like 1/lambda); else 0. Of equal rows each support vector takes another. The basis functions keep
 * their coefficients if they are the same. The labels stay START's; the caller frees rows->w alone. 0, or -1 with the
 * error set. */
int support_start(const struct model *start, const struct kernel_part *kernel,
                  const struct dataset *data, double lambda, struct model *rows, struct error *e);

#endif
