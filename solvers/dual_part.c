/* dual_part.c - the smooth part of the dual problem, and what a pair of points is worth. */
#include "solvers/dual_part.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/dual.h"

#include <stdlib.h>
#include <string.h>

static struct dual_part *part_of(struct smooth_part *part) {
    return (struct dual_part *)part;
}

/* out = c a, or a as it is where there are no weights */
static void weigh(const struct scalar_parts *parts, const double *a, double *out) {
#pragma omp parallel for schedule(static) if (parts->design->threads)
    for (int64_t i = 0; i < parts->design->rows; i++)
        out[i] = scalar_weight(parts, i) * a[i];
}

static void find_slope(struct smooth_part *part, const double *a, double *image) {
    struct dual_part *d = part_of(part);
    const struct scalar_parts *parts = d->problem->risk->scalar;
    weigh(parts, a, d->dual);
    design_combine(parts->design, d->dual, image);
    vector_scale(image, 1 / parts->weight_sum, parts->design->columns);
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
    long_mix(d->pull, d->pull, d->gradient, eta, part->dimension);
}

/* ---- what the points are worth */

/* R_mu at the average, with the offset that is best for it. */
static double risk_at(struct dual_part *d, double mu, double *offset) {
    struct smoothing by = {.mu = mu, .low = d->box->low, .high = d->box->high};
    if (d->box->plane)
        by.shift = offset_find(&d->box->offset, d->scores, &by);
    *offset = by.shift;
    return scores_smooth_risk(d->problem->risk->scalar, d->scores, &by, NULL);
}

/* D(a) and D_mu(a); the batch's bound may be better yet. */
static void find_bounds(struct dual_part *d, double mu, const double *a, const double *image,
                        struct batch *batch, struct dual_values *values) {
    const struct problem *problem = d->problem;
    double squares;
    weigh(problem->risk->scalar, a, d->dual);
    double t = dual_constant(problem->risk->scalar, d->dual, NULL, &squares);
    values->bound = t - problem->regularizer->conjugate(image, problem->risk->regularized,
                                                        problem->lambda, &problem->parameters);
    values->smooth_bound = values->bound - mu / 2 * squares;
    if (!d->box->plane) {
        batch_raise(batch, dual_bound_known(problem, d->dual, image, t));
        return;
    }
    memcpy(d->dual, a, sizeof *a * (size_t)d->part.dimension);
    batch_raise(batch, dual_bound(problem, d->dual, d->point));
    d->part.passes += 0.5;
}

struct dual_values dual_part_certify(struct dual_part *d, double mu, const double *a,
                                     const double *image, struct batch *batch) {
    struct dual_values values;
    double offset;
    find_bounds(d, mu, a, image, batch, &values);
    long_combine(d->point, 0, NULL, -1, d->average, d->part.images);
    long_combine(d->scores, 0, NULL, -1, d->pull, d->part.dimension);
    double penalty = problem_penalty(d->problem, d->point);
    values.smooth_objective = mu > 0 ? penalty + risk_at(d, mu, &offset) : 0;
    values.objective = penalty + risk_at(d, 0, &offset);
    if (d->box->plane)
        d->point[d->problem->risk->regularized] = offset;
    if (mu == 0)
        values.smooth_objective = values.objective;
    batch_offer(batch, d->point, values.objective);
    return values;
}

/* ---- memory */

int dual_part_init(struct dual_part *d, const struct problem *problem, struct ground_box *box,
                   struct error *e) {
    int64_t n = problem->risk->dimension, m = problem->risk->scalar->design->rows;
    *d = (struct dual_part){.part = {.dimension = m,
                                     .images = n,
                                     .image = find_slope,
                                     .value = value,
                                     .average = average},
                            .problem = problem,
                            .box = box};
    d->slope = memory_zeroed(3 * n + 3 * m, sizeof(double), "the dual problem", e);
    if (d->slope == NULL)
        return -1;
    d->average = d->slope + n;
    d->point = d->average + n;
    d->pull = d->point + n;
    d->scores = d->pull + m;
    d->dual = d->scores + m;
    return 0;
}

void dual_part_free(struct dual_part *d) {
    free(d->slope);
    *d = (struct dual_part){0};
}
