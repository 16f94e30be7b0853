/* sdm_step.c - the step of `sdm` from the dual variables of one row: its length, and the projection behind it. */
#include "math/projections/simplex.h"
#include "solvers/dual/sdm.h"

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
