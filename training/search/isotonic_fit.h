/* isotonic_fit.h - isotonic regression: probabilities of two classes from scores. */
#ifndef RRM_ISOTONIC_FIT_H
#define RRM_ISOTONIC_FIT_H

#include "io/model/isotonic.h"

/* The nondecreasing function with the least sum of squared distances from 1 at the positive scores (TARGET above 0)
 * and from 0 at the others, COUNT >= 1 numbers each; only the knots at which it bends. By pooling adjacent violators
 * (Barlow, Bartholomew, Bremner & Brunk 1972), where equal scores are one point; for probabilities Zadrozny & Elkan
 * 2002. 0, or -1 with the error set; the caller frees in either case. Cost: to sort. */
int isotonic_fit(const double *score, const double *target, int64_t count,
                 struct isotonic *isotonic, struct error *e);

#endif
