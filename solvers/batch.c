/* batch.c - the best point, the report and the end of a batch solver's run. */
#include "solvers/batch.h"

#include "math/rounding.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

static bool is_stopped(void *monitor) {
    return monitor_poll(monitor) != VERDICT_GO_ON;
}

/* Stops the first evaluation later than -t, since without it there is no result. */
static bool is_stopped_early(void *opaque) {
    const struct monitor *monitor = opaque;
    return monitor_interrupted(monitor) ||
           monitor_seconds(monitor) >= monitor->settings.time_limit + monitor_overtime;
}

void batch_begin(struct batch *batch, const struct problem *problem, struct monitor *monitor,
                 double *w) {
    *batch = (struct batch){.problem = problem,
                            .monitor = monitor,
                            .best = w,
                            .objective = INFINITY,
                            .bound = -INFINITY,
                            .delta = NAN,
                            .verdict = VERDICT_GO_ON};
    if (monitor != NULL && monitor->runs <= 1)
        risk_watch(problem->risk, is_stopped_early, monitor);
}

bool batch_offer(struct batch *batch, const double *w, double objective) {
    if (!(objective < batch->objective) || risk_lacks_rows(batch->problem->risk))
        return false;
    if (!isfinite(batch->objective) && batch->monitor != NULL)
        risk_watch(batch->problem->risk, is_stopped, batch->monitor);
    if (w != NULL)
        memcpy(batch->best, w, sizeof *w * (size_t)batch->problem->risk->dimension);
    batch->objective = objective;
    return true;
}

bool batch_offer_sparse(struct batch *batch, const double *w, double sparse, double objective) {
    static const double gap_share = 0.01;
    double allowed =
        fmax(gap_share * (objective - batch->bound), rounding_of_results * fabs(objective));
    bool as_good = sparse <= objective + allowed;
    if (as_good)
        batch_offer(batch, w, sparse);
    return as_good;
}

void batch_raise(struct batch *batch, double bound) {
    if (bound > batch->bound && !risk_lacks_rows(batch->problem->risk))
        batch->bound = bound;
}

void batch_renew(struct batch *batch) {
    double objective = problem_objective(batch->problem, batch->best);
    if (!isnan(objective))
        batch->objective = objective;
}

/* The bound, at most J: it exceeds J only by rounding. */
static double lower_bound(const struct batch *batch) {
    return fmin(batch->bound, batch->objective);
}

/* Far from the optimum it is not asked: the point begins the run at the next lambda. */
static bool is_enough(const struct batch *batch) {
    static const double most_gap = 0.1;
    const struct enough *enough = batch->problem->enough;
    double gap = batch->objective - lower_bound(batch);
    return enough != NULL && gap <= most_gap * batch->objective &&
           enough->is_enough(enough->context, batch->problem, batch->best, gap);
}

bool batch_report(struct batch *batch) {
    int64_t n = batch->problem->risk->dimension;
    struct report report = {.iteration = ++batch->iteration,
                            .passes = batch->passes,
                            .objective = batch->objective,
                            .bound = lower_bound(batch),
                            .nonzeros = -1,
                            .norm = NAN,
                            .delta = batch->delta};
    if (monitor_watched(batch->monitor)) {
        monitor_pause(batch->monitor);
        report.nonzeros = vector_nonzeros(batch->best, n);
        report.norm = sqrt(vector_dot(batch->best, batch->best, n));
        monitor_resume(batch->monitor);
    }
    enum verdict verdict = monitor_report(batch->monitor, &report);
    bool limit = verdict == VERDICT_PASSES || verdict == VERDICT_TIME;
    bool told = limit && batch->obstacle.what[0] != '\0'; /* which says more than a limit */
    batch->enough = verdict == VERDICT_GO_ON && is_enough(batch);
    if (batch->enough)
        verdict = VERDICT_CONVERGED;
    if (verdict != VERDICT_GO_ON && !told)
        batch->verdict = verdict;
    return batch->verdict != VERDICT_GO_ON;
}

void batch_visit(struct batch *batch, struct state *state) {
    state_doubles(state, batch->best, batch->problem->risk->dimension);
    STATE_REALS(state, &batch->objective, &batch->bound, &batch->passes, &batch->delta);
    batch->iteration = state_integer(state, batch->iteration, 0, INT64_MAX);
    if (state_reads(state) && isfinite(batch->objective))
        risk_watch(batch->problem->risk, is_stopped, batch->monitor);
}

bool batch_save(struct batch *batch) {
    if (!monitor_save(batch->monitor))
        return false;
    batch->verdict = VERDICT_INTERRUPTED;
    return true;
}

bool batch_is_over(struct batch *batch) {
    double gap = batch->objective - lower_bound(batch);
    if (batch->verdict == VERDICT_CONVERGED && !batch->enough &&
        gap > monitor_gap(batch->monitor, batch->objective))
        batch->verdict = VERDICT_GO_ON;
    return batch->verdict != VERDICT_GO_ON;
}

static bool fits(const struct batch *batch, double passes) {
    return batch->passes + passes <= batch->monitor->settings.passes;
}

bool batch_affords(struct batch *batch, double passes) {
    bool affords = fits(batch, passes);
    if (!affords && batch->verdict == VERDICT_GO_ON)
        batch->verdict = VERDICT_PASSES;
    return affords;
}

void batch_count(struct batch *batch, double passes) {
    if (fits(batch, passes))
        batch->passes += passes;
}

void batch_stall(struct batch *batch) {
    if (batch->verdict == VERDICT_GO_ON)
        batch->verdict = VERDICT_STALLED;
}

void batch_stop_at(struct batch *batch, struct obstacle obstacle) {
    batch_stall(batch);
    batch->obstacle = obstacle;
}

/* An evaluation that was cut off looks like an end by rounding, or comes before J is known at all. */
static int decide_verdict(struct batch *batch, struct error *e) {
    enum verdict limit = monitor_poll(batch->monitor);
    if (batch->verdict == VERDICT_STALLED && batch->obstacle.what[0] == '\0' &&
        limit != VERDICT_GO_ON)
        batch->verdict = limit;
    if (limit == VERDICT_GO_ON || isfinite(batch->objective))
        return 0;
    if (limit == VERDICT_INTERRUPTED)
        return error_interrupted(e,
                                 "%s before the objective was evaluated once, so there is no model",
                                 monitor_interruption(batch->monitor));
    return error_time(e, "the time limit came before the objective was evaluated once, so there is "
                         "no model; raise -t");
}

int batch_finish(struct batch *batch, struct outcome *outcome, struct error *e) {
    risk_watch(batch->problem->risk, NULL, NULL);
    if (decide_verdict(batch, e) != 0)
        return -1;
    if (!isfinite(batch->objective) && !fits(batch, 1))
        return error_set(e,
                         "the limit of %.10g passes (-p) came before a finite objective was found, "
                         "so there is no model; raise -p",
                         batch->monitor->settings.passes);
    if (!isfinite(batch->objective))
        return error_set(e, "the objective is beyond all numbers; scale the data or raise lambda");
    *outcome = (struct outcome){.objective = batch->objective,
                                .bound = lower_bound(batch),
                                .passes = batch->passes,
                                .iterations = batch->iteration,
                                .verdict = batch->verdict,
                                .obstacle = batch->obstacle};
    if (outcome->bound >= outcome->objective && batch->monitor->criterion == CRITERION_GAP)
        outcome->verdict = VERDICT_CONVERGED; /* nothing is lower */
    return 0;
}
