/* spectrum.h - the largest eigenvalue of X' diag(q) X over the regularized columns,
 *
 *     q_i = c_i each_i / sum c,
 *
 * which bounds the curvature of a smooth risk and, divided by lambda, that of a dual objective. An accelerated
 * method with a fixed L needs it as an upper bound.
 *
 *     v <- X'QX v / ||.||           lower bound: the Rayleigh quotient <v, X'QX v> at ||v|| = 1
 *     v <- |X|'Q|X| v, v > 0        upper bound: max_j (|X|'Q|X| v)_j / v_j (Collatz), at least the spectral
 *                                   radius of |X|'Q|X|, which is at least that of X'QX; and the trace
 *
 * Without negative values in the data both are one iteration. The start does not depend on the seed, and the
 * result not on the number of threads. Reference: Horn & Johnson 1985, theorems 8.1.18 and 8.1.26. */
#ifndef RRM_SPECTRUM_H
#define RRM_SPECTRUM_H

#include "risk/risk.h"

struct spectrum {
    double largest; /* a Rayleigh quotient: a lower bound of the eigenvalue */
    /* an upper bound of the eigenvalue, proven after any iteration; infinite: out of range */
    double bound;
    double passes; /* over the data that it took */
};

/* The diagonal of X' diag(q) X, the weighted mean squares of the columns (columns numbers); `work` takes `rows`
 * numbers. Half a pass. */
void spectrum_diagonal(const struct scalar_terms *terms, const double *each, double *work,
                       double *diagonal);

/* At most so many iterations of either kind; fewer if the bounds no longer change. `each`: rows, >= 0; NULL:
 * all are 1. top (rows; NULL: not needed) = X v of the last v, scaled to length 1. 0, or -1 with the error
 * set. */
int spectrum_find(const struct scalar_terms *terms, const double *each, int iterations, double *top,
                  struct spectrum *out, struct error *e);

#endif
