/* passes.c - the run of an online solver, pass after pass. */
#include "solvers/passes.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/certificate.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const online_outputs[] = {"last", "best", "average", NULL};

enum { MAX_STEPS_PER_POLL = 1024 };      /* steps between looks at the clock, at most */
static const double look_seconds = 5e-3; /* and at least, unless one step takes longer */
static const double evaluation_share =
    0.375; /* an evaluation, in passes of steps, which read in random order */

int64_t passes_batch(const struct problem *problem, const struct run_settings *run) {
    int64_t items = problem->risk->items;
    return run->batch_size < items ? run->batch_size : items;
}

int64_t passes_steps(const struct problem *problem, const struct run_settings *run) {
    int64_t batch = passes_batch(problem, run);
    return (problem->risk->items + batch - 1) / batch;
}

/* ---- the points */

static void remember(struct passes *p, double objective) {
    p->best_objective = objective;
    memcpy(p->best, p->point, sizeof *p->best * (size_t)p->problem->risk->dimension);
}

static double evaluate_present(struct passes *p, bool may_be_best) {
    p->method->copy(p->state, p->point);
    double objective = problem_objective(p->problem, p->point);
    if (may_be_best && objective < p->best_objective)
        remember(p, objective);
    return objective;
}

double passes_evaluate(struct passes *p) {
    return evaluate_present(p, true);
}

void passes_start(struct passes *p, bool warm) {
    p->method->copy(p->state, p->point);
    remember(p, INFINITY);
    if (warm || p->output == OUTPUT_BEST)
        p->best_objective = problem_objective(p->problem, p->best);
}

/* ---- reports */

/* What is known of the point whose J is known. delta is for those who look: the clock stops. */
static void describe_point(const struct passes *p, struct report *r) {
    const struct risk *risk = p->problem->risk;
    r->nonzeros = vector_nonzeros(p->point, risk->dimension);
    r->norm = sqrt(vector_dot(p->point, p->point, risk->regularized));
    if (p->gradient == NULL || !monitor_watched(p->monitor))
        return;
    monitor_pause(p->monitor);
    risk_evaluate(risk, p->point, 0, p->gradient);
    r->delta = optimality_delta(p->problem, p->point, p->gradient);
}

enum verdict passes_report(struct passes *p, double objective) {
    struct report r = {.iteration = p->t,
                       .passes = (double)p->t / (double)p->steps,
                       .objective = objective,
                       .bound = -INFINITY,
                       .nonzeros = -1,
                       .norm = NAN,
                       .delta = NAN};
    if (!isnan(objective))
        describe_point(p, &r);
    else if (p->method->norm != NULL)
        r.norm = p->method->norm(p->state);
    enum verdict verdict = monitor_report(p->monitor, &r);
    monitor_resume(p->monitor);
    return verdict;
}

/* At the end of a pass J is evaluated where it is shown, which is not training, or where
 * the best point is wanted, which is. */
static enum verdict report_pass(struct passes *p) {
    bool best = p->output == OUTPUT_BEST;
    double objective = NAN;
    if (!best)
        monitor_pause(p->monitor);
    if (best || monitor_watched(p->monitor))
        objective = evaluate_present(p, best);
    return passes_report(p, objective);
}

/* ---- the run */

/* At a safe point. */
static enum verdict save(struct passes *p) {
    return !p->overflow && monitor_save(p->monitor) ? VERDICT_INTERRUPTED : VERDICT_GO_ON;
}

/* Within a pass. */
static enum verdict poll(struct passes *p) {
    enum verdict verdict = save(p);
    return verdict == VERDICT_GO_ON ? monitor_poll(p->monitor) : verdict;
}

static bool is_in_pass(const struct passes *p) {
    return p->t < p->end || p->pending != 0;
}

static void begin_pass(struct passes *p) {
    int64_t end = (p->t / p->steps + 1) * p->steps;
    p->end = end < p->limit ? end : p->limit;
    if (p->method->begin_pass != NULL)
        p->method->begin_pass(p->state);
}

/* Lets the method make steps up to the next look at the clock. Of the time limit the seconds of the last evaluation are
 * kept back. */
