/* accelerated.c - the loop of agm and agm1: steps, checks of the gap, smoothing. */
#include "solvers/accelerated/accelerated.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
    MIN_CHECK_PASSES = 2,     /* passes between two checks of the gap, at least */
    MIN_UNCHANGED_PASSES = 50 /* passes without a change before the run has stalled, at least */
};

/* When to check the gap, and when to look for sparse weights. */
static const double gap_check_interval = 0.05;   /* of the passes so far, to the next check */
static const double sparse_check_interval = 0.5; /* of the iterations so far, to the next attempt */
static const double sparse_check_gap =
    2; /* at gaps below this times -e, an attempt at each check */

/* mu, in units of the loss. */
static const double first_mu_scale = 1;
static const double min_mu = 1e-18;
static const double mu_decrease = 16;      /* the largest factor by which mu falls at once */
static const double warm_mu_scale = 10;    /* mu of a warm start, times the required gap */
static const double method_share = 0.25;   /* homotopy: mu falls below this share of `smooth` */
static const double smoothing_share = 0.3; /* of the required gap: what smoothing may take */
static const double method_solved = 1e-3;  /* fixed mu: it is too large below this share */

/* The end of a run that makes no progress. */
static const double unchanged_objective = 1e-12; /* of J: smaller changes are none */
static const double zero_gap = 1e-16;            /* of the loss: a gap of rounding */
static const double stall_factor = 1.6;          /* of the passes at the last change */

struct accelerated {
    struct batch batch;
    const struct accelerated_settings *settings;
    struct form *form;
    double mu;                /* 0: no smoothing */
    double next_check;        /* passes at the next check of the gap */
    double next_sparse_check; /* iteration of the next attempt at sparse weights */
    double other_passes;      /* passes not counted by the form */
    struct form_gap last_gap; /* of the last check */
    double last_change;       /* passes at the last check that differed from the one before */
    double scale;             /* size of the loss: its mean at w = 0 for regression, else 1 */
};

/* ---- smoothing */

static bool is_smooth(const struct problem *problem, const struct accelerated_settings *settings) {
    if (form_is_boosting(problem, settings))
        return !problem->regularizer->constraint;
    const struct risk *risk = problem->risk;
    return risk->scalar == NULL ? risk->smoothing == 0 : risk->scalar->loss->second != NULL;
}

/* The unit of mu. Classification losses are about 1 at w = 0; regression losses scale with the targets. Other
 * risks with smoothing are measured by R(0)/smoothing: with this mu, R_mu(0) can be 0. */
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

/* The first mu; 0 if nothing needs smoothing. If it is not given: with --smoothing fixed, such that R - R_mu
 * is below the required gap at w = 0; with homotopy the scale of the loss. */
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

static void lower_mu(struct accelerated *a, double factor) {
    a->mu *= factor;
    a->form->restart(a->form, a->mu);
}

/* Homotopy: mu falls once the method has nearly solved the smoothed problem, but not below what the
 * required gap allows. */
static void follow_gap(struct accelerated *a, const struct form_gap *gap, double max_smoothing) {
    if (gap->smooth <= method_share * gap->smoothing && gap->smoothing > max_smoothing &&
        a->mu > min_mu * a->scale)
        lower_mu(a, fmax(1 / mu_decrease, max_smoothing / gap->smoothing));
}

/* Fixed mu: if it prevents the required gap, mu falls, or the run ends if the user gave mu. */
static void check_fixed_mu(struct accelerated *a, const struct form_gap *gap,
                           double max_smoothing) {
    static const struct obstacle obstacle = {"smoothing", "lower --mu"};
    if (gap->smooth > method_solved * gap->smoothing || gap->smoothing <= max_smoothing)
        return;
    if (a->settings->mu > 0)
        batch_stop_at(&a->batch, obstacle);
    else if (a->mu > min_mu * a->scale)
        lower_mu(a, fmax(1 / mu_decrease, max_smoothing / gap->smoothing));
}

static void choose_mu(struct accelerated *a, const struct form_gap *gap) {
    double max_smoothing = smoothing_share * a->batch.monitor->tolerance * fabs(gap->objective);
    if (a->mu == 0 || a->form->restart == NULL)
        return;
    if (a->settings->smoothing == SMOOTHING_HOMOTOPY)
        follow_gap(a, gap, max_smoothing);
    else
        check_fixed_mu(a, gap, max_smoothing);
}

/* ---- the loop */

/* True if nothing has changed for long: rounding has ended progress. */
static bool has_stalled(struct accelerated *a, const struct form_gap *gap) {
    double slack = unchanged_objective * fmax(fabs(gap->objective), zero_gap * a->scale);
    bool same = fabs(gap->objective - a->last_gap.objective) <= slack &&
                fabs(gap->smooth - a->last_gap.smooth) <= slack;
    double passes = a->form->passes;
    if (!same)
        a->last_change = passes;
    a->last_gap = *gap;
    return passes > fmax(stall_factor * a->last_change, a->last_change + MIN_UNCHANGED_PASSES);
}

/* Ends the run at an optimum of 0, which has no relative gap. */
static void check_zero_gap(struct accelerated *a) {
    static const struct obstacle obstacle = {"a gap of 0 but for rounding",
                                             "nothing is to be gained"};
    if (a->batch.objective - a->batch.bound <= zero_gap * a->scale)
        batch_stop_at(&a->batch, obstacle);
}

/* Recomputes J of the best point; true if the run is still over with it. */
static bool confirm_end(struct accelerated *a) {
    struct batch *batch = &a->batch;
    batch_renew(batch);
    a->other_passes += 0.5;
    batch_count(batch, 0.5);
    return batch_is_over(batch);
}

