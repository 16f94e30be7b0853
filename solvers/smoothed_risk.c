/* smoothed_risk.c - the smoothed risk as an accelerated method sees it. */
#include "solvers/smoothed_risk.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "solvers/dual.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct smoothed_risk *risk_of(struct smooth_part *part) {
    return (struct smoothed_risk *)part;
}

/* ---- of a risk with scores */

static void find_scores(struct smooth_part *part, const double *w, double *u) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    memcpy(r->room, w, sizeof *w * (size_t)risk->regularized);
    design_scores(risk->scalar->design, r->room, u); /* the offset's place is 0 */
    part->passes += 0.5;
}

static double value_of_scores(struct smooth_part *part, const double *w, const double *u,
                              double *gradient) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    const struct scalar_parts *parts = risk->scalar;
    (void)w;
    double value = scores_smooth_risk(parts, u, &r->by, gradient == NULL ? NULL : r->push);
    if (gradient != NULL) {
        design_combine(parts->design, r->push, r->gradient);
        for (int64_t j = 0; j < risk->regularized; j++)
            gradient[j] = r->gradient[j] /= parts->weight_sum;
        part->passes += 0.5;
    }
    return value;
}

static void average_duals(struct smooth_part *part, double eta) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    long_mix(r->dual, r->dual, r->push, eta, risk->scalar->design->rows);
    long_mix(r->slope, r->slope, r->gradient, eta, risk->regularized);
}

static double bound_of_duals(struct smoothed_risk *r, double *smooth) {
    const struct problem *problem = r->problem;
    const struct scalar_parts *parts = problem->risk->scalar;
    double squares, t = dual_constant(parts, r->dual, r->by.each, &squares);
    double lost = r->by.mu / 2 * squares;
    double bound = dual_bound_known(problem, r->dual, r->slope, t);
    *smooth = t - lost - problem_price(problem, r->slope);
    return bound;
}

/* ---- of any other */

static double value_of_weights(struct smooth_part *part, const double *w, const double *image,
                               double *gradient) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    (void)image;
    double value = risk_evaluate(risk, w, r->by.mu, gradient);
    part->passes += gradient == NULL ? 0.5 : 1;
    if (gradient != NULL) {
        memcpy(r->gradient, gradient, sizeof *gradient * (size_t)risk->dimension);
        r->constant = value - vector_dot(gradient, w, risk->dimension);
    }
    return value;
}

static void average_slopes(struct smooth_part *part, double eta) {
    struct smoothed_risk *r = risk_of(part);
    long_mix(r->slope, r->slope, r->gradient, eta, part->dimension);
    r->intercept += eta * (r->constant - r->intercept);
}

double smoothed_risk_bound(struct smoothed_risk *r, double *smooth) {
    const struct problem *problem = r->problem;
    if (problem->risk->scalar != NULL)
        return bound_of_duals(r, smooth);
    *smooth = r->intercept - problem_price(problem, r->slope);
    return *smooth;
}

/* ---- memory */

int smoothed_risk_init(struct smoothed_risk *r, const struct problem *problem, double mu,
                       struct error *e) {
    const struct risk *risk = problem->risk;
    const struct scalar_parts *parts = risk->scalar;
    int64_t n = risk->dimension, m = parts == NULL ? 0 : parts->design->rows;
    *r = (struct smoothed_risk){.problem = problem, .by.mu = mu};
    r->part = (struct smooth_part){.dimension = risk->regularized,
                                   .images = m,
                                   .image = parts == NULL ? NULL : find_scores,
                                   .value = parts == NULL ? value_of_weights : value_of_scores,
                                   .average = parts == NULL ? average_slopes : average_duals};
    r->gradient = memory_zeroed(3 * n + 3 * m, sizeof(double), "dual variables", e);
    if (r->gradient == NULL)
        return -1;
    r->slope = r->gradient + n;
    r->room = r->slope + n;
    r->push = r->room + n + m;
    r->dual = r->push + m;
    return 0;
}

void smoothed_risk_free(struct smoothed_risk *r) {
    free(r->gradient);
    *r = (struct smoothed_risk){0};
}
