/* vector_training.c - the training of one weight vector: its risk, its problem, the solver's run. */
#include "training/classes/vector_training.h"

#include "io/memory.h"
#include "io/pages.h"
#include "math/rounding.h"
#include "math/vector.h"
#include "risk/distributed.h"
#include "solvers/certificate.h"
#include "solvers/linearization.h"
#include "solvers/optimality.h"
#include "training/classes/trial_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TITLE = 80 };

/* A trial takes some numbers a row, which with so many rows are given back before the next solver takes its own. */
enum { MANY_ROWS = 100000 };

/* ", " where something stands before. */
static void append(char *title, size_t size, const char *more) {
    size_t used = strlen(title);
    snprintf(title + used, size - used, "%s%s", used > 0 ? ", " : "", more);
}

/* "bundle, fold 2, label 3" in `title`: the SOLVER where it was chosen, a fold and a label where there
 * are several; NULL when nothing is to be said. */
static const char *make_title(const struct training *t, const struct solver *solver, int64_t k,
                              char title[MAX_TITLE]) {
    title[0] = '\0';
    if (!t->request->solver_given && solver != NULL)
        append(title, MAX_TITLE, solver->name);
    if (t->title != NULL)
        append(title, MAX_TITLE, t->title);
    if (t->classes->vectors > 1) { /* several runs */
        char label[32];
        snprintf(label, sizeof label, "label %.10g", t->classes->label[k]);
        append(title, MAX_TITLE, label);
    }
    return title[0] != '\0' ? title : NULL;
}

struct risk *vector_risk(const struct training *t, int64_t k, const double *target,
                         struct error *e) {
    const struct train_settings *s = &t->request->settings;
    struct risk *risk = t->request->risk->make(
        &(struct risk_settings){
            .scalar = {.data = t->data,
                       .target = target,
                       .positive = classes_positive(t->classes, k),
                       .weight = t->data->weight,
                       .loss = t->request->risk->scalar,
                       .parameters = s->parameters,
                       .margin = s->margin,
                       .bias = s->bias,
                       .intercept = s->intercept && !t->request->solver->is_kernel_expansion},
            .boost = s->boost,
            .labels = t->classes->labels,
            .places = s->places,
            .state_features = s->state_features,
            .at = s->at},
        e);
    return risk == NULL || t->data->communicator == NULL
               ? risk
               : distributed_risk_new(risk, t->data->communicator,
                                      solver_sums_scores(t->request->solver), e);
}

struct problem vector_problem(const struct training *t, const struct risk *risk) {
    return (struct problem){.risk = risk,
                            .regularizer = t->request->regularizer,
                            .parameters = t->request->settings.regularizer_parameters,
                            .lambda = t->lambda,
                            .kernel = t->kernel,
                            .enough = t->enough};
}

/* Finds the lambdas at which w is within the gap of a certified path. */
static int find_interval(const struct training *t, const struct problem *problem, const double *w,
                         struct outcome *outcome, struct error *e) {
    double low, high, wanted = t->request->settings.path_gap;
    bool cut_off = outcome->verdict == VERDICT_TIME || outcome->verdict == VERDICT_INTERRUPTED;
    linearization_interval(problem, w, outcome->objective, wanted, &low, &high);
    outcome->penalty = problem_penalty(problem, w);
    outcome->low = low / problem->lambda;
    outcome->high = high / problem->lambda;
    if (low > high && !cut_off && outcome_gap(outcome) <= wanted)
        return error_usage(e, "solver %s proves nothing for other lambdas here (--path certified)",
                           t->request->solver->name);
    return 0;
}

/* All weights 0, with the best offset where there are single scores. */
static int null_point(const struct problem *problem, double *w, struct error *e) {
    memset(w, 0, sizeof *w * (size_t)problem->risk->dimension);
    return problem->risk->scalar == NULL ? 0 : optimality_null_point(problem, w, e);
}

/* The solution where lambda is that large: nothing is lower. */
static int take_null_point(const struct problem *problem, struct monitor *monitor, double *w,
                           struct outcome *outcome, struct error *e) {
    double objective;
    if (null_point(problem, w, e) != 0)
        return -1;
    objective = problem_objective(problem, w);
    if (!isfinite(objective))
        return error_set(e, "the objective is beyond all numbers; scale the data");
    *outcome = (struct outcome){
        .objective = objective, .bound = objective, .passes = 1, .verdict = VERDICT_CONVERGED};
    monitor_report(monitor,
                   &(struct report){.passes = 1,
                                    .objective = objective,
                                    .bound = objective,
                                    .nonzeros = vector_nonzeros(w, problem->risk->dimension),
                                    .norm = sqrt(vector_dot(w, w, problem->risk->dimension)),
                                    .delta = 0});
    return 0;
}

