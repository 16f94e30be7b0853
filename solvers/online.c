/* online.c - the loop that all online subgradient methods share. */
#include "solvers/online.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/certificate.h"
#include "solvers/iterate.h"
#include "solvers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const online_outputs[] = {"last", "best", "average", NULL};
const char *const online_regularizers[] = {"l2", NULL};

enum { POLL = 1024 }; /* steps between looks at the clock */

struct online {
    const struct problem *problem;
    const struct online_settings *settings;
    const struct online_constants *constants;
    struct monitor *monitor;
    struct iterate x;
    struct sampler sampler;
    struct risk_item *batch;
    double *point; /* room for one */
    double *best;  /* the best point evaluated so far */
    double best_objective;
    double *kept;  /* the point that the rule asked to keep */
    bool done;     /* the rule's own criterion was met */
    bool overflow; /* a square was beyond all numbers */
    int64_t t;
    int64_t limit; /* steps */
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
    c->radius = c->diameter = c->rho / sqrt(c->lambda);
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
    struct online_rates rates = {0};
    double length2 = 0;
    for (int64_t i = 0; i < k; i++)
        risk->kind->item(risk, sampler_next(&o->sampler), x->v, x->scale, &o->batch[i]);
    if (rule->observes) {
        length2 = subgradient_square(o);
        o->overflow = o->overflow || isinf(length2);
    }
    rule->rate(state, length2, &rates);
    double factor = 1 - rates.eta * rates.curvature;
    iterate_shrink(x, factor > 0 ? factor : 0);
    for (int64_t i = 0; i < k; i++)
        for (int p = 0; p < o->batch[i].parts; p++)
            iterate_add(x, &o->batch[i].part[p], -rates.eta / (double)k, -rates.offset / (double)k);
    double square = iterate_square(x);
    o->overflow = o->overflow || !isfinite(x->square);
    double most = o->constants->radius * o->constants->radius;
    if (o->settings->project && square > most) {
        iterate_shrink(x, sqrt(most / square));
        square = most;
    }
    o->t++;
    if (x->late != NULL)
        iterate_count(x, o->t);
    return rule->after == NULL ? 0 : rule->after(state, square);
}

/* ---- passes */

static double passes_done(const struct online *o) {
    return (double)o->t / (double)o->constants->steps;
}

/* The point that the run would return now: the average if it is kept, else the iterate. */
static void copy_present(const struct online *o, double *w) {
    if (o->x.late != NULL && o->x.total > 0)
        iterate_copy_average(&o->x, w);
    else
        iterate_copy(&o->x, w);
}

/* J of the present point, copied to o->point; with REMEMBER it may become the best one. */
static double evaluate_present(struct online *o, bool remember) {
    copy_present(o, o->point);
    double objective = problem_objective(o->problem, o->point);
    if (remember && objective < o->best_objective) {
        o->best_objective = objective;
        memcpy(o->best, o->point, sizeof *o->best * (size_t)o->x.n);
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
                       .norm = sqrt(iterate_square(&o->x)),
                       .delta = NAN};
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
        iterate_reset(&o->x);
    if (flags & ONLINE_KEEP)
        iterate_copy(&o->x, o->kept);
    enum verdict verdict = VERDICT_GO_ON;
    if (flags & ONLINE_CHECK) {
        double objective = evaluate_present(o, true);
        verdict = report(o, objective);
        flags |= rule->checked(state, objective);
    }
    o->done = flags & ONLINE_DONE;
    return o->done ? VERDICT_CONVERGED : verdict;
}

/* Steps up to the end of the pass, or of the run; VERDICT_GO_ON at its end. */
static enum verdict run_pass(struct online *o, const struct online_rule *rule, void *state) {
    int64_t end = (o->t / o->constants->steps + 1) * o->constants->steps;
    end = end < o->limit ? end : o->limit;
    iterate_fold(&o->x);
    enum verdict verdict = VERDICT_GO_ON;
    while (o->t < end && verdict == VERDICT_GO_ON && !o->overflow) {
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
        if (o->overflow)
            return VERDICT_PASSES; /* an error, by finish */
        if (verdict == VERDICT_GO_ON)
            verdict = report_pass(o);
        if (verdict == VERDICT_GO_ON && o->t >= o->limit)
            verdict = VERDICT_PASSES;
    }
    return verdict;
}

