/* online.c - the loop that all online subgradient methods share. */
#include "solvers/online.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/certificate.h"
#include "solvers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const online_outputs[] = {"last", "best", "average", NULL};
const char *const online_regularizers[] = {"l2", NULL};

enum { POLL = 1024 }; /* steps between looks at the clock */

static const double least_scale = 1e-60;

/* The iterate w = scale * v, and the sums behind the average of all iterates weighted by t:
 * sum_t t w_t = weights v - late, where weights = sum_t t scale_t and late gathers each change of v
 * times the weights before it. */
struct iterate {
    int64_t n, regularized;
    double *v;
    double scale;
    double square; /* ||v||^2 over the regularized coordinates */
    double *late;  /* NULL: no average is kept */
    double weights, total;
};

struct online {
    const struct problem *problem;
    const struct online_settings *settings;
    const struct online_constants *constants;
    struct monitor *monitor;
    struct iterate x;
    struct sampler sampler;
    struct risk_item *batch;
    double *point; /* room for one */
    double *kept;
    double kept_objective; /* of a kept point that was evaluated */
    bool done;             /* the rule's own criterion was met */
    int64_t t;
};

/* The new base is (sqrt(base^2 + target) + base)/2, and tau = target/4 over it: no cancellation,
 * one root and one division. */
double online_balance(double *base, double target) {
    double eta = 2 / (sqrt(*base * *base + target) + *base);
    *base += target * eta / 4;
    return eta;
}

void online_constants(const struct problem *problem, const struct run_settings *run,
                      struct online_constants *c) {
    const struct risk *risk = problem->risk;
    c->lambda = problem->lambda;
    c->rho = sqrt(risk->kind->pull(risk));
    c->diameter = c->rho / sqrt(c->lambda);
    c->constant = c->slope = 0;
    c->batch = run->batch_size < risk->items ? run->batch_size : risk->items;
    c->steps = (risk->items + c->batch - 1) / c->batch;
}

void online_measure_gradients(const struct problem *problem, struct online_constants *c) {
    problem->risk->kind->lipschitz(problem->risk, &c->constant, &c->slope);
}

double online_gradient_bound(const struct online_constants *c, double radius) {
    return c->constant + c->slope * radius + c->lambda * c->diameter;
}

/* ---- the iterate */

static void refresh_square(struct iterate *x) {
    x->square = vector_dot(x->v, x->v, x->regularized);
}

/* Folds the scale into v; the sums of the average change their units with it. */
static void fold_scale(struct iterate *x) {
    vector_scale(x->v, x->scale, x->regularized);
    x->weights /= x->scale;
    x->scale = 1;
    refresh_square(x);
}

/* w <- factor w on the regularized coordinates, factor >= 0. */
static void shrink(struct iterate *x, double factor) {
    x->scale *= factor;
    if (x->scale >= least_scale)
        return;
    if (x->scale > 0) {
        fold_scale(x);
        return;
    }
    if (x->late != NULL) {
        for (int64_t j = 0; j < x->regularized; j++)
            x->late[j] -= x->weights * x->v[j];
        x->weights = 0;
    }
    memset(x->v, 0, sizeof *x->v * (size_t)x->regularized);
    x->scale = 1;
    x->square = 0;
}

static void add_part(struct iterate *x, const struct risk_part *part, double step) {
    bool regularized = part->offset < x->regularized;
    double c = step * part->coefficient / (regularized ? x->scale : 1);
    double grown = sparse_add_grown(x->v + part->offset, c, part->column, part->value, part->count);
    if (regularized)
        x->square += grown;
    if (x->late != NULL)
        sparse_add(x->late + part->offset, c * (regularized ? x->weights : x->total), part->column,
                   part->value, part->count);
}

/* ||w||^2 over the regularized coordinates. */
static double iterate_square(const struct iterate *x) {
    return x->square > 0 ? x->scale * x->scale * x->square : 0;
}

static void count_iterate(struct iterate *x, int64_t t) {
    x->weights += (double)t * x->scale;
    x->total += (double)t;
}

static void copy_iterate(const struct iterate *x, double *w) {
    for (int64_t j = 0; j < x->n; j++)
        w[j] = j < x->regularized ? x->scale * x->v[j] : x->v[j];
}

/* What --output average returns. */
static void copy_average(const struct iterate *x, double *w) {
    for (int64_t j = 0; j < x->n; j++) {
        double weights = j < x->regularized ? x->weights : x->total;
        w[j] = (weights * x->v[j] - x->late[j]) / x->total;
    }
}

