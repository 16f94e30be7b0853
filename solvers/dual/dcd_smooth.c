/* dcd_smooth.c - the smoothed point of conjugate gradients. */
#include "solvers/dual/dcd_smooth.h"

#include "math/vector.h"

#include <string.h>

void dcd_smooth_begin(struct dcd_smooth *s, const double *residual, int64_t count) {
    memset(s->change, 0, sizeof *s->change * (size_t)count);
    memcpy(s->residual, residual, sizeof *s->residual * (size_t)count);
}

enum { RANGES = 4 }; /* that threads share: their number does not depend on that of the threads */

/* r'Sr; with d = r - that of the smoothed point: -d'S(that), d'Sd */
struct sums {
    double square, slope, curvature;
};

static struct sums sum_range(const struct dcd_smooth *s, const double *scale,
                             const double *residual, int64_t from, int64_t to) {
    struct sums sums = {0, 0, 0};
    for (int64_t k = from; k < to; k++) {
        double d = residual[k] - s->residual[k];
        sums.square += scale[k] * residual[k] * residual[k];
        sums.slope -= scale[k] * d * s->residual[k];
        sums.curvature += scale[k] * d * d;
    }
    return sums;
}

double dcd_smooth_follow(struct dcd_smooth *s, const double *scale, const double *change,
                         const double *residual, int64_t count, bool threads,
                         struct communicator *communicator) {
    (void)threads; /* where there is no OpenMP */
    struct sums range[RANGES];
    double sums[] = {0, 0, 0};
#pragma omp parallel for schedule(static, 1) if (threads && count > DCD_SMALL)
    for (int r = 0; r < RANGES; r++)
        range[r] = sum_range(s, scale, residual, count * r / RANGES, count * (r + 1) / RANGES);
    for (int r = 0; r < RANGES; r++) {
        sums[0] += range[r].square;
        sums[1] += range[r].slope;
        sums[2] += range[r].curvature;
    }
    communicator_sum_few(communicator, sums, 3);
    double share = sums[2] > 0 ? clip(sums[1] / sums[2], 0, 1) : 0;
#pragma omp parallel for schedule(static) if (threads && count > DCD_SMALL)
    for (int64_t k = 0; k < count; k++) {
        s->change[k] += share * (change[k] - s->change[k]);
        s->residual[k] += share * (residual[k] - s->residual[k]);
    }
    return sums[0];
}
