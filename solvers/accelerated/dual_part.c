/* dual_part.c - the smooth part of the dual problem, and the objectives and bounds of its points. */
#include "solvers/accelerated/dual_part.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/dual_bound.h"

#include <stdlib.h>
#include <string.h>

static struct dual_part *part_of(struct smooth_part *part) {
    return (struct dual_part *)part;
}

/* out = c a; a itself if there are no example weights. */
static void weigh(const struct scalar_terms *terms, const double *a, double *out) {
#pragma omp parallel for schedule(static) if (terms->design->threads)
    for (int64_t i = 0; i < terms->design->rows; i++)
        out[i] = scalar_weight(terms, i) * a[i];
}

static void find_slope(struct smooth_part *part, const double *a, double *image) {
    struct dual_part *d = part_of(part);
    const struct scalar_terms *terms = d->problem->risk->scalar;
    weigh(terms, a, d->dual);
    design_combine(terms->design, d->dual, image);
    vector_scale(image, 1 / terms->weight_sum, terms->design->columns);
    part->passes += 0.5;
}

static double value(struct smooth_part *part, const double *a, const double *image,
                    double *gradient) {
    struct dual_part *d = part_of(part);
    const struct problem *problem = d->problem;
    (void)a;
    if (gradient != NULL) {
        problem_minimizer(problem, image, d->slope);
        vector_scale(d->slope, -1, problem->risk->regularized);
        design_scores(problem->risk->scalar->design, d->slope, gradient);
        d->gradient = gradient;
        part->passes += 0.5;
    }
    return problem->regularizer->conjugate(image, problem->risk->regularized, problem->lambda,
                                           &problem->parameters);
}

static void average(struct smooth_part *part, double eta) {
    struct dual_part *d = part_of(part);
    long_mix(d->average, d->average, d->slope, eta, part->images);
    long_mix(d->mean_gradient, d->mean_gradient, d->gradient, eta, part->dimension);
}

void dual_part_visit(struct dual_part *d, const double *gradient, struct state *state) {
    int64_t images = d->part.images;
    d->gradient = state_flag(state, d->gradient != NULL) ? gradient : NULL;
    state_doubles(state, d->slope, images);
    state_doubles(state, d->average, images);
    state_doubles(state, d->mean_gradient, d->part.dimension);
}

/* ---- objectives and bounds */

/* R_mu at d->scores, with the best offset for these. */
static double risk_at(struct dual_part *d, double mu, double *offset) {
    struct smoothing by = {.mu = mu, .low = d->box->low, .high = d->box->high};
    if (d->box->has_offset)
        by.shift = offset_find(&d->box->offset, d->scores, &by);
    *offset = by.shift;
    return scores_smooth_risk(d->problem->risk->scalar, d->scores, &by, NULL);
}

/* D(a) and D_mu(a); raises the batch's bound, possibly further than D(a). */
static void find_bounds(struct dual_part *d, double mu, const double *a, const double *image,
                        struct batch *batch, struct dual_values *values) {
    const struct problem *problem = d->problem;
    double squares;
    weigh(problem->risk->scalar, a, d->dual);
    double t = dual_constant(problem->risk->scalar, d->dual, NULL, &squares);
    values->bound = t - problem->regularizer->conjugate(image, problem->risk->regularized,
                                                        problem->lambda, &problem->parameters);
    values->smooth_bound = values->bound - mu / 2 * squares;
    if (!d->box->has_offset) {
        batch_raise(batch, dual_bound_known(problem, d->dual, image, t, 0));
        return;
    }
    memcpy(d->dual, a, sizeof *a * (size_t)d->part.dimension);
    batch_raise(batch, dual_bound(problem, d->dual, d->point));
    d->part.passes += 0.5;
}

/* J_mu at weights -slope with scores -mean_gradient; the weights, with the offset, are left in `point`. */
static double evaluate(struct dual_part *d, double mu, const double *slope,
                       const double *mean_gradient, double *point) {
    double offset;
    long_combine(point, 0, NULL, -1, slope, d->part.images);
    long_combine(d->scores, 0, NULL, -1, mean_gradient, d->part.dimension);
    double objective = problem_penalty(d->problem, point) + risk_at(d, mu, &offset);
    if (d->box->has_offset)
        point[d->problem->risk->regularized] = offset;
    return objective;
}

/* With a 1-norm, offers the latest w(a) if it is as good: it has zeros, the average has few. */
static void offer(struct dual_part *d, double objective, struct batch *batch) {
    bool sparse = d->gradient != NULL && problem_penalty_parts(d->problem).l1 > 0;
    if (sparse)
        sparse = batch_offer_sparse(batch, d->sparse,
                                    evaluate(d, 0, d->slope, d->gradient, d->sparse), objective);
    if (!sparse)
        batch_offer(batch, d->point, objective);
}

struct dual_values dual_part_certify(struct dual_part *d, double mu, const double *a,
                                     const double *image, struct batch *batch) {
    struct dual_values values;
    find_bounds(d, mu, a, image, batch, &values);
    if (mu > 0)
        values.smooth_objective = evaluate(d, mu, d->average, d->mean_gradient, d->point);
    values.objective = evaluate(d, 0, d->average, d->mean_gradient, d->point);
    if (mu == 0)
        values.smooth_objective = values.objective;
    offer(d, values.objective, batch);
    return values;
}

/* ---- memory */

int dual_part_init(struct dual_part *d, const struct problem *problem, struct prox_box *box,
                   struct error *e) {
    int64_t n = problem->risk->dimension, m = problem->risk->scalar->design->rows;
    *d = (struct dual_part){.part = {.dimension = m,
                                     .images = n,
                                     .image = find_slope,
                                     .value = value,
                                     .average = average},
                            .problem = problem,
                            .box = box};
    d->slope = memory_zeroed(4 * n + 3 * m, sizeof(double), "the dual problem", e);
    if (d->slope == NULL)
        return -1;
    d->average = d->slope + n;
    d->point = d->average + n;
    d->sparse = d->point + n;
    d->mean_gradient = d->sparse + n;
    d->scores = d->mean_gradient + m;
    d->dual = d->scores + m;
    return 0;
}

void dual_part_free(struct dual_part *d) {
    free(d->slope);
    *d = (struct dual_part){0};
}
