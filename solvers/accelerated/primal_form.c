/* primal_form.c - the primal form: the smoothed risk plus the regularizer, over the weights. */
#include "solvers/accelerated/form.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/accelerated/curvature.h"
#include "solvers/accelerated/smoothed_risk.h"
#include "solvers/accelerated/spectrum.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct primal_form {
    struct form form; /* first */
    const struct problem *problem;
    struct smoothed_risk risk;
    struct prox_weights prox;
    struct estimation estimation;
    struct curvature curvature; /* an upper bound of f's curvature; 0: unknown */
    double *each;               /* rows: the weights of --prox optimized; else NULL */
    double *point;              /* the weights of the present point, with the offset */
    double *proximal;           /* the weights after a proximal step from there */
    double sparse_L;            /* L of the next proximal step; 0: that of the method */
};

static struct primal_form *primal_of(struct form *form) {
    return (struct primal_form *)form;
}

static bool step(struct form *form) {
    struct primal_form *p = primal_of(form);
    p->estimation.max_passes = form->max_passes;
    bool stepped = estimation_step(&p->estimation);
    form->passes = p->risk.part.passes;
    return stepped;
}

/* The better of the bounds by the average and by the present point. */
static double find_bound(struct primal_form *p, double *smooth) {
    double smooth_at_w, bound = smoothed_risk_bound(&p->risk, smooth);
    bound = fmax(bound,
                 smoothed_risk_bound_at(&p->risk, p->estimation.w, p->estimation.Fw, &smooth_at_w));
    *smooth = fmax(*smooth, smooth_at_w);
    p->form.passes = p->risk.part.passes;
    return bound;
}

/* J at the weights w with the latest offset, which are copied to `point`; f is R_mu there. */
static double evaluate(const struct primal_form *p, const double *w, const double *image, double f,
                       double *point) {
    const struct risk *risk = p->problem->risk;
    memcpy(point, w, sizeof *w * (size_t)risk->regularized);
    if (risk->dimension > risk->regularized)
        point[risk->regularized] = p->risk.smoothing.shift;
    double exact = p->risk.smoothing.mu == 0 ? f : smoothed_risk_exact(&p->risk, point, image);
    return exact + problem_penalty(p->problem, point);
}

static struct form_gap certify(struct form *form, struct batch *batch) {
    struct primal_form *p = primal_of(form);
    const struct estimation *at = &p->estimation;
    double smooth_bound, bound = find_bound(p, &smooth_bound);
    double objective = evaluate(p, at->w, at->Fw, at->value, p->point);
    double smooth = at->value + problem_penalty(p->problem, p->point);
    if (form->offer_sparse == NULL)
        batch_offer(batch, p->point, objective);
    batch_raise(batch, bound);
    return (struct form_gap){.objective = objective,
                             .smooth = smooth - smooth_bound,
                             .smoothing = objective - smooth + (smooth_bound - bound)};
}

/* ---- sparse weights */

/* Takes the proximal gradient step from the iterate with sparse_L, which is then halved if f allows the step
 * and doubled if not. Returns whether f allows it. */
static bool step_to_sparse(struct primal_form *p, double *objective) {
    struct estimation *at = &p->estimation;
    bool allowed = estimation_proximal(at, p->sparse_L);
    p->sparse_L *= allowed ? 0.5 : 2;
    *objective = evaluate(p, at->next_w, at->Fnext_w, at->next_value, p->proximal);
    return allowed;
}

/* The iterate is an average of all steps and has few zeros. Near the optimum, the proximal gradient step from it has as
 * many zeros as the optimum, and a lower J_mu; most with the smallest L that f allows. A call tries a few steps to find
 * it, from the last call's L on, and some more with ever larger L where none was as good and the gap is nearly closed.
 * The gradient is the one that certify left. */
