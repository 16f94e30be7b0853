/* ground.c - prox-functions: inner products, norms, divergences. */
#include "solvers/accelerated/ground.h"

#include "math/long_vector.h"

#include <float.h>
#include <math.h>

static const int64_t worth_threads = 4096; /* logarithms */

double ground_dot(const struct ground *ground, const double *s, const double *x) {
    return long_dot(ground->metric, s, x, ground->dimension);
}

double ground_slope(const struct ground *ground, const double *s, const double *x,
                    const double *y) {
    return long_slope(ground->metric, s, x, y, ground->dimension);
}

double ground_square(const struct ground *ground, const double *x, const double *y) {
    if (ground->prox == PROX_EUCLIDEAN)
        return long_square(ground->metric, x, y, ground->dimension);
    double size = long_size(x, y, ground->dimension);
    return size * size;
}

void ground_add_mirror(const struct ground *ground, double c, const double *x, double *s) {
    int64_t n = ground->dimension;
    if (ground->prox == PROX_EUCLIDEAN)
        long_combine(s, c, x, 1, s, n);
    else
#pragma omp parallel for schedule(static) if (n > worth_threads)
        for (int64_t j = 0; j < n; j++)
            s[j] += c * log(fmax(x[j], DBL_MIN));
}
