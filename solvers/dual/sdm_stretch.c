/* sdm_stretch.c - weights of `sdm` a little longer than W.
 *
 * Near the optimum the margins of rows with a free beta_i are 1, some a little less, some a little more; each that
 * is less has a loss. Where beta_i is small beside C_i, as on data that are nearly separable, these losses are most
 * of J(W) - min J. Weights that are longer by as much as the margins differ do away with them, and ||W||^2 grows
 * little. */
#include "solvers/dual/sdm.h"

#include <math.h>
#include <string.h>

/* How much longer, in units of the mean slack at the look before. */
static const double slacks[SDM_STRETCHES] = {0.25, 0.5, 1, 2};

void sdm_stretch_begin(const struct sdm *s, struct sdm_stretches *stretches) {
    for (int a = 0; a < SDM_STRETCHES; a++)
        stretches->factor[a] = 1 + slacks[a] * s->slack / s->rows.terms->margin;
    memset(stretches->risk, 0, sizeof stretches->risk);
}

void sdm_stretch_row(const struct sdm *s, int64_t i, const double *u,
                     struct sdm_stretches *stretches) {
    int64_t label = sdm_class(&s->rows, i);
    double margin = s->rows.terms->margin, top[SDM_STRETCHES] = {0};
    for (int64_t k = 0; k < s->rows.classes; k++)
        for (int a = 0; a < SDM_STRETCHES && k != label; a++)
            top[a] = fmax(top[a], margin + stretches->factor[a] * (u[k] - margin - u[label]));
    for (int a = 0; a < SDM_STRETCHES; a++)
        stretches->risk[a] += s->rows.cost[i] * top[a];
}

void sdm_stretch_offer(struct sdm *s, const struct sdm_stretches *stretches, double half_square) {
    double least = s->batch.objective, factor = 0;
    for (int a = 0; a < SDM_STRETCHES; a++) {
        double square = half_square * stretches->factor[a] * stretches->factor[a];
        double objective = s->lambda * (square + stretches->risk[a]);
        factor = objective < least ? stretches->factor[a] : factor;
        least = fmin(objective, least);
    }
    if (factor == 0)
        return;
    sdm_weights_out(&s->rows, s->w, s->point);
    for (int64_t j = 0; j < s->batch.problem->risk->dimension; j++)
        s->point[j] *= factor;
    batch_offer(&s->batch, s->point, least);
}