/* Whether the null point is the optimum but for rounding, since lambda is that large. Squares of such a lambda may
 * overflow in the rules of the online solvers. 0, or -1 with the error set. */
static int null_point_is_optimal(const struct problem *problem, bool *optimal, struct error *e) {
    static const double large_lambda = 1e100;
    double objective, bound, *point;
    *optimal = false;
    if (problem->lambda < large_lambda || problem->regularizer->constraint)
        return 0;
    point = memory_zeroed(2 * problem->risk->dimension, sizeof *point, "a point", e);
    if (point == NULL)
        return -1;
    int status = null_point(problem, point, e);
    if (status == 0) {
        objective =
            certificate_evaluate(problem, point, point + problem->risk->dimension, &bound, e);
        *optimal = objective - bound <= rounding_of_terms * objective;
        status = isnan(bound) ? -1 : 0;
    }
    free(point);
    return status;
}

/* Refuses data with slopes whose squares overflow: steps to a constraint would then project infinite weights, which
 * need not end. */
static int check_slopes(const struct problem *problem, struct error *e) {
    static const double largest_slope = 1e150;
    int64_t n = problem->risk->dimension;
    double bound, *point = memory_zeroed(2 * n, sizeof *point, "a point", e);
    int status = point == NULL ? -1 : null_point(problem, point, e);
    if (status == 0 && isnan(certificate_evaluate(problem, point, point + n, &bound, e)))
        status = -1;
    if (status == 0 && vector_largest(point + n, n) > largest_slope)
        status =
            error_set(e, "the values of the data are too large for a ball or the simplex; scale "
                         "them (--scale max)");
    free(point);
    return status;
}

/* Passes on what a solver refuses, with the fold or the label where there are several; -1. */
static int pass_refusal(const struct training *t, int64_t k, const struct error *refusal,
                        struct error *e) {
    char title[MAX_TITLE];
    /* the solver's name says nothing here */
    if (refusal->kind != ERROR_USAGE || make_title(t, NULL, k, title) == NULL)
        return error_pass(e, refusal);
    return error_usage(e, "%s: %s", title, refusal->words);
}

/* The null point's own linearization, where no solver runs. */
static int linearize_null_point(const struct problem *problem, const double *w, struct error *e) {
    double bound, *gradient;
    if (problem->linearization == NULL)
        return 0;
    gradient = memory_new(problem->risk->dimension, sizeof *gradient, "the gradient", e);
    if (gradient == NULL)
        return -1;
    certificate_evaluate(problem, w, gradient, &bound, e);
    free(gradient);
    return isnan(bound) ? -1 : 0;
}

/* Whether the mixture is a point of a curve. */
static bool is_placed(const struct kept *kept) {
    return kept != NULL && kept->state != NULL && kept->kind->place != NULL;
}

/* R of the mixture W of two models, or of one that the solver mixed, which replaces it; *passes: what it takes. */
static double mixture_risk(const struct problem *problem, double *w, double *passes) {
    const struct kept *kept = problem->kept;
    bool placed = is_placed(kept);
    *passes = placed ? 0 : 1;
    double risk = placed ? kept->kind->place(kept->state, problem, w)
                         : risk_evaluate(problem->risk, w, 0, NULL);
    if (kept != NULL)
        problem->kept->risk = risk;
    return risk;
}

/* Whether W, a mixture of two models of the path, is well within its gap, by the best mixture of their linearizations
 * or by what the solver mixed; then no solver runs. *passes: one, or what that takes. */