static void offer_sparse(struct form *form, struct batch *batch, double objective, bool closes) {
    enum { MAX_TRIES = 3, MAX_TRIES_FOR_ONE = 8 };
    struct primal_form *p = primal_of(form);
    double shift = p->risk.smoothing.shift, sparse;
    bool first = false, allowed = false, offered = false;
    p->sparse_L = p->sparse_L > 0 ? p->sparse_L : p->estimation.L;
    smoothed_risk_gradient(&p->risk, p->estimation.gradient);
    for (int steps = 0;
         steps < (offered || !closes ? MAX_TRIES : MAX_TRIES_FOR_ONE) && allowed == first;
         steps++) {
        if (offered && monitor_poll(batch->monitor) != VERDICT_GO_ON)
            break;
        allowed = step_to_sparse(p, &sparse);
        first = steps == 0 ? allowed : first;
        offered |= batch_offer_sparse(batch, p->proximal, sparse, objective);
    }
    if (!offered)
        batch_offer(batch, p->point, objective);
    p->risk.smoothing.shift = shift;
    form->passes = p->risk.part.passes;
}

static bool has_sparse(const struct primal_form *p) {
    return p->prox.penalty.l1 > 0 || p->problem->regularizer->ball != NULL;
}

/* ---- smoothing */

/* The proven L; infinite for risks without scores, of which no bound is known. */
static double proven_L(const struct primal_form *p, double mu) {
    return p->problem->risk->scalar != NULL ? curvature_at(&p->curvature, mu) : INFINITY;
}

static void restart(struct form *form, double mu) {
    struct primal_form *p = primal_of(form);
    double before = curvature_at(&p->curvature, p->risk.smoothing.mu);
    double after = curvature_at(&p->curvature, mu);
    p->estimation.L = p->estimation.settings.fixed ? after : p->estimation.L * sqrt(after / before);
    p->sparse_L *= sqrt(after / before);
    p->estimation.L_max = proven_L(p, mu);
    p->risk.smoothing.mu = mu;
    estimation_start(&p->estimation, NULL);
}

static void visit(struct form *form, struct state *state) {
    struct primal_form *p = primal_of(form);
    STATE_REALS(state, &form->passes, &p->sparse_L);
    smoothed_risk_visit(&p->risk, state);
    estimation_visit(&p->estimation, state);
}

static void primal_free(struct form *form) {
    struct primal_form *p = primal_of(form);
    estimation_free(&p->estimation);
    smoothed_risk_free(&p->risk);
    prox_weights_free(&p->prox);
    free(p->each);
    free(p->point);
    free(p);
}

/* Starts at w, or at Omega's minimizer if Omega is not finite at w. */
static void set_start(struct primal_form *p, const double *w) {
    const struct problem *problem = p->problem;
    int64_t n = problem->risk->dimension;
    memcpy(p->point, w, sizeof *w * (size_t)n);
    if (!isfinite(problem_penalty(problem, w))) {
        memset(p->point, 0, sizeof *w * (size_t)n);
        problem_minimizer(problem, p->point, p->point);
    }
    estimation_start(&p->estimation, p->point);
}

/* The metric of --metric auto: mean squares if values are far above 1; else plain. Risks without scores have
 * weights of several outputs and transitions, of different sizes: there the square roots take 10 to 50 % fewer
 * passes, and much fewer on text (chunks of sentences). */
static int choose_metric(const struct problem *problem, double largest) {
    static const double far_above_1 = 100;
    return largest > far_above_1           ? METRIC_SCALED
           : problem->risk->scalar == NULL ? METRIC_ROOT
                                           : METRIC_PLAIN;
}

/* Sets the metric: the features' mean squares relative to the largest, or their square roots. The roots suit
 * features of usual scales; the squares suit data with features out of scale. */
