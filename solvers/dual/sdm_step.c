/* sdm_step.c - the step of `sdm` from the dual variables of one row: its length, and the projection behind it. */
#include "math/projections/simplex.h"
#include "solvers/dual/sdm.h"

#include <math.h>

static const double largest_step = 1e200; /* of examples that are 0, or nearly */

double sdm_step(const struct sdm_rows *rows, int64_t i) {
    return rows->square[i] > 1 / largest_step ? 1 / rows->square[i] : largest_step;
}

double sdm_multiplier(double *v, int64_t n, double total, double *work) {
    double top = v[0];
    int64_t near = 0;
    for (int64_t k = 1; k < n; k++)
        top = v[k] > top ? v[k] : top;
    for (int64_t k = 0; k < n; k++) {
        v[k] -= top;
        if (v[k] >= -total)
            work[near++] = v[k];
    }
    return near > 0 ? simplex_multiplier(work, near, total) : 0;
}

/* The L of v_own - L + sum over the others of max(v - L, 0) = 0: Newton steps on a concave function, from its left. */
static double multiplier_from_own(const double *v, int64_t n, int64_t own) {
    double level = v[own];
    int64_t above = n, before;
    do {
        double sum = v[own];
        before = above;
        above = 0;
        for (int64_t k = 0; k < n; k++)
            if (k != own && v[k] > level) {
                sum += v[k];
                above++;
            }
        level = sum / (double)(1 + above);
    } while (above < before);
    return level;
}

void sdm_project(double *v, int64_t n, int64_t own, double total, double *work) {
    double level = multiplier_from_own(v, n, own), others = 0;
    bool own_is_zero = v[own] - level <= -total;
    if (own_is_zero) {
        v[own] = -INFINITY;
        level = sdm_multiplier(v, n, total, work);
    }
    for (int64_t k = 0; k < n; k++) {
        v[k] = fmax(v[k] - level, 0);
        others += k == own ? 0 : v[k];
    }
    v[own] = -(own_is_zero ? total : fmin(others, total));
}