static bool try_mixture(const struct training *t, const struct between *between,
                        const struct problem *problem, struct monitor *monitor, double *w,
                        struct vector_run *vector, double *passes) {
    static const double most = 0.75,
                        most_on_curve = 0.9; /* shares: more hardly holds at other lambdas */
    struct outcome *outcome = &vector->outcome;
    const struct kept *kept = problem->kept;
    double gap_share = is_placed(kept) ? most_on_curve : most;
    double objective = mixture_risk(problem, w, passes) + problem_penalty(problem, w);
    double bound = linearization_mix(problem, between->above, between->below);
    double enough = (1 - gap_share * t->request->settings.path_gap) * objective;
    if (bound < enough && kept != NULL && kept->state != NULL && kept->kind->bound != NULL)
        bound = fmax(bound, kept->kind->bound(kept->state, problem, passes));
    if (!(bound >= enough))
        return false;
    *outcome = (struct outcome){.objective = objective,
                                .bound = fmin(bound, objective),
                                .passes = *passes,
                                .verdict = VERDICT_CONVERGED};
    vector->mixed = true;
    monitor_report(monitor,
                   &(struct report){.passes = *passes,
                                    .objective = objective,
                                    .bound = outcome->bound,
                                    .nonzeros = vector_nonzeros(w, problem->risk->dimension),
                                    .norm = sqrt(vector_dot(w, w, problem->risk->dimension)),
                                    .delta = 0});
    return true;
}

/* The trials before the solver of the request: those of a run that starts at w = 0. */
static int count_trials(const struct training *t) {
    int count = 0;
    while (t->start == NULL && count < TRIALS_MOST && t->request->trial[count].solver != NULL)
        count++;
    return count;
}

/* The solver number STAGE. */
static const struct solver *solver_of_stage(const struct training *t, int stage) {
    return stage < count_trials(t) ? t->request->trial[stage].solver : t->request->solver;
}

/* By the solver of the request, from BEST unless that is to be forgotten; the better one of both is the result. */
static int run_after_trials(const struct training *t, const struct trial *last,
                            const struct trial_best *best, struct solve *solve, struct error *e) {
    size_t size = sizeof *solve->w * (size_t)best->count;
    struct run_settings run = *solve->run;
    struct solve after = *solve;
    run.warm = !last->forgotten;
    after.run = &run;
    if (last->forgotten)
        memset(solve->w, 0, size);
    else
        memcpy(solve->w, best->w, size);
    if (t->request->solver->train(&after, e) != 0)
        return -1;
    if (last->forgotten && best->objective < solve->outcome->objective) {
        memcpy(solve->w, best->w, size);
        solve->outcome->objective = best->objective;
    }
    return 0;
}

/* By the solvers that go first, each from w = 0 unless it is warm, if there are any; where they were not enough by that
 * of the request. TITLE is that of the present solver. */
static int run_from_trials(const struct training *t, int64_t k, char title[MAX_TITLE],
                           struct solve *solve, struct vector_run *vector, struct trial_best *best,
                           struct error *e) {
    struct trial_run trial[TRIALS_MOST];
    int stage = 0, trials = count_trials(t);
    for (; stage < trials; stage++) {
        trial_run_start(&t->request->trial[stage], best, solve->w);
        if (trial_run(t, &t->request->trial[stage], solve, best, &trial[stage], e) != 0)
            return -1;
        if (!trial[stage].over)
            break;
        if (trial_run_decides(&t->request->trial[stage], &trial[stage]))
            trials = stage + 1;
        if (t->data->rows >= MANY_ROWS)
            pages_give_back();
        int next = stage + 1 < trials ? stage + 1 : TRIALS_MOST;
        monitor_end(solve->monitor);
        monitor_begin(solve->monitor, make_title(t, solver_of_stage(t, next), k, title));
    }
    if (stage < trials) {
        vector->tried = stage + 1;
        *solve->outcome = trial[stage].outcome;
    } else if ((trials > 0 ? run_after_trials(t, &t->request->trial[trials - 1], best, solve, e)
                           : t->request->solver->train(solve, e)) != 0) {
        return -1;
    }
    while (stage-- > 0)
        trial_run_add(&trial[stage], solve->outcome);
    return 0;
}

static int run_solvers(const struct training *t, int64_t k, char title[MAX_TITLE],
                       struct solve *solve, struct vector_run *vector, struct error *e) {
    struct trial_best best = {.count = solve->problem->risk->dimension, .objective = INFINITY};
    if (count_trials(t) > 0) {
        best.w = memory_new(best.count, sizeof *best.w, "the weights of the trials", e);
        if (best.w == NULL)
            return -1;
    }
    int status = run_from_trials(t, k, title, solve, vector, &best, e);
    free(best.w);
    return status;
}

