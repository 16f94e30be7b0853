/* accelerated.c - the loop of agm and agm1: steps, looks at the gap, smoothing. */
#include "solvers/accelerated/accelerated.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

enum { SPACE = 2, STILL_LEAST = 50 }; /* passes between looks, and without a change */

static const double gap_check_interval = 0.05;   /* of the passes so far: a look at the gap */
static const double sparse_check_interval = 0.5; /* of the iterations: a look for sparse weights, */
static const double sparse_check_gap =
    2; /* but often at gaps below so many times the one asked for */
static const double first_mu_scale = 1; /* mu, of the loss */
static const double mu_decrease = 16;   /* of mu */
static const double method_share =
    0.25; /* of the gap that smoothing takes: what the method leaves */
static const double smoothing_share = 0.3; /* of the gap asked for: what smoothing may take */
static const double method_done =
    1e-3; /* of the gap: what the method leaves where mu is in its way */
static const double warm_mu_scale = 10;          /* times the gap asked for: mu at a warm start */
static const double least_mu = 1e-18;            /* mu, of the loss */
static const double unchanged_objective = 1e-12; /* of J: no change */
static const double zero_gap = 1e-16;            /* of the loss: a gap that nothing can close */
static const double stall_factor =
    1.6; /* times the passes at the last change, that nothing changes */

struct accelerated {
    struct batch batch;
    const struct accelerated_settings *settings;
    struct form *form;
    double mu;            /* 0: no smoothing */
    double look;          /* passes at which the next look is due */
    double sparse_look;   /* the iteration of the next look for sparse weights */
    double own_passes;    /* other than the form's */
    struct form_gap last; /* look */
    double changed; /* passes at the last look that found something else than the one before */
    double scale;   /* of the loss: its mean at w = 0 for regression, and else 1 */
};

/* ---- smoothing */

static bool is_smooth(const struct problem *problem, const struct accelerated_settings *settings) {
    if (form_is_boosting(problem, settings))
        return !problem->regularizer->constraint;
    const struct risk *risk = problem->risk;
    return risk->scalar == NULL ? risk->smoothing == 0 : risk->scalar->loss->second != NULL;
}

/* The losses of classification are of the size of 1 at w = 0; those of regression go with the targets.
 * Where mu = 1 means something else, the mu by which R_mu(0) may be 0. */
static int find_scale(const struct problem *problem, double *scale, struct error *e) {
    const struct risk *risk = problem->risk;
    bool known =
        risk->scalar == NULL ? risk->smoothing == 0 : risk->scalar->loss->task != TASK_REGRESSION;
    *scale = 1;
    if (known)
        return 0;
    double *zero = memory_zeroed(risk->dimension, sizeof *zero, "weights", e);
    if (zero == NULL)
        return -1;
    double value = risk_evaluate(risk, zero, 0, NULL);
    free(zero);
    if (risk->scalar == NULL)
        value /= risk->smoothing;
    if (value > 0 && isfinite(value))
        *scale = value;
    return 0;
}

/* A mu that is not given is, when it stays, such that R - R_mu is below the gap asked for where J is what
 * it is at w = 0. */
static double first_mu(const struct accelerated *a, const struct problem *problem) {
    const struct accelerated_settings *settings = a->settings;
    double tolerance = a->batch.monitor->tolerance;
    if (is_smooth(problem, settings))
        return 0;
    if (settings->mu > 0)
        return settings->mu;
    bool fixed = settings->smoothing == SMOOTHING_FIXED && tolerance > 0;
    return a->scale * (fixed ? tolerance : first_mu_scale);
}

static void lessen_mu(struct accelerated *a, double factor) {
    a->mu *= factor;
    a->form->restart(a->form, a->mu);
}

/* Homotopy: once the method has solved its own problem nearly as well as smoothing allows, there is less
 * of it; but never less than the gap asked for warrants. */
static void follow_gap(struct accelerated *a, const struct form_gap *gap, double wanted) {
    if (gap->smooth <= method_share * gap->smoothing && gap->smoothing > wanted &&
        a->mu > least_mu * a->scale)
        lessen_mu(a, fmax(1 / mu_decrease, wanted / gap->smoothing));
}

/* A fixed mu that is in the way of the gap asked for: a smaller one, or, where it was given, the end. */
static void look_at_mu(struct accelerated *a, const struct form_gap *gap, double wanted) {
    static const struct obstacle obstacle = {"smoothing", "lower --mu"};
    if (gap->smooth > method_done * gap->smoothing || gap->smoothing <= wanted)
        return;
    if (a->settings->mu > 0)
        batch_stop_at(&a->batch, obstacle);
    else if (a->mu > least_mu * a->scale)
        lessen_mu(a, fmax(1 / mu_decrease, wanted / gap->smoothing));
}

static void choose_mu(struct accelerated *a, const struct form_gap *gap) {
    double wanted = smoothing_share * a->batch.monitor->tolerance * fabs(gap->objective);
    if (a->mu == 0 || a->form->restart == NULL)
        return;
    if (a->settings->smoothing == SMOOTHING_HOMOTOPY)
        follow_gap(a, gap, wanted);
    else
        look_at_mu(a, gap, wanted);
}

/* ---- the loop */

