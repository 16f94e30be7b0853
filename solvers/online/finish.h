/* finish.h - the end of a run that has no proof of being near the optimum, where another solver gives one at once.
 *
 * Steps from example to example take about as many passes as one over the variance to find a direction in which the
 * examples hardly differ. On small data ipm takes no longer than some passes, or with more features than examples
 * dcd; with an offset, which dcd does not take, lbfgs or proximal-bundle. So a run that has not proved the gap that
 * was asked for, or without one a gap of 3 %, goes on with it if that takes at most about twice the time of its
 * passes, or less than a tenth of a second. The better one of the two results stays. Its passes and iterations are
 * those of the run itself. With -e 0 none is finished.
 */
#ifndef RRM_FINISH_H
#define RRM_FINISH_H

#include "solvers/solver.h"

/* After certify_result, while what the run carries is still there: a limit or an interruption ends the other solver's
 * run, and the state is saved as it was before that. Without memory for it the result stays as it is. */
void finish_result(const struct solve *solve);

#endif
