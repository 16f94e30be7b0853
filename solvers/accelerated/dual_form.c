/* dual_form.c - the forms dual and smooth-dual, for scalar risks whose loss has a quadratic conjugate: steps
 * on the dual variables, a primal point by averaging, and the gap between the two.
 *
 * Without mu the rate is that of the dual problem, L <= lambda_max(X'PX)/l2 and sigma = 1/curvature: linear for
 * smooth losses. With mu, sigma = 1/curvature + mu. The certificate is that of mu = 0 in both cases: D_mu <= D
 * and J_mu <= J <= J_mu + mu/2 max a^2.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, sections 5.1.2, 5.3, 3.3, 4.2. */
#include "solvers/accelerated/dual_form.h"

#include "io/memory.h"
#include "solvers/accelerated/spectrum.h"
#include "solvers/dual_bound.h"

#include <stdlib.h>

/* ---- what the forms share */

static void visit(struct form *form, struct state *state) {
    struct dual_form *d = dual_form_of(form);
    double mu = d->mu;
    STATE_REALS(state, &mu, &form->passes);
    if (mu != d->mu)
        prox_box_smooth(&d->box, d->mu = mu);
    estimation_visit(&d->estimation, state);
    dual_part_visit(&d->dual, d->estimation.gradient, state);
    if (d->box.has_offset)
        offset_visit(&d->box.offset, state);
}

static void dual_form_free(struct form *form) {
    struct dual_form *d = dual_form_of(form);
    estimation_free(&d->estimation);
    prox_box_free(&d->box);
    dual_part_free(&d->dual);
    free(d);
}

/* The first L: an upper bound, closer with more power iterations. */
static int set_lipschitz(struct dual_form *d, int iterations, struct error *e) {
    const struct problem *problem = d->dual.problem;
    struct spectrum spectrum;
    if (spectrum_find(problem->risk->scalar, NULL, iterations, NULL, &spectrum, e) != 0)
        return -1;
    double L = spectrum.bound / problem_penalty_parts(problem).l2;
    if (isfinite(L) && L > 0)
        d->estimation.L = d->estimation.L_max = L;
    d->dual.part.passes += spectrum.passes;
    return 0;
}

struct dual_form *dual_form_begin(const struct form_request *request, bool one_memory, double mu,
                                  struct error *e) {
    enum { MAX_ITERATIONS = 30 };
    struct estimation_settings estimation = form_estimation(request);
    struct dual_form *d = memory_zeroed(1, sizeof *d, "the form", e);
    if (d == NULL)
        return NULL;
    d->form.free = dual_form_free;
    d->form.visit = visit;
    d->form.max_passes = INFINITY;
    d->mu = mu;
    estimation.one_memory = one_memory;
    if (prox_box_init(&d->box, request->problem->risk, mu, e) != 0 ||
        dual_part_init(&d->dual, request->problem, &d->box, e) != 0 ||
        estimation_init(&d->estimation, &estimation, &d->dual.part, &d->box.prox, e) != 0 ||
        set_lipschitz(d, estimation.fixed ? form_iterations(request, 0, MAX_ITERATIONS) : 0, e) !=
            0) {
        dual_form_free(&d->form);
        return NULL;
    }
    estimation_start(&d->estimation, NULL);
    d->form.passes = d->dual.part.passes;
    return d;
}

/* ---- the dual form */

static bool step(struct form *form) {
    struct dual_form *d = dual_form_of(form);
    d->estimation.max_passes = form->max_passes;
    bool stepped = estimation_step(&d->estimation);
    form->passes = d->dual.part.passes;
    return stepped;
}

static struct form_gap certify(struct form *form, struct batch *batch) {
    struct dual_form *d = dual_form_of(form);
    struct dual_values values =
        dual_part_certify(&d->dual, d->mu, d->estimation.w, d->estimation.Fw, batch);
    double smooth = values.smooth_objective - values.smooth_bound;
    form->passes = d->dual.part.passes;
    return (struct form_gap){.objective = values.objective,
                             .smooth = smooth,
                             .smoothing = values.objective - values.bound - smooth};
}

static void restart(struct form *form, double mu) {
    struct dual_form *d = dual_form_of(form);
    d->mu = mu;
    prox_box_smooth(&d->box, mu);
    estimation_start(&d->estimation, NULL);
}

/* Starts from weights: at the subderivatives of the loss at their scores, projected onto the domain of the dual
 * variables. The proximal problem becomes this projection if s cancels Psi. */
static void start_from(struct dual_form *d, const double *w) {
    const struct scalar_terms *terms = d->dual.problem->risk->scalar;
    struct estimation *estimation = &d->estimation;
    design_scores(terms->design, w, d->dual.scores);
    dual_from_scores(terms, d->dual.scores, d->dual.scores);
    for (int64_t i = 0; i < terms->design->rows; i++)
        estimation->slope[i] =
            -(1 + d->box.prox.strong) * d->dual.scores[i] - scalar_target(terms, i);
    d->box.prox.minimize(&d->box.prox, estimation->slope, 1, 1, estimation->u);
    estimation_start(estimation, estimation->u);
}

struct form *dual_form_new(const struct form_request *request, struct error *e) {
    double mu = request->settings->form == FORM_SMOOTH_DUAL ? request->mu : 0;
    struct dual_form *d = dual_form_begin(request, request->one_memory, mu, e);
    if (d == NULL)
        return NULL;
    d->form.step = step;
    d->form.certify = certify;
    d->form.restart = mu > 0 ? restart : NULL;
    d->form.step_passes = 1;
    if (request->run->warm)
        start_from(d, request->w);
    return &d->form;
}
