/* boost_form.c - the primal form of LPBoost, over the distribution d of the examples (risk/boost.h):
 *
 *     minimize over d in K:  f(d) + KL(d, q)/eta
 *     f(d) = max over weights w of  <w, U'd> - lambda Omega(w),   U'd the edges <u_j, d>
 *
 * On the simplex f is the largest edge; on the l1 ball it is Z times the largest absolute edge. Neither is
 * smooth. With Omega = KL(w, uniform) over the n weights (or 2n, if each learner may have either sign),
 *
 *     f_tau(d) = tau log( (1/n) sum_j exp(<u_j, d>/tau) )  (simplex),    f_tau <= f <= f_tau + tau log n
 *
 * is smooth; -r entropy has this f itself, with tau = lambda. The gradient is U w(d), w(d) the softmax. The
 * model is the average of w(d_k) over the linearizations, and min over d of <d, U w> + KL(d, q)/eta = 1 -
 * R(w). Bounds come from d itself, without tau: min J >= 1 - KL(d, q)/eta - f(d).
 *
 * The prox-function is the entropy, with respect to which KL/eta is strongly convex. With homotopy tau falls
 * as the gap closes. Reference: Zhang, Saha & Vishwanathan 2010, examples 2 and 5, section 5.1.1. Step: one
 * pass. */
#include "solvers/accelerated/form.h"

#include "io/memory.h"
#include "math/entropy.h"
#include "math/long_vector.h"
#include "math/projections/simplex.h"
#include "math/vector.h"
#include "risk/boost.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Psi = KL(d, q)/eta on K */
struct prox_density {
    struct prox prox; /* first */
    double cap;       /* 1/nu */
    double *work;     /* rows */
};

/* The smooth maximum f_tau of the edges. */
struct soft_edge {
    struct smooth_part part; /* first */
    const struct boost_terms *boost;
    double tau;
    double radius;   /* Z of a ball */
    bool both_signs; /* learners may have either sign */
    double *w;       /* n: w(d) of the latest gradient */
    double *mean_w;  /* n: the average of w */
    double *work;    /* rows */
};

struct boost_form {
    struct form form; /* first */
    const struct problem *problem;
    struct soft_edge edge;
    struct prox_density prox;
    struct estimation estimation;
    double *slope;  /* n */
    double *start;  /* rows: the start */
    double *memory; /* holds all of these */
};

static struct boost_form *boost_of(struct form *form) {
    return (struct boost_form *)form;
}

/* ---- Psi */

/* argmin of <s, d> + k sum d log d + share KL(d, q)/eta, q uniform */
static void minimize(struct prox *prox, const double *s, double k, double share, double *d) {
    struct prox_density *density = (struct prox_density *)prox;
    double divisor = k + share * prox->strong;
    for (int64_t i = 0; i < prox->dimension; i++)
        d[i] = -s[i] / divisor;
    simplex_cap(d, prox->dimension, density->cap, density->work);
}

/* ---- f_tau */

static struct soft_edge *edge_of(struct smooth_part *part) {
    return (struct soft_edge *)part;
}

/* The image of d: the edges U'd. */
static void find_edges(struct smooth_part *part, const double *d, double *edge) {
    struct soft_edge *f = edge_of(part);
    boost_edges(f->boost, d, f->work, edge);
    part->passes += 0.5;
}

/* f_tau of the edges, and w(d) in w (NULL: not needed). */
static double soft_maximum(const struct soft_edge *f, const double *edge, double *w) {
    int64_t n = f->boost->design->columns;
    double count = (double)(f->both_signs ? 2 * n : n);
    double top = -INFINITY, sum = 0, sum_minus_count = 0, unit = f->tau / f->radius;
    for (int64_t j = 0; j < n; j++)
        top = fmax(top, f->both_signs ? fabs(edge[j]) : edge[j]);
    for (int64_t j = 0; j < n; j++) {
        double plus = exp((edge[j] - top) / unit);
        double minus = f->both_signs ? exp((-edge[j] - top) / unit) : 0;
        sum += plus + minus;
        sum_minus_count += expm1((edge[j] - top) / unit);
        sum_minus_count += f->both_signs ? expm1((-edge[j] - top) / unit) : 0;
        if (w != NULL)
            w[j] = plus - minus;
    }
    if (w != NULL)
        vector_scale(w, f->radius / sum, n);
    return f->radius * top + f->tau * entropy_log_mean(sum / count, sum_minus_count / count);
}

static double value(struct smooth_part *part, const double *d, const double *edge,
                    double *gradient) {
    struct soft_edge *f = edge_of(part);
    (void)d;
    double maximum = soft_maximum(f, edge, gradient == NULL ? NULL : f->w);
    if (gradient != NULL) {
        boost_margins(f->boost, f->w, gradient);
        part->passes += 0.5;
    }
    return maximum;
}

static void average(struct smooth_part *part, double eta) {
    struct soft_edge *f = edge_of(part);
    long_mix(f->mean_w, f->mean_w, f->w, eta, f->boost->design->columns);
}

/* ---- the form */