/* The point that the run would return now: the average if it is kept, else the iterate. */
static void copy_present(const struct iterate *x, double *w) {
    if (x->late != NULL && x->total > 0)
        copy_average(x, w);
    else
        copy_iterate(x, w);
}

/* ---- a step */

/* Bound of ||g||^2, g the mean of the batch's subgradients: exact for one item, and by the triangle
 * inequality ||g|| <= mean of the norms for more. */
static double subgradient_square(const struct online *o) {
    int64_t k = o->constants->batch;
    double sum = 0, one = 0;
    for (int64_t i = 0; i < k; i++) {
        one = 0;
        for (int p = 0; p < o->batch[i].parts; p++) {
            const struct risk_part *part = &o->batch[i].part[p];
            one += part->coefficient * part->coefficient * sparse_square(part->value, part->count);
        }
        sum += k > 1 ? sqrt(one) : 0;
    }
    return k > 1 ? sum * sum / ((double)k * (double)k) : one;
}

static int step(struct online *o, const struct online_rule *rule, void *state) {
    const struct risk *risk = o->problem->risk;
    struct iterate *x = &o->x;
    int64_t k = o->constants->batch;
    double eta, curvature, inverse = 1 / (double)k;
    for (int64_t i = 0; i < k; i++)
        risk->kind->item(risk, sampler_next(&o->sampler), x->v, x->scale, &o->batch[i]);
    rule->rate(state, rule->observes ? subgradient_square(o) : 0, &eta, &curvature);
    double factor = 1 - eta * curvature;
    shrink(x, factor > 0 ? factor : 0);
    for (int64_t i = 0; i < k; i++)
        for (int p = 0; p < o->batch[i].parts; p++)
            add_part(x, &o->batch[i].part[p], -eta * inverse);
    double square = iterate_square(x), most = o->constants->diameter * o->constants->diameter;
    if (o->settings->project && square > most) {
        shrink(x, sqrt(most / square));
        square = most;
    }
    o->t++;
    if (x->late != NULL)
        count_iterate(x, o->t);
    return rule->after == NULL ? 0 : rule->after(state, square);
}

/* ---- passes */

static double passes_done(const struct online *o) {
    return (double)o->t / (double)o->constants->steps;
}

/* J of the present point, copied to o->point; kept when it is the best so far and KEEP is set. */
static double evaluate_present(struct online *o, bool keep) {
    copy_present(&o->x, o->point);
    double objective = problem_objective(o->problem, o->point);
    if (keep && objective < o->kept_objective) {
        o->kept_objective = objective;
        memcpy(o->kept, o->point, sizeof *o->kept * (size_t)o->x.n);
    }
    return objective;
}

/* Tells the monitor of the present point; OBJECTIVE is not-a-number when J was not evaluated. */
static enum verdict report(struct online *o, double objective) {
    struct report r = {.iteration = o->t,
                       .passes = passes_done(o),
                       .objective = objective,
                       .bound = -INFINITY,
                       .nonzeros = -1,
                       .norm = sqrt(iterate_square(&o->x))};
    if (!isnan(objective)) {
        r.nonzeros = vector_nonzeros(o->point, o->x.n);
        r.norm = sqrt(vector_dot(o->point, o->point, o->x.regularized));
    }
    return monitor_report(o->monitor, &r);
}

/* At the end of a pass J is evaluated where somebody looks at it, which is not training, or where
 * the best point is wanted, which is. */
static enum verdict report_pass(struct online *o) {
    bool best = o->settings->output == OUTPUT_BEST;
    double objective = NAN;
    if (!best)
        monitor_pause(o->monitor);
    if (best || monitor_watched(o->monitor))
        objective = evaluate_present(o, best);
    enum verdict verdict = report(o, objective);
    monitor_resume(o->monitor);
    return verdict;
}

/* Does what the rule asked for. */
static enum verdict obey(struct online *o, const struct online_rule *rule, void *state, int flags) {
    if (flags & ONLINE_RESET)
        shrink(&o->x, 0);
    if (flags & ONLINE_KEEP)
        copy_iterate(&o->x, o->kept);
    enum verdict verdict = VERDICT_GO_ON;
    if (flags & ONLINE_CHECK) {
        double objective = evaluate_present(o, true);
        verdict = report(o, objective);
        flags |= rule->checked(state, objective);
    }
    o->done = flags & ONLINE_DONE;
    return o->done ? VERDICT_CONVERGED : verdict;
}