static enum verdict advance(struct passes *p) {
    double before = monitor_seconds(p->monitor);
    int64_t next_poll = p->t + p->poll_interval, first = p->t;
    enum verdict verdict = p->method->advance(p->state, next_poll < p->end ? next_poll : p->end);
    double seconds = monitor_seconds(p->monitor) - before;
    bool quick = seconds < look_seconds;
    p->poll_interval = quick && p->poll_interval < MAX_STEPS_PER_POLL ? 2 * p->poll_interval
                       : p->poll_interval > 1 && !quick               ? p->poll_interval / 2
                                                                      : p->poll_interval;
    p->step_seconds += seconds;
    p->steps_timed += p->t - first;
    if (p->steps_timed > 0 && p->step_seconds >= look_seconds) /* the first few steps are slow */
        monitor_keep_back(p->monitor, p->last_passes * p->step_seconds * (double)p->steps /
                                          (double)p->steps_timed);
    return verdict;
}

/* Steps up to the end of the pass, or of the run; VERDICT_GO_ON at its end. */
static enum verdict run_pass(struct passes *p) {
    enum verdict verdict = VERDICT_GO_ON;
    if (!is_in_pass(p)) /* unless it goes on from a checkpoint */
        begin_pass(p);
    while (is_in_pass(p) && verdict == VERDICT_GO_ON && !p->overflow) {
        verdict = advance(p);
        if (is_in_pass(p) && verdict == VERDICT_GO_ON)
            verdict = poll(p);
    }
    return verdict;
}

/* Shows the present point to the judge. A method that has chosen a point of its own has ended. */
static int judge_present(struct passes *p, enum verdict *verdict, struct error *e) {
    enum judgement judgement;
    if (p->judge == NULL)
        return 0;
    p->method->copy(p->state, p->point);
    if (p->judge->judge(p->judge->context, p->problem->risk, p->point,
                        (double)p->t / (double)p->steps, &judgement, e) != 0)
        return -1;
    if (judgement == JUDGED_BEST) {
        p->method->copy(p->state, p->judged);
        p->is_judged = true;
    }
    if (judgement == JUDGED_ENOUGH)
        *verdict = VERDICT_SETTLED;
    return 0;
}

/* What follows a pass that was made whole. */
static int end_pass(struct passes *p, enum verdict *verdict, struct error *e) {
    enum verdict judged = VERDICT_GO_ON;
    *verdict = report_pass(p);
    bool whole = p->output != OUTPUT_BEST || !isnan(p->monitor->last.objective);
    bool late = *verdict == VERDICT_TIME && whole; /* the pass is over nevertheless */
    if ((*verdict == VERDICT_GO_ON || late) && p->t >= p->limit)
        *verdict = VERDICT_PASSES;
    if (judge_present(p, &judged, e) != 0)
        return -1;
    if (*verdict == VERDICT_GO_ON)
        *verdict = judged;
    if (*verdict == VERDICT_GO_ON)
        *verdict = save(p);
    else if (*verdict == VERDICT_TIME && whole && save(p) != VERDICT_GO_ON)
        *verdict = VERDICT_INTERRUPTED;
    return 0;
}

static int run_passes(struct passes *p, enum verdict *verdict, struct error *e) {
    *verdict = p->verdict;
    if (p->warm && judge_present(p, verdict, e) != 0)
        return -1;
    while (*verdict == VERDICT_GO_ON) {
        *verdict = run_pass(p);
        if (p->overflow) {
            *verdict = VERDICT_PASSES; /* an error, by passes_finish */
            return 0;
        }
        if (*verdict == VERDICT_GO_ON && end_pass(p, verdict, e) != 0)
            return -1;
    }
    if (*verdict != VERDICT_TIME)
        monitor_keep_back(p->monitor, 0);
    if (p->is_judged)
        p->chosen = p->judged;
    if (*verdict != VERDICT_TIME && *verdict != VERDICT_INTERRUPTED)
        p->verdict = *verdict;
    return 0;
}

/* The time of J and its bound, in passes of steps; an offset and l1 need a balanced bound. */
static double evaluation_passes(const struct problem *problem) {
    const struct risk *risk = problem->risk;
    bool sparse = problem->regularizer->penalty != NULL && problem_penalty_parts(problem).l1 > 0;
    bool balanced = sparse || risk->dimension > risk->regularized;
    return balanced ? 2 * evaluation_share : evaluation_share;
}

