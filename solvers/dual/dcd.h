/* dcd.h - the run of the solver dcd, for solvers that leave wide data to it. */
#ifndef RRM_DCD_H
#define RRM_DCD_H

#include "solvers/solver.h"

/* Whether the problem is one that dcd_train takes: l2, single scores, a loss with a box or a curvature, all rows in
 * memory, not both a constant feature and an offset. */
bool dcd_takes(const struct problem *problem);

/* Trains as struct solver says, to the criterion of the monitor, which is the certified gap. 0, or -1 with the error
 * set. */
int dcd_train(const struct solve *solve, struct error *e);

/* The member `keeps` of the solver and of those that leave problems to it. */
extern const struct kept_kind *const dcd_keeps[];

#endif
