/* multiple.h - the multiple of a point that has the least objective, for l2 without an offset.
 *
 * Where lambda is small and the examples can nearly be fitted, weights whose bound is good within v may leave losses of
 * v, which are most of J. With the factor 1 + v they have a gap of about v. */
#ifndef RRM_MULTIPLE_H
#define RRM_MULTIPLE_H

#include "risk/risk.h"

/* The factor, of 1/2 to 2, of weights with the scores h (ROWS) and the squared norm SQUARE, whose J is *objective; 1
 * unless J becomes less, and *objective with it. The rows' losses are evaluated about 40 times. */
double multiple_best(const struct scalar_terms *terms, int64_t rows, double lambda, const double *h,
                     double square, double *objective);

#endif