static void visit(struct state *state, void *context) {
    struct passes *p = context;
    p->t = state_integer(state, p->t, 0, p->limit);
    p->end = state_integer(state, p->end, 0, p->limit);
    p->pending = (int)state_integer(state, p->pending, 0, INT32_MAX);
    p->verdict = (enum verdict)state_integer(state, p->verdict, VERDICT_GO_ON, VERDICT_INTERRUPTED);
    STATE_REALS(state, &p->best_objective);
    state_doubles(state, p->best, p->problem->risk->dimension);
    p->method->visit(p->state, state);
}

static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

int passes_run(struct passes *p, enum verdict *verdict, struct error *e) {
    if (p->method->visit != NULL &&
        monitor_enter_run(p->monitor, visit, p, e) == CHECKPOINT_REFUSED)
        return -1;
    risk_watch(p->problem->risk, is_stopped, p->monitor);
    int status = run_passes(p, verdict, e);
    risk_watch(p->problem->risk, NULL, NULL);
    return status;
}

static void certify(struct passes *p, const double *w, struct outcome *outcome, struct error *e) {
    outcome->bound = -INFINITY;
    outcome->objective = p->uncertified
                             ? problem_objective(p->problem, w)
                             : certificate_evaluate(p->problem, w, p->point, &outcome->bound, e);
}

/* The result in w, and what is certified of it. */
static void choose_result(struct passes *p, double *w, struct outcome *outcome, struct error *e) {
    size_t size = sizeof *w * (size_t)p->problem->risk->dimension;
    if (p->chosen != NULL)
        memcpy(w, p->chosen, size);
    else
        p->method->copy(p->state, w);
    certify(p, w, outcome, e);
    if (p->chosen == NULL && !isnan(outcome->bound) && isfinite(p->best_objective) &&
        !(outcome->objective <= p->best_objective)) {
        memcpy(w, p->best, size);
        certify(p, w, outcome, e);
    }
}

/* Whether a later run goes on from the checkpoint of this one, to the end that it has without a break. */
static bool is_to_go_on(const struct passes *p, enum verdict verdict) {
    return p->monitor->settings.checkpoint != NULL &&
           (verdict == VERDICT_TIME || verdict == VERDICT_INTERRUPTED);
}

int passes_finish(struct passes *p, enum verdict verdict, double *w, struct outcome *outcome,
                  struct error *e) {
    choose_result(p, w, outcome, e);
    passes_count(p, verdict, outcome);
    if (outcome->bound >= outcome->objective && !is_to_go_on(p, verdict))
        outcome->verdict = VERDICT_CONVERGED; /* nothing is lower */
    if (p->overflow || !isfinite(outcome->objective) || isnan(outcome->bound))
        return passes_overflow(e);
    return 0;
}

void passes_count(const struct passes *p, enum verdict verdict, struct outcome *outcome) {
    outcome->verdict = verdict;
    outcome->passes = (double)p->t / (double)p->steps;
    outcome->iterations = p->t;
}

int passes_overflow(struct error *e) {
    return error_set(e, "the iterates grew beyond all numbers; scale the data or raise lambda");
}

int passes_init(struct passes *p, const struct run_settings *run, struct error *e) {
    const struct risk *risk = p->problem->risk;
    int64_t n = risk->dimension;
    p->steps = passes_steps(p->problem, run);
    p->uncertified = run->uncertified;
    p->last_passes = evaluation_passes(p->problem);
    p->warm = run->warm;
    p->judge = run->uncertified ? NULL : run->judge;
    p->poll_interval = 1;
    double limit = ceil(run->passes * (double)p->steps);
    p->limit = limit < (double)INT64_MAX ? (int64_t)limit : INT64_MAX;
    p->point = memory_new(n, sizeof(double), "a point", e);
    p->best = memory_new(n, sizeof(double), "the best point", e);
    if (p->judge != NULL)
        p->judged = memory_new(n, sizeof(double), "the best point", e);
    if (p->point == NULL || p->best == NULL || (p->judge != NULL && p->judged == NULL))
        return -1;
    if (p->method->deltas && risk->scalar != NULL && isfinite(risk->scalar->loss->curvature)) {
        p->gradient = memory_new(n, sizeof(double), "a gradient", e);
        return p->gradient == NULL ? -1 : 0;
    }
    return 0;
}

void passes_free(struct passes *p) {
    free(p->point);
    free(p->gradient);
    free(p->best);
    free(p->judged);
}
