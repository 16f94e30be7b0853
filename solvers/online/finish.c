/* finish.c - the end of a run by another solver, on small data. */
#include "solvers/online/finish.h"

#include "io/memory.h"
#include "solvers/dual/dcd.h"
#include "solvers/interior_point/ipm.h"
#include "solvers/online/certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What ipm takes: an iteration reads the data so often, and a run of fewer iterations is not begun. */
struct need {
    double reads, iterations;
};

/* With correctors; of Newton's method, for smooth losses; of the squared loss. */
static const struct need box_need = {15, 20}, jump_need = {5, 45}, smooth_need = {5, 10},
                         squared_need = {5, 3};

static const double sought_gap = 0.005; /* where no tolerance was asked for */
static const double most_bytes = 256e6;

/* An ipm that was begun may make so many times the iterations that are affordable: it has no useful point before the
 * last ones. */
static const double begun_share = 1.5;

/* Visits of nonzeros that take one to three tenths of a second, where one counts as more on data with less than this
 * part of all values. On data on which these are as many passes as small_passes, or on wide data, methods that need
 * many passes may get there. */
static const double small_work = 1e8, dense_share = 0.25, scattered_cost = 3, small_passes = 100;

extern const struct solver ipm, dcd, lbfgs, proximal_bundle; /* as in solvers/registry.c */

/* Whom the other solver's run tells: the run that it ends, and the iterations that it may still make. */
struct watch {
    const struct monitor *monitor;
    int64_t left;
};

static bool is_interrupted(void *context) {
    const struct watch *watch = context;
    return monitor_poll(watch->monitor) != VERDICT_GO_ON;
}

static bool counts(void *context, const struct monitor *monitor) {
    struct watch *watch = context;
    (void)monitor;
    return --watch->left <= 0;
}

/* Trains by a solver with its default options. */
static int train_by(const struct solver *solver, const struct solve *solve, struct error *e) {
    struct solve own = *solve;
    void *settings = memory_zeroed(1, (int64_t)solver->settings_size, "the options", e);
    struct option_group group = {.owner = solver->name,
                                 .rows = solver->options,
                                 .count = solver->option_count,
                                 .settings = settings};
    own.options = settings;
    int status =
        settings == NULL || options_default(&group, 1, e) != 0 ? -1 : solver->train(&own, e);
    free(settings);
    return status;
}

/* With l2, for an offset and for losses that dcd does not take. */
static const struct solver *smooth_solver(const struct loss *loss) {
    bool smooth = isfinite(loss->curvature) && !loss_second_jumps(loss);
    return smooth ? &lbfgs : &proximal_bundle;
}

/* The solver, its passes and iterations. */
struct way {
    const struct solver *solver; /* NULL: none */
    int (*train)(const struct solve *solve,
                 struct error *e); /* NULL: the solver's, with its options' defaults */
    double passes;
    int64_t iterations;
};

static struct need need_of(const struct loss *loss) {
    return loss_has_box(loss)        ? box_need
           : loss_second_jumps(loss) ? jump_need
           : loss->quadratic         ? squared_need
                                     : smooth_need;
}

/* The one that can be afforded, if there is one. */
static struct way choose(const struct problem *problem, double passes) {
    const struct design *design = problem->risk->scalar->design;
    double nonzeros = fmax(1, (double)design->data->nonzeros);
    bool dense = nonzeros >= dense_share * (double)design->rows * (double)design->columns;
    double quick = small_work / (nonzeros * (dense ? 1 : scattered_cost));
    double allowed = fmax(certify_passes(passes), quick);
    bool lasts = design->columns > design->rows || quick >= small_passes;
    if (certify_is_possible(problem) && ipm_takes(problem) && ipm_bytes(problem) <= most_bytes) {
        struct need need = need_of(problem->risk->scalar->loss);
        double iterations = allowed / certify_newton_passes(design, need.reads);
        if (iterations >= need.iterations)
            return (struct way){&ipm, ipm_train, INFINITY,
                                (int64_t)fmin(begun_share * iterations, 1e6)};
    }
    if (lasts && dcd_takes(problem))
        return (struct way){&dcd, dcd_train, floor(allowed), INT64_MAX};
    if (lasts && strcmp(problem->regularizer->name, "l2") == 0)
        return (struct way){smooth_solver(problem->risk->scalar->loss), NULL, floor(allowed),
                            INT64_MAX};
    return (struct way){0};
}

