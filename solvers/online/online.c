/* online.c - the loop that all online subgradient methods share. */
#include "solvers/online/online.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/online/batch_step.h"
#include "solvers/online/certify.h"
#include "solvers/online/iterate.h"
#include "solvers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const online_regularizers[] = {"l2", NULL};

const struct option_row online_options[ONLINE_OPTIONS] = {ONLINE_OPTION_ROWS, ONLINE_LIMIT_ROW};

struct online {
    struct passes passes; /* its `t` counts the steps */
    const struct problem *problem;
    const struct online_settings *settings;
    const struct online_constants *constants;
    const struct online_rule *rule;
    void *state;                 /* the rule's */
    struct iterate x;            /* w, and the average if it is kept */
    struct sampler sampler;      /* draws the items */
    struct risk_item *batch;     /* the losses and subgradients of the step's items */
    double loss;                 /* the mean of the batch's */
    struct batch_step *parallel; /* for steps of many items; NULL: one item after the other */
    double *kept;                /* the iterate of the last ONLINE_KEEP */
    double *mean;                /* work for subgradient_square; 0 between its calls; may be NULL */
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
    c->rho = sqrt(risk->kind->norm_bound(risk));
    c->radius = c->diameter = c->rho / sqrt(c->lambda);
    c->constant = c->slope = 0;
    c->offset_bound = INFINITY;
    c->batch = passes_batch(problem, run);
    c->steps = passes_steps(problem, run);
}

void online_measure_gradients(const struct problem *problem, struct online_constants *c) {
    problem->risk->kind->lipschitz(problem->risk, &c->constant, &c->slope);
}

double online_gradient_bound(const struct online_constants *c, double radius) {
    return c->constant + c->slope * radius + c->lambda * c->diameter;
}

/* ---- a step */

static bool needs_gradient_norm(const struct online *o) {
    return o->rule->needs_gradient_norm || o->settings->limit;
}

/* ||g||^2 of the mean g of the batch's subgradients. o->mean is 0 before and after. */
static double subgradient_square(const struct online *o) {
    int64_t k = o->constants->batch;
    double sum = 0;
    if (k == 1)
        return risk_item_square(&o->batch[0]);
    if (o->parallel != NULL && batch_step_is_dense(o->parallel))
        return batch_step_square(o->parallel) / ((double)k * (double)k);
    for (int64_t i = 0; i < k; i++)
        for (int p = 0; p < o->batch[i].rows; p++)
            sum += iterate_row_add(o->mean, &o->batch[i].row[p]);
    for (int64_t i = 0; i < k; i++)
        for (int p = 0; p < o->batch[i].rows; p++)
            iterate_row_clear(o->mean, &o->batch[i].row[p]);
    return fmax(sum, 0) / ((double)k * (double)k);
}

/* draw_batch of many items, by threads. */
__attribute__((noinline)) static double draw_many(struct online *o) {
    int64_t *item = batch_step_items(o->parallel);
    for (int64_t i = 0; i < o->constants->batch; i++)
        item[i] = sampler_take(&o->sampler);
    return batch_step_losses(o->parallel, &o->x, o->batch);
}

/* Draws the items of the next step and computes their subgradients at w. False when a time limit or an
 * interruption came before the end of one of them: then the step is not made. */
static bool draw_batch(struct online *o) {
    const struct risk *risk = o->problem->risk;
    const struct iterate *x = &o->x;
    double loss = 0;
    for (int64_t i = 0; o->parallel == NULL && i < o->constants->batch; i++) {
        risk->kind->item(risk, sampler_next(&o->sampler), x->v, x->scale, &o->batch[i]);
        loss += o->batch[i].loss;
    }
    if (o->parallel != NULL)
        loss = draw_many(o);
    o->loss = loss / (double)o->constants->batch;
    return !isnan(loss) || !risk_stopped(risk);
}