/* Looks for sparse weights, which costs passes: now and then, if the gap is nearly closed, and at the end. */
static void offer_sparse(struct accelerated *a, const struct form_gap *gap, bool last) {
    struct batch *batch = &a->batch;
    const struct monitor_settings *settings = &batch->monitor->settings;
    bool closes = gap->objective - batch->bound <=
                  sparse_check_gap * monitor_gap(batch->monitor, gap->objective);
    bool ends =
        last || batch->passes >= settings->passes || monitor_poll(batch->monitor) != VERDICT_GO_ON;
    if (a->form->offer_sparse == NULL ||
        !(closes || ends || batch->iteration >= a->next_sparse_check))
        return;
    a->form->offer_sparse(a->form, batch, gap->objective, closes);
    a->next_sparse_check = (double)batch->iteration * (1 + sparse_check_interval);
}

static void count_passes(struct accelerated *a) {
    batch_count(&a->batch, a->form->passes + a->other_passes - a->batch.passes);
}

/* Checks the gap; true if the run is over. STEPPED: the form could make its last step. AFFORDS: the limit of
 * passes allows another one. */
static bool check_gap(struct accelerated *a, bool stepped, bool affords) {
    struct batch *batch = &a->batch;
    /* Offer the form's point and bound, and perhaps sparse weights. */
    count_passes(a);
    struct form_gap gap = a->form->certify(a->form, batch);
    bool stalled = !stepped || has_stalled(a, &gap);
    count_passes(a);
    offer_sparse(a, &gap, stalled || !affords);
    count_passes(a);
    a->next_check =
        fmax(a->form->passes * (1 + gap_check_interval), a->form->passes + MIN_CHECK_PASSES);
    /* Report; if the run goes on, lower mu if that is due and test for stalls. */
    if (!batch_report(batch)) {
        choose_mu(a, &gap);
        check_zero_gap(a);
        if (stalled)
            batch_stall(batch);
    }
    if (!affords && batch->verdict == VERDICT_GO_ON)
        batch->verdict = VERDICT_PASSES;
    /* At the end J is recomputed, which may reopen the gap. */
    bool over = batch->verdict != VERDICT_GO_ON && confirm_end(a);
    if (!affords && !over) /* the recomputed gap is above the tolerance */
        batch->verdict = VERDICT_PASSES;
    return over || !affords;
}

/* Before a step. */
static void visit(struct state *state, void *context) {
    struct accelerated *a = context;
    batch_visit(&a->batch, state);
    STATE_REALS(state, &a->mu, &a->next_check, &a->next_sparse_check, &a->other_passes,
                &a->last_gap.objective, &a->last_gap.smooth, &a->last_gap.smoothing,
                &a->last_change);
    a->form->visit(a->form, state);
}

/* The loop: a step, and a check of the gap when it is due, when no step is possible, or on a signal. */
static int iterate(struct accelerated *a, struct error *e) {
    struct monitor *monitor = a->batch.monitor;
    if (monitor_enter_run(monitor, visit, a, e) == CHECKPOINT_REFUSED)
        return -1;
    for (;;) {
        if (monitor_save(monitor)) {
            check_gap(a, true, true); /* the result is the present point */
            return 0;
        }
        a->form->max_passes = monitor->settings.passes - a->other_passes;
        bool affords = a->form->passes + a->form->step_passes <= a->form->max_passes;
        bool stepped = !affords || a->form->step(a->form);
        bool due = !stepped || !affords || a->form->passes >= a->next_check ||
                   monitor_poll(monitor) != VERDICT_GO_ON;
        if (due && check_gap(a, stepped, affords))
            return 0;
        a->batch.iteration += !due;
    }
}

/* Offers a warm start as the best point so far, and starts with a mu small enough not to lose it. */
static void start_warm(struct accelerated *a) {
    struct batch *batch = &a->batch;
    double objective = problem_objective(batch->problem, batch->best);
    a->other_passes += 0.5;
    if (!isfinite(objective))
        return;
    batch_offer(batch, NULL, objective);
    double max_gap = monitor_gap(batch->monitor, objective);
    if (a->mu > 0 && a->settings->mu == 0)
        a->mu = fmin(a->mu, fmax(warm_mu_scale * max_gap, min_mu * a->scale));
}

int accelerated_train(const struct solve *solve, bool one_memory, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct accelerated_settings *settings = solve->options;
    struct accelerated_settings resolved = *settings;
    struct accelerated a = {.settings = &resolved, .last_gap = {.objective = INFINITY}};
    batch_begin(&a.batch, problem, solve->monitor, solve->w); /* limits are obeyed from here on */
    /* Resolve the settings: smoothing of the risk, the form, the unit of mu and its first value. */
    if (problem->risk->scalar == NULL && risk_smooth(problem->risk, e) != 0)
        return -1;
    if (resolved.form == FORM_AUTO)
        resolved.form = form_choose(problem, settings);
    if (find_scale(problem, &a.scale, e) != 0)
        return -1;
    a.mu = first_mu(&a, problem);
    if (solve->run->warm)
        start_warm(&a);
    /* Put the problem in its form, and run the loop. */
    a.form = form_new(&(struct form_request){.problem = problem,
                                             .run = solve->run,
                                             .monitor = solve->monitor,
                                             .settings = &resolved,
                                             .one_memory = one_memory,
                                             .mu = a.mu,
                                             .w = solve->w},
                      e);
    if (a.form == NULL)
        return -1;
    int status = iterate(&a, e);
    a.form->free(a.form);
    return status == 0 ? batch_finish(&a.batch, solve->outcome, e) : -1;
}

const char *const accelerated_regularizers[] = {"l2",      "l1",      "elastic-net",      "entropy",
                                                "simplex", "l1-ball", "elastic-net-ball", NULL};
