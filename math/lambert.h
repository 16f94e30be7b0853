/* lambert.h - Lambert's function of large arguments, by their logarithm. */
#ifndef RRM_LAMBERT_H
#define RRM_LAMBERT_H

#include "math/rounding.h"

#include <math.h>

/* W(exp(z)): the x > 0 with x + log(x) = z, rounded up by some units in the last place. x + log(x) is concave, so that
 * Newton's steps stay below the root after the first one, and rise. */
static inline double lambert_of_exp(double z) {
    double x = z > 1 ? z : exp(z);
    for (int k = 0; k < 50 && x > 0; k++) {
        double next = x * (1 + z - log(x)) / (1 + x);
        if (fabs(next - x) <= rounding_of_terms * x)
            break;
        x = next;
    }
    return x * (1 + rounding_of_sums);
}

#endif
