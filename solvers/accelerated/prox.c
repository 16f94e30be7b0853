/* prox.c - prox-functions: inner products, norms, divergences. */
#include "solvers/accelerated/prox.h"

#include "math/long_vector.h"

#include <float.h>
#include <math.h>

static const int64_t worth_threads = 4096; /* logarithms from which on threads pay */

double prox_dot(const struct prox *prox, const double *s, const double *x) {
    return long_dot(prox->metric, s, x, prox->dimension);
}

double prox_slope(const struct prox *prox, const double *s, const double *x, const double *y) {
    return long_slope(prox->metric, s, x, y, prox->dimension);
}

double prox_square(const struct prox *prox, const double *x, const double *y) {
    if (prox->function == PROX_EUCLIDEAN)
        return long_square(prox->metric, x, y, prox->dimension);
    double size = long_size(x, y, prox->dimension);
    return size * size;
}

void prox_add_mirror(const struct prox *prox, double c, const double *x, double *s) {
    int64_t n = prox->dimension;
    if (prox->function == PROX_EUCLIDEAN)
        long_combine(s, c, x, 1, s, n);
    else
#pragma omp parallel for schedule(static) if (n > worth_threads)
        for (int64_t j = 0; j < n; j++)
            s[j] += c * log(fmax(x[j], DBL_MIN));
}
