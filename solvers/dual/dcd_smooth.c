/* dcd_smooth.c - the smoothed point of conjugate gradients. */
#include "solvers/dual/dcd_smooth.h"

#include "math/vector.h"

#include <string.h>

void dcd_smooth_begin(struct dcd_smooth *s, const double *residual, int64_t count) {
    memset(s->change, 0, sizeof *s->change * (size_t)count);
    memcpy(s->residual, residual, sizeof *s->residual * (size_t)count);
}

double dcd_smooth_follow(struct dcd_smooth *s, const double *scale, const double *change,
                         const double *residual, int64_t count, struct communicator *communicator) {
    double sums[] = {0, 0, 0}; /* r'Sr; with d = r - that of the smoothed point: -d'S(that), d'Sd */
    for (int64_t k = 0; k < count; k++) {
        double d = residual[k] - s->residual[k];
        sums[0] += scale[k] * residual[k] * residual[k];
        sums[1] -= scale[k] * d * s->residual[k];
        sums[2] += scale[k] * d * d;
    }
    communicator_sum_few(communicator, sums, 3);
    double share = sums[2] > 0 ? clip(sums[1] / sums[2], 0, 1) : 0;
    for (int64_t k = 0; k < count; k++) {
        s->change[k] += share * (change[k] - s->change[k]);
        s->residual[k] += share * (residual[k] - s->residual[k]);
    }
    return sums[0];
}