/* By a solver, unless W is a mixture of two models that will do. */
static int run_solver(const struct training *t, int64_t k, char title[MAX_TITLE],
                      struct solve *solve, struct vector_run *vector, struct error *e) {
    const struct problem *problem = solve->problem;
    bool between = t->between != NULL && t->between->above != NULL && t->between->below != NULL &&
                   t->between->above->slope != NULL && t->between->below->slope != NULL &&
                   (problem->kept == NULL || problem->kept->state == NULL ||
                    !problem->kept->kind->single_pass);
    double passes = 0; /* of a mixture that will not do */
    if (between && try_mixture(t, t->between, problem, solve->monitor, solve->w, vector, &passes))
        return 0;
    if (run_solvers(t, k, title, solve, vector, e) != 0)
        return -1;
    solve->outcome->passes += passes;
    if (problem->kept != NULL)
        problem->kept->risk = solve->outcome->objective - problem_penalty(problem, solve->w);
    return 0;
}

static int train_problem(const struct training *t, int64_t k, struct problem problem,
                         struct monitor *monitor, double *w, struct vector_run *vector,
                         struct error *e) {
    struct outcome *outcome = &vector->outcome;
    struct run_settings settings = request_run_settings(t->request);
    struct error refusal = {0};
    char title[MAX_TITLE];
    int status = problem.regularizer->constraint ? check_slopes(&problem, e) : 0;
    int depth = monitor_depth(monitor);
    settings.stream = t->stream + (uint64_t)k;
    settings.warm = t->start != NULL;
    settings.judge = t->judge;
    monitor_begin(monitor, make_title(t, solver_of_stage(t, 0), k, title));
    bool null_is_optimal = t->lambda_max != NULL && t->lambda >= t->lambda_max[k];
    if (status == 0 && !null_is_optimal && t->request->solver->batches)
        status = null_point_is_optimal(&problem, &null_is_optimal, e);
    if (status == 0 && null_is_optimal) {
        status = take_null_point(&problem, monitor, w, outcome, e);
        if (status == 0)
            status = linearize_null_point(&problem, w, e);
    } else if (status == 0) {
        status = run_solver(t, k, title,
                            &(struct solve){.problem = &problem,
                                            .run = &settings,
                                            .options = t->request->options,
                                            .monitor = monitor,
                                            .w = w,
                                            .outcome = outcome},
                            vector, &refusal);
        if (status != 0)
            pass_refusal(t, k, &refusal, e);
    }
    monitor_leave(monitor, depth);
    monitor_save_unsaved(monitor);
    monitor_end(monitor);
    outcome->sought |= monitor->tolerance > 0;
    if (status == 0)
        null_model_compare(&problem, t->request->settings.epsilon, w, outcome,
                           t->data->communicator, &vector->null);
    return status;
}

/* What the run before left, in a session that went on from there; and what this run leaves, for the journal. */
static int train_packed(const struct training *t, int64_t k, const struct problem *problem,
                        struct monitor *monitor, double *w, struct vector_run *vector,
                        struct error *e) {
    const struct kept_kind *const *kinds = t->request->solver->keeps;
    bool packs = problem->kept != NULL && t->packs != NULL;
    if (packs && kept_unpack(problem->kept, kinds, problem, &t->packs[k], e) != 0)
        return -1;
    int status = train_problem(t, k, *problem, monitor, w, vector, e);
    return status == 0 && packs ? kept_pack(problem->kept, kinds, problem, &t->packs[k], e)
                                : status;
}

int vector_train_risk(const struct training *t, int64_t k, const struct risk *risk,
                      struct monitor *monitor, double *w, struct vector_run *vector,
                      struct error *e) {
    struct training one = *t;
    struct problem problem = vector_problem(t, risk);
    struct linearization own = {0};
    struct between between =
        t->between != NULL ? between_of(t->between, k) : (struct between){.now = &own};
    problem.kept = t->kept != NULL ? &t->kept[k] : NULL;
    if (t->request->settings.path_gap == 0)
        return train_packed(t, k, &problem, monitor, w, vector, e);
    one.between = &between;
    problem.linearization = between.now;
    int status = linearization_init(problem.linearization, risk, e);
    if (status == 0)
        status = train_problem(&one, k, problem, monitor, w, vector, e);
    if (status == 0)
        status = find_interval(t, &problem, w, &vector->outcome, e);
    linearization_free(&own);
    return status;
}

int vector_train(const struct training *t, int64_t k, const double *target, struct monitor *monitor,
                 double *w, struct vector_run *vector, struct error *e) {
    struct risk *risk = vector_risk(t, k, target, e);
    int status = risk == NULL ? -1 : vector_train_risk(t, k, risk, monitor, w, vector, e);
    risk_free(risk);
    return status;
}