static int set_metric(struct primal_form *p, int kind, struct error *e) {
    static const double floor_of_roots = 1e-2, floor_of_squares = 1e-10;
    const struct scalar_terms *terms = p->problem->risk->scalar;
    int64_t n = p->prox.prox.dimension;
    const struct risk *risk = p->problem->risk;
    bool has_squares = terms != NULL || risk->kind->squares != NULL;
    if (!has_squares || p->problem->regularizer->penalty == NULL || kind == METRIC_PLAIN)
        return 0;
    double *metric = memory_new(risk->dimension, sizeof *metric, "the metric", e);
    if (metric == NULL)
        return -1;
    if (terms != NULL)
        spectrum_diagonal(terms, NULL, p->risk.latest_dual,
                          metric); /* latest_dual is free scratch memory here */
    else
        risk->kind->squares(risk, metric);
    p->risk.part.passes += 0.5;
    double largest = vector_largest(metric, n);
    if (kind == METRIC_AUTO)
        kind = choose_metric(p->problem, largest);
    if (!(largest > 0 && isfinite(largest)) || kind == METRIC_PLAIN) {
        free(metric);
        return 0;
    }
    for (int64_t j = 0; j < n; j++)
        metric[j] = kind == METRIC_ROOT ? sqrt(fmax(metric[j] / largest, floor_of_roots))
                                        : fmax(metric[j] / largest, floor_of_squares);
    prox_weights_set_metric(&p->prox, metric);
    p->risk.metric = metric;
    return 0;
}

enum {
    MIN_ITERATIONS = 6
}; /* power iterations; if -p allows fewer, --prox optimized is not used */

/* The first L; for a risk with scores computed from the data. */
static int find_curvature(struct primal_form *p, const struct form_request *request,
                          struct error *e) {
    const struct accelerated_settings *settings = request->settings;
    const struct scalar_terms *terms = p->problem->risk->scalar;
    const struct prox *prox = &p->prox.prox;
    double *passes = &p->risk.part.passes;
    p->curvature =
        (struct curvature){.unit = 1, .kinks = terms == NULL && p->problem->risk->smoothing > 0};
    if (terms == NULL)
        return 0;
    int each = form_iterations(request, *passes, CURVATURE_ITERATIONS) / 2;
    if (settings->prox == PROX_OPTIMIZED && p->risk.smoothing.mu > 0 && each >= MIN_ITERATIONS) {
        p->each = memory_new(terms->design->rows, sizeof *p->each, "the prox-function", e);
        if (p->each == NULL || curvature_optimize(terms, prox, p->each, each, passes, e) != 0)
            return -1;
        p->risk.smoothing.each = p->each;
    }
    bool fixed = settings->lipschitz == LIPSCHITZ_FIXED;
    int iterations = fixed ? form_iterations(request, *passes, CURVATURE_ITERATIONS) : 0;
    int status = curvature_find(terms, prox, p->each, iterations, &p->curvature, e);
    *passes += p->curvature.passes;
    return status;
}

struct form *primal_form_new(const struct form_request *request, struct error *e) {
    const struct problem *problem = request->problem;
    const struct accelerated_settings *s = request->settings;
    const struct estimation_settings estimation = form_estimation(request);
    struct primal_form *p = memory_zeroed(1, sizeof *p, "the form", e);
    if (p == NULL)
        return NULL;
    p->form = (struct form){
        .step = step, .certify = certify, .restart = restart, .visit = visit, .free = primal_free};
    p->form.max_passes = INFINITY;
    p->form.step_passes = problem->risk->scalar != NULL ? 1 : 2;
    p->problem = problem;
    p->point = memory_zeroed(2 * problem->risk->dimension, sizeof *p->point, "the point", e);
    if (p->point == NULL || smoothed_risk_init(&p->risk, problem, request->mu, e) != 0 ||
        prox_weights_init(&p->prox, problem, e) != 0 ||
        set_metric(p, s->lipschitz == LIPSCHITZ_FIXED ? METRIC_PLAIN : s->metric, e) != 0 ||
        find_curvature(p, request, e) != 0 ||
        estimation_init(&p->estimation, &estimation, &p->risk.part, &p->prox.prox, e) != 0) {
        primal_free(&p->form);
        return NULL;
    }
    p->proximal = p->point + problem->risk->dimension;
    p->form.offer_sparse = has_sparse(p) ? offer_sparse : NULL;
    p->estimation.L = curvature_at(&p->curvature, request->mu);
    p->estimation.L_max = proven_L(p, request->mu);
    set_start(p, request->w);
    p->form.passes = p->risk.part.passes;
    return &p->form;
}
