/* finish.h - the end of a run that has no proof of being near the optimum, where another solver gives one at once.
 *
 * Steps from example to example take about as many passes as one over the variance to find a direction in which the
 * examples hardly differ. On small data ipm takes no longer than some passes. Where it would, and the examples are few
 * or the data so small that a hundred passes are affordable, it is dcd, and for what dcd does not take, such as an
 * offset or the logistic loss, lbfgs or proximal-bundle. So a run that has not proved the gap that was asked for, or
 * without one a gap of half a per cent, goes on with it if that takes at most about twice the time of its passes, or
 * some tenths of a second. The better one of the two results stays. Its passes and iterations are those of the run
 * itself. With -e 0 none is finished.
 */
#ifndef RRM_FINISH_H
#define RRM_FINISH_H

#include "solvers/solver.h"

/* After certify_result, while what the run carries is still there: a limit or an interruption ends the other solver's
 * run, and the state is saved as it was before that. Without memory for it the result stays as it is. */
void finish_result(const struct solve *solve);

#endif
