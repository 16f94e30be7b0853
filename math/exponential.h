/* exponential.h - exp of many numbers, by vectors. */
#ifndef RRM_EXPONENTIAL_H
#define RRM_EXPONENTIAL_H

#include <stdint.h>

/* x[k] = exp(x[k]), within 1.5 units in the last place; infinity above 709.8, exactly 0 below -745.2,
 * not-a-number of itself. A result does not depend on the numbers beside it. */
void exponentials(double *x, int64_t n);

#endif
