/* spectrum.h - the largest eigenvalue of X' diag(q) X over the regularized columns,
 *
 *     q_i = c_i each_i / sum c,
 *
 * which bounds the curvature of a smooth risk, and by 1/lambda that of a dual objective: what an
 * accelerated method without a search for its constant needs, from above.
 *
 *     v <- X'QX v / ||.||           from below: <v, X'QX v> at ||v|| = 1, the Rayleigh quotient
 *     v <- |X|'Q|X| v, v > 0        from above: max_j (|X|'Q|X| v)_j / v_j (Collatz), which is at least
 *                                   the spectral radius of |X|'Q|X|, which is at least that of X'QX;
 *                                   and the trace
 *
 * For data without negative values both are one iteration. The start does not depend on chance; the same
 * result for any number of threads. Reference: Horn & Johnson 1985, theorems 8.1.18 and 8.1.26. */
#ifndef RRM_SPECTRUM_H
#define RRM_SPECTRUM_H

#include "risk/risk.h"

struct spectrum {
    double largest; /* a Rayleigh quotient: at most the eigenvalue */
    double bound;  /* at least the eigenvalue, whatever the iteration did; infinite: out of range */
    double passes; /* over the data that it took */
};

/* The diagonal of X' diag(q) X, the columns' weighted mean squares (columns numbers), with `room` for a
 * number a row. Half a pass. */
void spectrum_diagonal(const struct scalar_parts *parts, const double *each, double *room,
                       double *diagonal);

/* At most so many iterations of either kind, fewer where nothing changes any more. `each`: rows, >= 0;
 * NULL: all are 1. In `top` (rows; NULL: not wanted) X v of the last v, with length 1. 0, or -1 with the
 * error set. */
int spectrum_find(const struct scalar_parts *parts, const double *each, int iterations, double *top,
                  struct spectrum *out, struct error *e);

#endif
