/* cosine.h - cos of many numbers, by vectors. */
#ifndef RRM_COSINE_H
#define RRM_COSINE_H

#include <stdint.h>

/* x[k] = cos(x[k]), within 1.25 2^-52; by vectors for |x| <= 1e5, else by the C library. Not-a-number of
 * infinities. A result does not depend on the numbers beside it. */
void cosines(double *x, int64_t n);

#endif
