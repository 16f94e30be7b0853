/* smoothed_risk.c - the smoothed risk as an accelerated method sees it. */
#include "solvers/accelerated/smoothed_risk.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/vector.h"
#include "solvers/dual_bound.h"
#include "solvers/linearization.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t worth_threads = 32768; /* entries from which on threads pay */

static struct smoothed_risk *risk_of(struct smooth_part *part) {
    return (struct smoothed_risk *)part;
}

static bool has_offset(const struct smoothed_risk *r) {
    return r->problem->risk->dimension > r->problem->risk->regularized;
}

/* ---- risks with scores */

static void find_scores(struct smooth_part *part, const double *w, double *u) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    if (has_offset(r)) /* the offset's entry in `work` stays 0 */
        w = memcpy(r->work, w, sizeof *w * (size_t)risk->regularized);
    design_scores(risk->scalar->design, w, u);
    part->passes += 0.5;
}

/* gradient = sum p a x, a the latest dual variables. */
static void find_gradient(struct smoothed_risk *r) {
    const struct scalar_terms *terms = r->problem->risk->scalar;
    design_combine(terms->design, r->latest_dual, r->gradient);
    vector_scale(r->gradient, 1 / terms->weight_sum, r->problem->risk->regularized);
    r->part.passes += 0.5;
}

/* The latest gradient in the metric. */
static void divide_by_metric(const struct smoothed_risk *r, double *gradient) {
    int64_t n = r->problem->risk->regularized;
#pragma omp parallel for schedule(static) if (n > worth_threads)
    for (int64_t j = 0; j < n; j++)
        gradient[j] = r->gradient[j] / (r->metric == NULL ? 1 : r->metric[j]);
}

static double value_of_scores(struct smooth_part *part, const double *w, const double *u,
                              double *gradient) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    const struct scalar_terms *terms = risk->scalar;
    (void)w;
    if (has_offset(r))
        r->smoothing.shift = offset_find(&r->offset, u, &r->smoothing);
    double value =
        scores_smooth_risk(terms, u, &r->smoothing, gradient == NULL ? NULL : r->latest_dual);
    if (gradient != NULL) {
        find_gradient(r);
        divide_by_metric(r, gradient);
    }
    return value;
}

static void average_duals(struct smooth_part *part, double eta) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    long_mix(r->mean_dual, r->mean_dual, r->latest_dual, eta, risk->scalar->design->rows);
    long_mix(r->mean_gradient, r->mean_gradient, r->gradient, eta, risk->regularized);
}

/* With an offset: the bound of a = dual / c, moved to sum p a = 0. */
static double balanced_bound(struct smoothed_risk *r, const double *dual) {
    const struct scalar_terms *terms = r->problem->risk->scalar;
    double *a = r->work + r->problem->risk->dimension;
#pragma omp parallel for schedule(static) if (terms->design->threads)
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double c = scalar_weight(terms, i);
        a[i] = c > 0 ? dual[i] / c : 0;
    }
    r->part.passes += 0.5;
    return dual_bound(r->problem, a, r->gradient_work);
}

static double smooth_bound(const struct smoothed_risk *r, const double *slope, double t) {
    const struct problem *problem = r->problem;
    return problem->regularizer->bound(slope, t, problem->risk->regularized, problem->lambda,
                                       &problem->parameters);
}

/* The bounds from dual variables (times c) and their gradient. */
static double bound_of_duals(struct smoothed_risk *r, const double *dual, const double *slope,
                             double *smooth) {
    double squares, t = dual_constant(r->problem->risk->scalar, dual, r->smoothing.each, &squares);
    *smooth = smooth_bound(r, slope, t - r->smoothing.mu / 2 * squares);
    return has_offset(r) ? balanced_bound(r, dual)
                         : dual_bound_known(r->problem, dual, slope, t, 0);
}

/* ---- risks without scores */

static double value_of_weights(struct smooth_part *part, const double *w, const double *image,
                               double *gradient) {
    struct smoothed_risk *r = risk_of(part);
    const struct risk *risk = r->problem->risk;
    (void)image;
    part->passes += gradient == NULL ? 0.5 : 1;
    if (gradient == NULL)
        return risk_evaluate(risk, w, r->smoothing.mu, NULL);
    double value = risk_linearize(risk, w, r->smoothing.mu, gradient, &r->proven_constant);
    r->constant = value - vector_dot(gradient, w, risk->dimension);
    if (gradient == r->gradient)
        return value;
    memcpy(r->gradient, gradient, sizeof *gradient * (size_t)risk->dimension);
    divide_by_metric(r, gradient);
    return value;
}

static void average_slopes(struct smooth_part *part, double eta) {
    struct smoothed_risk *r = risk_of(part);
    long_mix(r->mean_gradient, r->mean_gradient, r->gradient, eta, part->dimension);
    r->mean_constant += eta * (r->constant - r->mean_constant);
    r->mean_proven_constant += eta * (r->proven_constant - r->mean_proven_constant);
}