/* Subtracts ETA times the mean of the batch's subgradients from w, OFFSET times it from unregularized coordinates. */
static void add_batch(struct online *o, double eta, double offset) {
    const double k = (double)o->constants->batch;
    if (o->parallel != NULL && batch_step_is_dense(o->parallel)) {
        batch_step_add(o->parallel, &o->x, -eta / k, -offset / k);
        return;
    }
    for (int64_t i = 0; i < o->constants->batch; i++)
        for (int p = 0; p < o->batch[i].rows; p++)
            iterate_add(&o->x, &o->batch[i].row[p], -eta / k, -offset / k);
}

/* One step with the batch drawn; returns the rule's flags. */
static int step(struct online *o) {
    struct iterate *x = &o->x;
    struct online_rates rates = {.weight = (double)(o->passes.t + 1), .convexity = 1};
    if (needs_gradient_norm(o)) {
        rates.square = subgradient_square(o);
        o->passes.overflow = o->passes.overflow || isinf(rates.square);
    }
    /* The rule sets eta and the curvature. */
    o->rule->rate(o->state, &rates);
    /* w <- (1 - eta curvature) w - eta (mean of the batch's subgradients) */
    double factor = 1 - rates.eta * rates.curvature;
    iterate_shrink(x, factor > 0 ? factor : 0);
    double share =
        o->settings->limit ? online_limit(o->loss, rates.square, fmax(rates.eta, rates.offset)) : 1;
    add_batch(o, rates.eta * share, rates.offset * share);
    /* Projection onto the ball S, and of the offset onto its interval. */
    double square = iterate_square(x);
    o->passes.overflow = o->passes.overflow || !isfinite(x->square);
    double max_square = o->constants->radius * o->constants->radius;
    if (o->settings->project && square > max_square) {
        iterate_shrink(x, sqrt(max_square / square));
        square = max_square;
    }
    if (iterate_clip(x, o->constants->offset_bound) && o->rule->clipped != NULL)
        o->rule->clipped(o->state);
    o->passes.t++;
    /* The new point joins the average. */
    if (x->correction != NULL && rates.restart)
        iterate_restart(x);
    if (x->correction != NULL)
        iterate_count(x, rates.weight);
    return o->rule->after == NULL ? 0 : o->rule->after(o->state, square);
}

/* Does what the rule's flags say; returns the verdict. */
static enum verdict handle_flags(struct online *o, int flags) {
    if (flags & ONLINE_RESET)
        iterate_reset(&o->x);
    if (flags & ONLINE_KEEP)
        iterate_copy(&o->x, o->kept);
    enum verdict verdict = VERDICT_GO_ON;
    if (flags & ONLINE_CHECK) {
        double objective = passes_evaluate(&o->passes);
        verdict = passes_report(&o->passes, objective);
        if (!isnan(objective) || verdict == VERDICT_GO_ON) /* the evaluation was not interrupted */
            flags |= o->rule->checked(o->state, o->passes.t, objective);
    }
    if (!(flags & ONLINE_DONE))
        return verdict;
    o->passes.chosen = o->rule->keeps ? o->kept : NULL;
    return o->rule->keeps ? VERDICT_CONVERGED : VERDICT_SETTLED;
}

/* ---- the functions of struct passes_method */

/* Makes steps up to step `end`, an overflow or a verdict of the rule. */

static enum verdict advance(void *state, int64_t end) {
    struct online *o = state;
    enum verdict verdict = VERDICT_GO_ON;
    while (o->passes.t < end && verdict == VERDICT_GO_ON && !o->passes.overflow) {
        if (!draw_batch(o))
            return monitor_poll(o->passes.monitor);
        int flags = step(o);
        if (flags != 0)
            verdict = handle_flags(o, flags);
    }
    return verdict;
}

/* At the start of a pass. */
static void fold_iterate(void *state) {
    struct online *o = state;
    iterate_fold(&o->x);
}

/* The average if it is kept and has points, else the iterate. */
static void copy_present(const void *state, double *w) {
    const struct online *o = state;
    if (o->x.correction != NULL && o->x.weight_sum > 0)
        iterate_copy_average(&o->x, w);
    else
        iterate_copy(&o->x, w);
}