/* Nothing has changed for long: rounding. */
static bool stands_still(struct accelerated *a, const struct form_gap *gap) {
    double slack = unchanged_objective * fmax(fabs(gap->objective), zero_gap * a->scale);
    bool same = fabs(gap->objective - a->last.objective) <= slack &&
                fabs(gap->smooth - a->last.smooth) <= slack;
    double passes = a->form->passes;
    if (!same)
        a->changed = passes;
    a->last = *gap;
    return passes > fmax(stall_factor * a->changed, a->changed + STILL_LEAST);
}

/* An optimum of 0 has no relative gap. */
static void look_at_scale(struct accelerated *a) {
    static const struct obstacle obstacle = {"a gap of 0 but for rounding",
                                             "nothing is to be gained"};
    if (a->batch.objective - a->batch.bound <= zero_gap * a->scale)
        batch_stop_at(&a->batch, obstacle);
}

/* J of the best point anew. True when the run is over after all. */
static bool is_confirmed(struct accelerated *a) {
    struct batch *batch = &a->batch;
    batch_renew(batch);
    a->own_passes += 0.5;
    batch_count(batch, 0.5);
    return batch_is_over(batch);
}

/* Sparse weights cost passes: they are looked for now and then, and where the run may end. */
static void offer_sparse(struct accelerated *a, const struct form_gap *gap, bool last) {
    struct batch *batch = &a->batch;
    const struct monitor_settings *settings = &batch->monitor->settings;
    bool closes = gap->objective - batch->bound <=
                  sparse_check_gap * monitor_gap(batch->monitor, gap->objective);
    bool ends =
        last || batch->passes >= settings->passes || monitor_poll(batch->monitor) != VERDICT_GO_ON;
    if (a->form->offer_sparse == NULL || !(closes || ends || batch->iteration >= a->sparse_look))
        return;
    a->form->offer_sparse(a->form, batch, gap->objective);
    a->sparse_look = (double)batch->iteration * (1 + sparse_check_interval);
}

static void count_passes(struct accelerated *a) {
    batch_count(&a->batch, a->form->passes + a->own_passes - a->batch.passes);
}

/* Looks at the gap; true when the run is over, also since the limit AFFORDS no step. */
static bool is_over(struct accelerated *a, bool stepped, bool affords) {
    struct batch *batch = &a->batch;
    count_passes(a);
    struct form_gap gap = a->form->certify(a->form, batch);
    bool stalled = !stepped || stands_still(a, &gap);
    count_passes(a);
    offer_sparse(a, &gap, stalled || !affords);
    count_passes(a);
    a->look = fmax(a->form->passes * (1 + gap_check_interval), a->form->passes + SPACE);
    if (!batch_report(batch)) {
        choose_mu(a, &gap);
        look_at_scale(a);
        if (stalled)
            batch_stall(batch);
    }
    if (!affords && batch->verdict == VERDICT_GO_ON)
        batch->verdict = VERDICT_PASSES;
    bool over = batch->verdict != VERDICT_GO_ON && is_confirmed(a);
    if (!affords && !over) /* the tolerance is not kept after all */
        batch->verdict = VERDICT_PASSES;
    return over || !affords;
}

static void iterate(struct accelerated *a) {
    const struct monitor *monitor = a->batch.monitor;
    for (;;) {
        a->form->passes_most = monitor->settings.passes - a->own_passes;
        bool affords = a->form->passes + a->form->step_passes <= a->form->passes_most;
        bool stepped = !affords || a->form->step(a->form);
        bool due = !stepped || !affords || a->form->passes >= a->look ||
                   monitor_poll(monitor) != VERDICT_GO_ON;
        if (due && is_over(a, stepped, affords))
            return;
        a->batch.iteration += !due;
    }
}

/* A warm start is a point as good as any, and smoothed coarsely it would be left for a worse one. */
static void begin_warm(struct accelerated *a) {
    struct batch *batch = &a->batch;
    double objective = problem_objective(batch->problem, batch->best);
    a->own_passes += 0.5;
    if (!isfinite(objective))
        return;
    batch_offer(batch, NULL, objective);
    double wanted = monitor_gap(batch->monitor, objective);
    if (a->mu > 0 && a->settings->mu == 0)
        a->mu = fmin(a->mu, fmax(warm_mu_scale * wanted, least_mu * a->scale));
}

int accelerated_train(const struct solve *solve, bool one_memory, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct accelerated_settings *settings = solve->options;
    struct accelerated_settings chosen = *settings;
    struct accelerated a = {.settings = &chosen, .last = {.objective = INFINITY}};
    batch_begin(&a.batch, problem, solve->monitor, solve->w); /* from here on limits are heard */
    if (problem->risk->scalar == NULL && risk_smooth(problem->risk, e) != 0)
        return -1;
    if (chosen.form == FORM_AUTO)
        chosen.form = form_choose(problem, settings);
    if (find_scale(problem, &a.scale, e) != 0)
        return -1;
    a.mu = first_mu(&a, problem);
    if (solve->run->warm)
        begin_warm(&a);
    a.form = form_new(&(struct form_request){.problem = problem,
                                             .run = solve->run,
                                             .monitor = solve->monitor,
                                             .settings = &chosen,
                                             .one_memory = one_memory,
                                             .mu = a.mu,
                                             .w = solve->w},
                      e);
    if (a.form == NULL)
        return -1;
    iterate(&a);
    a.form->free(a.form);
    return batch_finish(&a.batch, solve->outcome, e);
}

const char *const accelerated_regularizers[] = {"l2",      "l1",      "elastic-net",      "entropy",
                                                "simplex", "l1-ball", "elastic-net-ball", NULL};
