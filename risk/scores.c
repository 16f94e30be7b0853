/* scores.c - a scalar risk as a function of the scores. */
#include "risk/scores.h"

#include "risk/clipped.h"

#include <math.h>
#include <stdbool.h>

void scores_domains(const struct scalar_terms *terms, double *low, double *high) {
    for (int64_t i = 0; i < terms->design->rows; i++)
        terms->loss->domain(scalar_target(terms, i), &terms->parameters, &low[i], &high[i]);
}

/* Whether clipped.h applies: the domains are given, and the loss is smooth or smoothed. */
static bool is_clipped(const struct scalar_terms *terms, const struct smoothing *by) {
    return by->low != NULL && terms->loss->quadratic &&
           (by->mu > 0 || isfinite(terms->loss->curvature));
}

static double clipped_block(const struct scalar_terms *terms, const double *u,
                            const struct smoothing *by, double *derivative, int block) {
    int64_t from = design_block_start(terms->design, block);
    struct clipped rows = {.count = design_block_start(terms->design, block + 1) - from,
                           .u = u + from,
                           .y = terms->target + from,
                           .positive = terms->positive,
                           .low = by->low + from,
                           .high = by->high + from,
                           .weight = terms->weight == NULL ? NULL : terms->weight + from,
                           .each = by->each == NULL ? NULL : by->each + from,
                           .shift = by->shift,
                           .flat = 1 / terms->loss->curvature,
                           .mu = by->mu,
                           .derivative = derivative == NULL ? NULL : derivative + from};
    clipped_rows(&rows);
    return rows.sum;
}

static double risk_block(const struct scalar_terms *terms, const double *u, const double *du,
                         double step, const struct smoothing *by, double *derivative, int block) {
    const struct loss *loss = terms->loss;
    int64_t end = design_block_start(terms->design, block + 1);
    double sum = 0;
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double a = 0, c = scalar_weight(terms, i), y = scalar_target(terms, i);
        double at = (du == NULL ? u[i] : u[i] + step * du[i]) + by->shift;
        double mu = by->each == NULL ? by->mu : by->mu * by->each[i];
        if (c > 0)
            sum += c * (mu > 0 ? loss->smooth(at, y, mu, &terms->parameters, &a)
                               : loss->value(at, y, &terms->parameters, &a));
        if (derivative != NULL)
            derivative[i] = c > 0 ? c * a : 0;
    }
    return sum;
}

/* At u + step du + shift (du NULL: 0). */
static double find_risk(const struct scalar_terms *terms, const double *u, const double *du,
                        double step, const struct smoothing *by, double *derivative) {
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
    bool clipped = du == NULL && is_clipped(terms, by);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = clipped ? clipped_block(terms, u, by, derivative, block)
                                   : risk_block(terms, u, du, step, by, derivative, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    return communicator_sum_one(design->data->communicator, sum) / terms->weight_sum;
}

double scores_risk(const struct scalar_terms *terms, const double *u, const double *du, double step,
                   double *derivative) {
    static const struct smoothing none;
    return find_risk(terms, u, du, step, &none, derivative);
}

double scores_smooth_risk(const struct scalar_terms *terms, const double *u,
                          const struct smoothing *by, double *derivative) {
    return find_risk(terms, u, NULL, 0, by, derivative);
}

static double curvature(const struct scalar_terms *terms, const double *u, int64_t i) {
    double c = scalar_weight(terms, i);
    return c > 0 ? c * terms->loss->second(u[i], scalar_target(terms, i), &terms->parameters) : 0;
}

void scores_curvature(const struct scalar_terms *terms, const double *u, double *d) {
    const struct design *design = terms->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        d[i] = curvature(terms, u, i) / terms->weight_sum;
}

static double curvature_block(const struct scalar_terms *terms, const double *u, const double *du,
                              int block) {
    int64_t end = design_block_start(terms->design, block + 1);
    double sum = 0;
    for (int64_t i = design_block_start(terms->design, block); i < end; i++)
        sum += du[i] != 0 ? curvature(terms, u, i) * du[i] * du[i] : 0;
    return sum;
}

double scores_curvature_along(const struct scalar_terms *terms, const double *u, const double *du) {
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = curvature_block(terms, u, du, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    return communicator_sum_one(design->data->communicator, sum) / terms->weight_sum;
}

void scores_move(const struct scalar_terms *terms, double *u, double step, const double *du) {
    const struct design *design = terms->design;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        u[i] += step * du[i];
}