static double norm(const void *state) {
    const struct online *o = state;
    return sqrt(iterate_square(&o->x));
}

static void visit(void *state, struct state *list) {
    struct online *o = state;
    iterate_visit(&o->x, list);
    sampler_visit(&o->sampler, list);
    state_doubles(list, o->kept, o->x.n);
    o->passes.chosen = state_flag(list, o->passes.chosen != NULL) ? o->kept : NULL;
    o->rule->visit(o->state, list);
}

static const struct passes_method method = {.advance = advance,
                                            .begin_pass = fold_iterate,
                                            .copy = copy_present,
                                            .visit = visit,
                                            .norm = norm};

static int online_init(struct online *o, const struct run_settings *run, const double *w,
                       struct error *e) {
    const struct risk *risk = o->problem->risk;
    o->kept = memory_new(risk->dimension, sizeof(double), "the point kept", e);
    o->batch = risk_items_new(o->problem->risk, o->constants->batch, e);
    if (needs_gradient_norm(o) && o->constants->batch > 1)
        o->mean = memory_zeroed(risk->dimension, sizeof(double), "a gradient", e);
    if (needs_gradient_norm(o) && o->constants->batch > 1 && o->mean == NULL)
        return -1;
    if (batch_step_new(risk, o->constants->batch, &o->parallel, e) != 0)
        return -1;
    if (o->kept == NULL || o->batch == NULL || passes_init(&o->passes, run, e) != 0 ||
        iterate_init(&o->x, risk, w, o->settings->output == OUTPUT_AVERAGE, e) != 0 ||
        sampler_init(&o->sampler, risk, o->rule->shuffles, o->constants->batch, run->seed,
                     run->stream, e) != 0)
        return -1;
    double square = iterate_square(&o->x), radius = o->constants->radius;
    if (o->settings->project && square > radius * radius)
        iterate_shrink(&o->x, radius / sqrt(square));
    iterate_copy(&o->x, o->kept);
    passes_start(&o->passes, run->warm);
    return 0;
}

static void online_free(struct online *o) {
    passes_free(&o->passes);
    sampler_free(&o->sampler);
    iterate_free(&o->x);
    batch_step_free(o->parallel);
    free(o->kept);
    free(o->mean);
    free(o->batch);
}

int online_check_batch(const struct problem *problem, int64_t batch, struct error *e) {
    const struct scalar_terms *terms = problem->risk->scalar;
    bool window = terms != NULL && terms->design->data->window != NULL;
    if (!window || batch <= WINDOW_ALONE)
        return 0;
    return error_set(
        e, "steps of %lld examples: at most %d where mapped examples do not all fit in memory",
        (long long)batch, WINDOW_ALONE);
}

int online_train(const struct solve *solve, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct online_settings *settings = solve->options;
    struct online o = {.problem = problem,
                       .settings = settings,
                       .constants = constants,
                       .rule = rule,
                       .state = state};
    if (online_check_batch(problem, constants->batch, e) != 0)
        return -1;
    o.passes = (struct passes){.problem = problem,
                               .method = &method,
                               .state = &o,
                               .monitor = solve->monitor,
                               .output = settings->output};
    if (!isfinite(constants->constant) || !isfinite(constants->slope))
        return passes_overflow(e);
    int status = online_init(&o, solve->run, solve->w, e);
    if (status == 0 && constants->diameter == 0) { /* no loss at w = 0 */
        memset(solve->w, 0, sizeof *solve->w * (size_t)o.x.n);
        *solve->outcome = (struct outcome){.verdict = VERDICT_CONVERGED};
    } else if (status == 0) {
        enum verdict verdict;
        status = passes_run(&o.passes, &verdict, e);
        if (status == 0)
            status = passes_finish(&o.passes, verdict, solve->w, solve->outcome, e);
        if (status == 0)
            certify_result(solve);
    }
    online_free(&o);
    return status;
}
