/* dcd_smooth.h - the smoothed point of conjugate gradients.
 *
 * Conjugate gradients lower F fast, but not the residual r, which may even rise: then the bound is good and J at the
 * same w is not. Smoothing keeps a second point behind them: after each step the one on the line from itself to theirs
 * that has the least r'Sr, with S the metric of the method. Without cuts this is the least r'Sr of all points that the
 * directions so far span. It costs a few sums over the free rows, and no product with the data. Its dual variables lie
 * between points within the box, so they are within it, too.
 *
 * Reference: Zhou & Walker 1994, SIAM J. Sci. Comput. 15, "Residual smoothing techniques for iterative methods", (2.2)
 * and (2.3); Weiss 1994. */
#ifndef RRM_DCD_SMOOTH_H
#define RRM_DCD_SMOOTH_H

#include "io/communicator.h"

enum {
    DCD_SMALL = 1000
}; /* numbers of a vector that one thread has done before a second one has begun */

struct dcd_smooth {
    double *change, *residual; /* free rows: of the smoothed point */
};

/* Begins at the point of COUNT free rows with no change and this residual. */
void dcd_smooth_begin(struct dcd_smooth *smooth, const double *residual, int64_t count);

/* After a step to this change and residual: moves towards it. Returns r'Sr there, of all processes (COMMUNICATOR NULL:
 * there is one). scale: the diagonal of S. THREADS: several may share the work. */
double dcd_smooth_follow(struct dcd_smooth *smooth, const double *scale, const double *change,
                         const double *residual, int64_t count, bool threads,
                         struct communicator *communicator);

#endif