static bool step(struct form *form) {
    struct boost_form *b = boost_of(form);
    b->estimation.max_passes = form->max_passes;
    bool stepped = estimation_step(&b->estimation);
    form->passes = b->edge.part.passes;
    return stepped;
}

static struct form_gap certify(struct form *form, struct batch *batch) {
    struct boost_form *b = boost_of(form);
    const struct estimation *at = &b->estimation;
    int64_t n = b->problem->risk->dimension;
    for (int64_t j = 0; j < n; j++)
        b->slope[j] = -at->Fw[j];
    double entropy = boost_entropy(b->edge.boost, at->w);
    double greatest = problem_conjugate(b->problem, b->slope); /* f(d) */
    double bound = 1 - entropy - greatest,
           objective = problem_objective(b->problem, b->edge.mean_w);
    b->edge.part.passes += 0.5;
    form->passes = b->edge.part.passes;
    batch_offer(batch, b->edge.mean_w, objective);
    batch_raise(batch, bound);
    return (struct form_gap){.objective = objective,
                             .smooth = objective - (1 - entropy - at->value),
                             .smoothing = greatest - at->value};
}

/* The Lipschitz constant of grad f_tau in the 1-norm of d, since |u| <= 1. */
static double lipschitz(const struct soft_edge *f) {
    return f->radius * f->radius / f->tau;
}

static void restart(struct form *form, double mu) {
    struct boost_form *b = boost_of(form);
    double grown = b->estimation.L * sqrt(b->edge.tau / mu);
    b->edge.tau = mu;
    b->estimation.L = b->estimation.settings.fixed ? lipschitz(&b->edge) : grown;
    b->estimation.L_max = lipschitz(&b->edge);
    estimation_start(&b->estimation, NULL);
}

static void visit(struct form *form, struct state *state) {
    struct boost_form *b = boost_of(form);
    STATE_REALS(state, &form->passes, &b->edge.tau);
    state_doubles(state, b->edge.w, b->problem->risk->dimension);
    state_doubles(state, b->edge.mean_w, b->problem->risk->dimension);
    estimation_visit(&b->estimation, state);
}

static void boost_free(struct form *form) {
    struct boost_form *b = boost_of(form);
    estimation_free(&b->estimation);
    free(b->memory);
    free(b);
}

/* ---- memory */

static int allocate(struct boost_form *b, int64_t rows, int64_t n, struct error *e) {
    b->memory = memory_zeroed(3 * n + 3 * rows, sizeof *b->memory, "the distribution", e);
    if (b->memory == NULL)
        return -1;
    b->edge.w = b->memory;
    b->edge.mean_w = b->edge.w + n;
    b->slope = b->edge.mean_w + n;
    b->edge.work = b->slope + n;
    b->prox.work = b->edge.work + rows;
    b->start = b->prox.work + rows;
    return 0;
}

static void set_up(struct boost_form *b, double mu) {
    const struct problem *problem = b->problem;
    const struct boost_terms *boost = boost_terms(problem->risk);
    int64_t rows = boost->design->rows;
    bool ball = problem->regularizer->ball != NULL;
    b->edge.part = (struct smooth_part){.dimension = rows,
                                        .images = boost->design->columns,
                                        .image = find_edges,
                                        .value = value,
                                        .average = average};
    b->edge.boost = boost;
    b->edge.tau = problem->regularizer->constraint ? mu : problem->lambda;
    b->edge.both_signs = ball;
    b->edge.radius = ball ? problem->regularizer->ball(&problem->parameters).r : 1;
    b->prox.prox = (struct prox){.dimension = rows,
                                 .function = PROX_ENTROPY,
                                 .strong = 1 / boost->eta,
                                 .minimize = minimize};
    b->prox.cap = 1 / boost->nu;
}

/* Starts at the d that belongs to the weights w; uniform for w = 0. */
static void start(struct boost_form *b, const double *w) {
    const struct boost_terms *boost = b->edge.boost;
    boost_margins(boost, w, b->edge.work);
    minimize(&b->prox.prox, b->edge.work, 0, 1, b->start);
    estimation_start(&b->estimation, b->start);
    b->estimation.L = b->estimation.settings.fixed ? lipschitz(&b->edge) : 1;
    b->estimation.L_max = lipschitz(&b->edge);
}

struct form *boost_form_new(const struct form_request *request, struct error *e) {
    const struct estimation_settings estimation = form_estimation(request);
    struct boost_form *b = memory_zeroed(1, sizeof *b, "the form", e);
    if (b == NULL)
        return NULL;
    b->form = (struct form){.step = step,
                            .certify = certify,
                            .restart = restart,
                            .visit = visit,
                            .free = boost_free,
                            .step_passes = 1,
                            .max_passes = INFINITY};
    b->problem = request->problem;
    set_up(b, request->mu);
    if (allocate(b, b->edge.part.dimension, b->edge.part.images, e) != 0 ||
        estimation_init(&b->estimation, &estimation, &b->edge.part, &b->prox.prox, e) != 0) {
        boost_free(&b->form);
        return NULL;
    }
    start(b, request->w);
    return &b->form;
}