static bool is_near(const struct solve *solve) {
    const struct outcome *outcome = solve->outcome;
    double gap = solve->monitor->tolerance > 0 ? solve->monitor->tolerance : sought_gap;
    return outcome->objective - outcome->bound <= gap * outcome->objective;
}

/* Not of a trial, whose caller has other solvers; nor of a run whose points are judged. */
static bool is_wanted(const struct solve *solve) {
    const struct risk *risk = solve->problem->risk;
    enum verdict verdict = solve->outcome->verdict;
    return risk->scalar != NULL && risk->scalar->design->data->window == NULL &&
           !solve->run->uncertified && !solve->run->unproved && solve->monitor->allowed == NULL &&
           solve->run->judge == NULL && verdict != VERDICT_TIME && verdict != VERDICT_INTERRUPTED &&
           !is_near(solve);
}

/* The other solver's run, from w to w; its result in *outcome. */
static int run(const struct solve *solve, const struct way *way, double *w,
               struct outcome *outcome) {
    struct watch watch = {solve->monitor, way->iterations};
    struct monitor_settings settings = solve->monitor->settings;
    settings.epsilon = solve->monitor->tolerance > 0 ? solve->monitor->tolerance : sought_gap;
    settings.passes = way->passes;
    settings.time_limit = INFINITY; /* that of the run's monitor counts */
    settings.checkpoint = NULL;
    settings.observer = (struct monitor_observer){
        .context = &watch, .interrupted = is_interrupted, .report = counts};
    struct monitor monitor;
    monitor_init(&monitor, &settings);
    monitor.header = true; /* the trace goes on */
    monitor.seconds = monitor_seconds(solve->monitor);
    monitor_begin(&monitor, way->solver->name);
    struct problem problem = *solve->problem;
    problem.kept = NULL;
    problem.linearization = NULL;
    problem.enough = NULL;
    struct run_settings run = *solve->run;
    run.warm = false;
    struct error e = {0};
    struct solve own = {&problem, &run, NULL, &monitor, w, outcome};
    int status = way->train != NULL ? way->train(&own, &e) : train_by(way->solver, &own, &e);
    monitor_end(&monitor);
    return status;
}

void finish_result(const struct solve *solve) {
    if (!is_wanted(solve))
        return;
    struct outcome *outcome = solve->outcome, other = {.bound = -INFINITY, .objective = INFINITY};
    struct way way = choose(solve->problem, outcome->passes);
    int64_t n = solve->problem->risk->dimension;
    struct error e = {0};
    double *w = way.solver == NULL ? NULL : memory_new(n, sizeof *w, "the end of the run", &e);
    if (w == NULL)
        return;
    memcpy(w, solve->w, sizeof *w * (size_t)n);
    monitor_close(solve->monitor);
    if (run(solve, &way, w, &other) == 0) {
        outcome->verdict = monitor_closed(solve->monitor, outcome->verdict);
        if (other.objective < outcome->objective) {
            outcome->objective = other.objective;
            memcpy(solve->w, w, sizeof *w * (size_t)n);
        }
        snprintf(outcome->finished_by, sizeof outcome->finished_by, "%s", way.solver->name);
        outcome->bound = fmin(fmax(outcome->bound, other.bound), outcome->objective);
        outcome->verdict =
            monitor_confirm(solve->monitor, outcome->verdict, outcome->objective, outcome->bound);
    } else {
        outcome->verdict = monitor_closed(solve->monitor, outcome->verdict);
    }
    free(w);
}