/* Steps up to the end of the pass; VERDICT_GO_ON at its end. */
static enum verdict run_pass(struct online *o, const struct online_rule *rule, void *state) {
    int64_t end = (o->t / o->constants->steps + 1) * o->constants->steps;
    fold_scale(&o->x);
    enum verdict verdict = VERDICT_GO_ON;
    while (o->t < end && verdict == VERDICT_GO_ON) {
        int flags = step(o, rule, state);
        if (flags != 0)
            verdict = obey(o, rule, state, flags);
        if (o->t % POLL == 0 && verdict == VERDICT_GO_ON)
            verdict = monitor_poll(o->monitor);
    }
    return verdict;
}

static enum verdict run_passes(struct online *o, const struct online_rule *rule, void *state) {
    enum verdict verdict = VERDICT_GO_ON;
    while (verdict == VERDICT_GO_ON) {
        verdict = run_pass(o, rule, state);
        if (verdict == VERDICT_GO_ON)
            verdict = report_pass(o);
    }
    return verdict;
}

static int online_init(struct online *o, const struct run_settings *run, bool shuffle,
                       const double *w, struct error *e) {
    const struct risk *risk = o->problem->risk;
    int64_t n = risk->dimension;
    o->x = (struct iterate){.n = n, .regularized = risk->regularized, .scale = 1};
    o->x.v = memory_new(n, sizeof(double), "the weights", e);
    o->point = memory_new(n, sizeof(double), "a point", e);
    o->batch = memory_new(o->constants->batch, sizeof *o->batch, "the batch", e);
    o->kept = memory_new(n, sizeof(double), "the weights kept", e);
    if (o->settings->output == OUTPUT_AVERAGE)
        o->x.late = memory_zeroed(n, sizeof(double), "the average", e);
    if (o->x.v == NULL || o->point == NULL || o->batch == NULL || o->kept == NULL ||
        (o->settings->output == OUTPUT_AVERAGE && o->x.late == NULL))
        return -1;
    if (sampler_init(&o->sampler, risk, shuffle, run->seed, run->stream, e) != 0)
        return -1;
    memcpy(o->x.v, w, sizeof *w * (size_t)n);
    memcpy(o->kept, w, sizeof *w * (size_t)n);
    refresh_square(&o->x);
    o->kept_objective = run->warm ? problem_objective(o->problem, w) : INFINITY;
    return 0;
}

static void online_free(struct online *o) {
    sampler_free(&o->sampler);
    free(o->x.v);
    free(o->x.late);
    free(o->point);
    free(o->batch);
    free(o->kept);
}

static void certify(struct online *o, const double *w, struct outcome *outcome) {
    outcome->objective = certificate_evaluate(o->problem, w, o->point, &outcome->bound);
}

/* The result and what is known of it: the point that the rule kept when it was done; else the
 * present one, unless a point evaluated earlier is better. */
static int finish(struct online *o, double *w, struct outcome *outcome, struct error *e) {
    size_t size = sizeof *w * (size_t)o->x.n;
    if (o->done)
        memcpy(w, o->kept, size);
    else
        copy_present(&o->x, w);
    certify(o, w, outcome);
    if (!o->done && isfinite(o->kept_objective) && !(outcome->objective <= o->kept_objective)) {
        memcpy(w, o->kept, size);
        certify(o, w, outcome);
    }
    outcome->passes = passes_done(o);
    outcome->iterations = o->t;
    if (!isfinite(outcome->objective))
        return error_set(e,
                         "the iterates grew beyond all numbers; use --project on, solver proximal, "
                         "or a larger lambda");
    return 0;
}

int online_train(const struct problem *problem, const struct run_settings *run,
                 const struct online_settings *settings, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct monitor *monitor, double *w,
                 struct outcome *outcome, struct error *e) {
    struct online o = {
        .problem = problem, .settings = settings, .constants = constants, .monitor = monitor};
    int status = online_init(&o, run, rule->shuffles, w, e);
    if (status == 0) {
        bool trivial = constants->diameter == 0;
        if (trivial)
            shrink(&o.x, 0);
        outcome->verdict = trivial ? VERDICT_CONVERGED : run_passes(&o, rule, state);
        status = finish(&o, w, outcome, e);
    }
    online_free(&o);
    return status;
}