/* ---- bounds */

/* The bounds from a linearization. Some regularizers scale the gradient if its conjugate is not finite, which
 * is valid for a risk of at least 0; R_mu is at least -mu times the risk's smoothing and is shifted by that. */
static double bound_of_slope(const struct smoothed_risk *r, const double *slope, double proven,
                             double constant, double *smooth) {
    double below = r->smoothing.mu > 0 ? r->smoothing.mu * r->problem->risk->smoothing : 0;
    *smooth = smooth_bound(r, slope, constant + below) - below;
    double bound = smooth_bound(r, slope, proven);
    linearization_offer(r->problem, 1, slope, proven, bound);
    return bound;
}

double smoothed_risk_bound(struct smoothed_risk *r, double *smooth) {
    if (r->problem->risk->scalar != NULL)
        return bound_of_duals(r, r->mean_dual, r->mean_gradient, smooth);
    return bound_of_slope(r, r->mean_gradient, r->mean_proven_constant, r->mean_constant, smooth);
}

double smoothed_risk_bound_at(struct smoothed_risk *r, const double *w, const double *image,
                              double *smooth) {
    const struct scalar_terms *terms = r->problem->risk->scalar;
    if (terms != NULL) {
        scores_smooth_risk(terms, image, &r->smoothing, r->latest_dual);
        find_gradient(r);
        return bound_of_duals(r, r->latest_dual, r->gradient, smooth);
    }
    value_of_weights(&r->part, w, NULL, r->gradient);
    return bound_of_slope(r, r->gradient, r->proven_constant, r->constant, smooth);
}

void smoothed_risk_gradient(const struct smoothed_risk *r, double *gradient) {
    divide_by_metric(r, gradient);
}

double smoothed_risk_exact(const struct smoothed_risk *r, const double *w, const double *image) {
    const struct risk *risk = r->problem->risk;
    struct smoothing exact = r->smoothing;
    exact.mu = 0;
    return risk->scalar != NULL ? scores_smooth_risk(risk->scalar, image, &exact, NULL)
                                : risk_evaluate(risk, w, 0, NULL);
}

/* ---- from one run to the next */

void smoothed_risk_visit(struct smoothed_risk *r, struct state *state) {
    int64_t n = r->problem->risk->dimension, m = r->part.images;
    STATE_REALS(state, &r->smoothing.mu, &r->smoothing.shift, &r->constant, &r->proven_constant,
                &r->mean_constant, &r->mean_proven_constant);
    state_doubles(state, r->gradient, n);
    state_doubles(state, r->mean_gradient, n);
    state_doubles(state, r->latest_dual, m);
    state_doubles(state, r->mean_dual, m);
    if (has_offset(r) && m > 0)
        offset_visit(&r->offset, state);
}

/* ---- memory */

/* The domains of the dual variables, in `work` (2 rows numbers). */
static void set_domains(struct smoothed_risk *r, double *work) {
    const struct scalar_terms *terms = r->problem->risk->scalar;
    if (terms == NULL || !terms->loss->quadratic)
        return;
    scores_domains(terms, work, work + terms->design->rows);
    r->smoothing.low = work;
    r->smoothing.high = work + terms->design->rows;
}

int smoothed_risk_init(struct smoothed_risk *r, const struct problem *problem, double mu,
                       struct error *e) {
    const struct risk *risk = problem->risk;
    const struct scalar_terms *terms = risk->scalar;
    int64_t n = risk->dimension, m = terms == NULL ? 0 : terms->design->rows;
    *r = (struct smoothed_risk){.problem = problem, .smoothing.mu = mu};
    r->part = (struct smooth_part){.dimension = risk->regularized,
                                   .images = m,
                                   .image = terms == NULL ? NULL : find_scores,
                                   .value = terms == NULL ? value_of_weights : value_of_scores,
                                   .average = terms == NULL ? average_slopes : average_duals};
    r->gradient = memory_zeroed(4 * n + 5 * m, sizeof(double), "dual variables", e);
    if (r->gradient == NULL || (mu > 0 && risk_smooth(risk, e) != 0))
        return -1;
    r->mean_gradient = r->gradient + n;
    r->gradient_work = r->mean_gradient + n;
    r->work = r->gradient_work + n;
    r->latest_dual = r->work + n + m;
    r->mean_dual = r->latest_dual + m;
    set_domains(r, r->mean_dual + m);
    return has_offset(r) && terms != NULL ? offset_init(&r->offset, terms, e) : 0;
}

void smoothed_risk_free(struct smoothed_risk *r) {
    free(r->gradient);
    offset_free(&r->offset);
    *r = (struct smoothed_risk){0};
}