static int online_init(struct online *o, const struct run_settings *run,
                       const struct online_rule *rule, const double *w, struct error *e) {
    const struct risk *risk = o->problem->risk;
    int64_t n = risk->dimension;
    double limit = ceil(run->passes * (double)o->constants->steps);
    o->limit = limit < (double)INT64_MAX ? (int64_t)limit : INT64_MAX;
    o->point = memory_new(n, sizeof(double), "a point", e);
    o->best = memory_new(n, sizeof(double), "the best point", e);
    o->kept = memory_new(n, sizeof(double), "the point kept", e);
    o->batch = memory_new(o->constants->batch, sizeof *o->batch, "the batch", e);
    if (o->point == NULL || o->best == NULL || o->kept == NULL || o->batch == NULL ||
        iterate_init(&o->x, risk, w, o->settings->output == OUTPUT_AVERAGE, e) != 0 ||
        sampler_init(&o->sampler, risk, rule->shuffles, run->seed, run->stream, e) != 0)
        return -1;
    double square = iterate_square(&o->x), radius = o->constants->radius;
    if (o->settings->project && square > radius * radius)
        iterate_shrink(&o->x, radius / sqrt(square));
    iterate_copy(&o->x, o->best);
    iterate_copy(&o->x, o->kept);
    o->best_objective = run->warm ? problem_objective(o->problem, o->best) : INFINITY;
    return 0;
}

static void online_free(struct online *o) {
    sampler_free(&o->sampler);
    iterate_free(&o->x);
    free(o->point);
    free(o->best);
    free(o->kept);
    free(o->batch);
}

static int beyond_numbers(struct error *e) {
    return error_set(e, "the iterates grew beyond all numbers; scale the data or raise lambda");
}

static void certify(struct online *o, const double *w, struct outcome *outcome) {
    outcome->objective = certificate_evaluate(o->problem, w, o->point, &outcome->bound);
}

/* The result and what is known of it: the point that the rule keeps, when it is done; else the present
 * one, unless a point evaluated earlier is better. */
static int finish(struct online *o, bool keeps, double *w, struct outcome *outcome,
                  struct error *e) {
    size_t size = sizeof *w * (size_t)o->x.n;
    if (o->done && keeps)
        memcpy(w, o->kept, size);
    else
        copy_present(o, w);
    certify(o, w, outcome);
    if (!(o->done && keeps) && isfinite(o->best_objective) &&
        !(outcome->objective <= o->best_objective)) {
        memcpy(w, o->best, size);
        certify(o, w, outcome);
    }
    outcome->passes = passes_done(o);
    outcome->iterations = o->t;
    if (outcome->bound >= outcome->objective)
        outcome->verdict = VERDICT_CONVERGED; /* nothing is lower */
    if (o->overflow || !isfinite(outcome->objective) || isnan(outcome->bound))
        return beyond_numbers(e);
    return 0;
}

int online_train(const struct problem *problem, const struct run_settings *run,
                 const struct online_settings *settings, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct monitor *monitor, double *w,
                 struct outcome *outcome, struct error *e) {
    struct online o = {
        .problem = problem, .settings = settings, .constants = constants, .monitor = monitor};
    if (!isfinite(constants->constant) || !isfinite(constants->slope))
        return beyond_numbers(e);
    int status = online_init(&o, run, rule, w, e);
    if (status == 0 && constants->diameter == 0) { /* no loss at w = 0 */
        memset(w, 0, sizeof *w * (size_t)o.x.n);
        *outcome = (struct outcome){.verdict = VERDICT_CONVERGED};
    } else if (status == 0) {
        outcome->verdict = run_passes(&o, rule, state);
        status = finish(&o, rule->keeps, w, outcome, e);
    }
    online_free(&o);
    return status;
}
