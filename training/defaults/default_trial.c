/* default_trial.c - which solvers are tried before the default one.
 *
 * How fast some solvers are depends on what no shape of the data shows, but it shows soon.
 *
 * To a gap of 1 % at small lambda `proximal` mostly takes 5 to 12 passes, unless the data are nearly separable, while
 * planes take more the smaller lambda is, and an interior point the more features there are. It ends after 3 passes
 * where J is small by then, and `dcd` follows; after all its passes `dcd` would not help either.
 *
 * Quasi-Newton steps (`lbfgs`) for a smooth loss are 10 to 40 where the spectrum of the data is even, and hundreds
 * where it is not. Newton steps of the interior point are few for any spectrum, but each costs many passes. Regressions
 * with kinks take 20 to 100 linearizations where the spectrum is even, and hundreds where it is not; how many cutting
 * planes the hinge takes is known to a factor of ten, what an interior point takes to a factor of two or three. So
 * `lbfgs`, `proximal-bundle` or `ocas` goes before `ipm`. After a look of a few passes how far its gap has fallen
 * forecasts how many are left, and it ends where these would take as long as a part of what `ipm` is expected to
 * take: at worst this doubles the time. One Newton step solves a squared loss.
 *
 * Dual coordinate descent trains a hinge fast where the data are nearly separable: on one digit of a set it is several
 * times as fast as an interior point, on another one slower. Where few margins are hard to keep, few rows stay active
 * and conjugate gradients end early, so that an epoch costs less than a pass. So `dcd` goes first. With the hinge it
 * ends if its first epochs, before conjugate gradients, visit nearly all rows; with any loss if later its epochs cost
 * many passes while its bound still rises, which on hard data is seen after about 30, or after about the time that the
 * other solver is expected to take, unless its bound hardly rises any more: then the end is near, and nearer where the
 * bound stands still or the gap is known to be small. The first epochs decide nothing where that time is long beside
 * them.
 *
 * At a large lambda dual steps are few on any data, so `dcd` goes first there with more examples a feature, too, if the
 * caches hold them.
 *
 * Dual steps are as fast for regressions with kinks whose targets the features explain, so `dcd` goes before
 * `proximal-bundle` and `ipm` there, too, for less time. Where the rules send a smooth loss of many features to `dcd`
 * though examples are not few, `lbfgs` goes first: many rows keep their loss, and steps on all of them are few.
 *
 * The logistic loss has dual steps of single examples, too (`sdca`). They go first on sparse data of more features than
 * examples: there they take some tens of passes, of which none reads or writes vectors of all weights.
 *
 * Planes lead with a smooth loss on sparse data of many features where these are nearly separable: J is small after 10
 * passes of `lbfgs`. Elsewhere `lbfgs` goes on.
 *
 * Planes that are chosen are the last trial, for about the time of an interior point, which follows.
 *
 * Where dcd is chosen it ends mostly within some tens of passes, and on data of few directions not in a thousand. So it
 * gives way to Newton steps, or with the squared hinge to quasi-Newton steps where there are too many features.
 * Smoothed losses with a 1-norm may take accelerated gradients without end, too: an interior point follows.
 *
 * The best that the trials have reached is the start of the default solver; but not of Newton steps for squares of
 * hinges on nearly separable data, which need fewer from w = 0, where all rows are curved. */
#include "training/defaults/default_trial.h"

#include "training/defaults/default_bounds.h"
#include "training/defaults/trial_limits.h"

#include <math.h>
#include <string.h>

/* Of lbfgs, to the usual gap, where the spectrum of the data is uneven. */
enum { PASSES_IF_UNEVEN = 400 };

/* More rows leave the caches, where steps in random order take several times as long. */
enum { CACHED_ROWS = 80000 };

/* Examples a feature. */
enum { FAIRLY_MANY = FAIRLY_MANY_EXAMPLES_PER_FEATURE, MANY = MANY_EXAMPLES_PER_FEATURE };

/* The losses for which the default is slower on some data: from LEAST to below LIMIT examples a feature (with more of
 * them the data of two classes are hardly ever separable, and only large lambdas need few steps), at most so many
 * EXAMPLES, and lambda from LOW to below HIGH. SHARE of the default's time is the most that a trial takes, unless its
 * end is near. */
static const struct {
    const char *loss;
    double least, limit, examples, low, high, share;
    double (*allowed)(const struct report *report, double passes);
} tried[] = {
    {"hinge", 0, MANY, INFINITY, 0, INFINITY, 1, trial_limit_of_hinge},
    {"hinge", MANY, INFINITY, CACHED_ROWS, FAIRLY_LARGE_LAMBDA, 0.1, 1, trial_limit_of_hinge},
    {"squared-hinge", 0, FAIRLY_MANY, INFINITY, 0, INFINITY, 0.5, trial_limit_of_squared_hinge},
    {"squared-hinge", FAIRLY_MANY, MANY, INFINITY, FAIRLY_LARGE_LAMBDA, INFINITY, 0.5,
     trial_limit_of_squared_hinge},
    {"huber", 0, INFINITY, INFINITY, 1e-2, INFINITY, 0.5, trial_limit_usual},
    {"absolute", 0, FAIRLY_MANY, INFINITY, 0, INFINITY, 0.35, trial_limit_of_kinks},
    {"absolute", FAIRLY_MANY, INFINITY, CACHED_ROWS, FAIRLY_LARGE_LAMBDA, 0.1, 0.35,
     trial_limit_of_kinks},
    {"epsilon", 0, FAIRLY_MANY, INFINITY, 0, INFINITY, 0.35, trial_limit_of_kinks},
    {"epsilon", FAIRLY_MANY, INFINITY, CACHED_ROWS, FAIRLY_LARGE_LAMBDA, 0.1, 0.35,
     trial_limit_of_kinks},
    {"quantile", 0, FAIRLY_MANY, INFINITY, 0, INFINITY, 0.35, trial_limit_of_kinks},
    {"quantile", FAIRLY_MANY, INFINITY, CACHED_ROWS, FAIRLY_LARGE_LAMBDA, 0.1, 0.35,
     trial_limit_of_kinks},
};

static const struct default_trial trials_of_help[] = {
    {"proximal",
     "before dcd, ipm, ocas, mcpa and proximal-bundle: the hinge, -e of 0.01 or more, lambda of "
     "1e-5 or less, 100 to 1000 features of about one size, at least 50 examples a feature, no "
     "--map or --intercept; for at most 12 passes"},
    {"proximal",
     "before all others: the hinge with --intercept, lambda of 1e-4 or less (1e-3 with at least "
     "200 "
     "examples a feature and at most 80000 examples), at least 50 examples a feature, features of "
     "about one size; no --map, no -e below 1e-4; for at most 36 passes"},
    {"lbfgs",
     "before ipm: smooth losses, features of about one size if there are at most 300, not squared "
     "hinge with at most 0.75 times as many examples as features; for 1.5 times the time that ipm "
     "is expected to take (1 times with -e below 1e-3), where that is 12 passes or more; after an "
     "eighth of that, at least 10 passes, only while half of it is expected to be enough. Before "
     "dcd: smooth losses, at least half as many examples as features (dense data: twice as many); "
     "for 400 passes, or 40 where the gap is then above 0.5, and after 60 only while as many are "
     "expected to be enough. Before proximal-bundle: smooth losses, features of about one "
     "size; for 400 passes, or 10 where the objective is then below 0.08"},
    {"sdca",
     "before all others: logistic, sparse data with more features than examples, and more than "
     "3000 "
     "examples, or more than 0.75 times as many as features; no --map or --intercept; for 150 "
     "passes, or 60 where the gap is then above 0.05"},
    {"proximal-bundle",
     "before ipm: absolute, epsilon and quantile, features of about one size, no -e below 1e-4; "
     "for 70 % of the time that ipm is expected to take; after an eighth of that, at least 20 "
     "passes, only while half of it is expected to be enough"},
    {"dcd",
     "before ipm, ocas, mcpa and proximal-bundle: the hinge with fewer than 200 examples a "
     "feature; squared hinge with fewer than 50 (200 where lambda is 1e-3 or more) and huber with "
     "lambda of 0.01 or more, both where ipm is expected to take as long as 35 passes (60 for "
     "squared hinge with lambda below 1e-3), for squared hinge before lbfgs, too; absolute, "
     "epsilon and quantile with fewer than 50; the hinge and these three with more examples a "
     "feature, too, if lambda is from 1e-3 to below 0.1 and examples are at most 80000; features "
     "of about one size, no --map; for a limited number of passes"},
    {"ocas",
     "before ipm: the hinge, no -e below 1e-4, no --map; for 40 % of the time that ipm is expected "
     "to take; after 30 % of that, 10 to 40 passes, only while half of it is expected to be "
     "enough"},
    {"agm",
     "before ipm: other regularizers than l2, losses with kinks, more than 1000 features; for half "
     "of the time that ipm is expected to take, at least 40 passes, or half of that where the gap "
     "is then above 0.3"},
    {"ocas, mcpa, ...",
     "ocas, mcpa and proximal-bundle themselves, where a rule chooses one for a loss with kinks "
     "and at most 3000 features: for the time that ipm is expected to take, or twice their own if "
     "that is longer (more than 50 features and at least 200 examples a feature: for half the time "
     "of ipm); as long again while at most half of it is expected to be left; then ipm follows; "
     "not after proximal. proximal-bundle with more than 1000 features goes on after an eighth of "
     "the passes, at least 20, only while half of them are expected to be enough"},
    {"dcd",
     "itself, where a rule chooses it: for 60 % of the time that ipm is expected to take, at least "
     "30 passes, twice as long or more where its end is near; then ipm follows, or lbfgs for "
     "squared hinge if there are more than 3000 features or ipm is expected to take as long as 400 "
     "passes of lbfgs, or for other smooth losses if there are more than 3000 features and at "
     "least "
     "half as many examples (dense data: twice as many)"},
};

const char default_trials_when[] =
    "Before the solver of these rules others are tried for a limited time, and it starts from the "
    "best of their weights; not with -i, -p, --path or -e 0, over processes, or with examples that "
    "are not all in memory:";

const struct default_trial *default_trials_of_help(int *count) {
    *count = sizeof trials_of_help / sizeof *trials_of_help;
    return trials_of_help;
}

/* Whether SOLVER is there, and can do what is asked for. */
static bool can_run(const struct solver *solver, const struct default_request *request) {
    return solver != NULL && solver_fits(solver, &request->needs, NULL, 0);
}

static bool can_run_newton(const struct default_request *request) {
    return !request->needs.map && default_request_affords_newton(request) &&
           can_run(solver_by_name("ipm"), request);
}

static bool is_regression_with_kinks(const struct default_request *request) {
    const struct risk_row *risk = request->needs.risk;
    return risk->scalar != NULL && !default_request_is_smooth(request) &&
           risk->task == TASK_REGRESSION;
}

/* Those whose time depends on lambda more than that of `dcd` on separable data does. */
static bool is_slower(const struct default_request *request, const struct solver *solver) {
    static const char *const names[] = {"ipm", "ocas", "mcpa"};
    if (strcmp(solver->name, "proximal-bundle") == 0)
        return !default_request_is_smooth(request);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(solver->name, names[i]) == 0)
            return true;
    return false;
}

static bool suits(const struct default_request *request, size_t i) {
    double features = (double)request->features, rows = (double)request->rows;
    return strcmp(request->needs.risk->name, tried[i].loss) == 0 &&
           rows >= tried[i].least * features && rows < tried[i].limit * features &&
           rows <= tried[i].examples && request->lambda >= tried[i].low &&
           request->lambda < tried[i].high;
}

static double gap_of(const struct default_request *request) {
    return request->epsilon > 0 ? request->epsilon : USUAL_GAP;
}

/* A quadratic J, for which one Newton step is enough. */
static bool is_one_step(const struct default_request *request) {
    return request->needs.risk == risk_row_by_name("squared");
}

static double passes_of_newton(const struct default_request *request) {
    static const double usual_steps = 5, steps_of_duals = 8; /* where dual variables have bounds */
    const struct data_shape shape = default_request_shape(request);
    double steps = is_one_step(request)                        ? 1
                   : loss_has_box(request->needs.risk->scalar) ? steps_of_duals
                                                               : usual_steps;
    return cost_newton_steps(&shape, steps) / cost_gradient_pass(&shape);
}

/* The time of CHOSEN, in passes of coordinate steps. */
static double passes_of(const struct default_request *request, const struct solver *chosen) {
    const struct data_shape shape = default_request_shape(request);
    double time = strcmp(chosen->name, "ipm") != 0
                      ? cost_cutting_planes(&shape, request->lambda, gap_of(request))
                  : default_request_is_smooth(request)
                      ? passes_of_newton(request) * cost_gradient_pass(&shape)
                      : cost_interior_point(&shape);
    return time / cost_coordinate_pass(&shape);
}

/* Fewer than two examples a feature, most of which can be fitted: then Newton's method for squares of hinges meets
 * others in each step. */
static bool is_hard_for_newton(const struct default_request *request) {
    return default_request_is_smooth(request) && loss_second_jumps(request->needs.risk->scalar) &&
           request->needs.risk->task != TASK_REGRESSION && request->rows < 2 * request->features;
}

/* Whether the usual number of passes is small beside PASSES, those of the default solver: more than the loss of the
 * table is allowed. */
static bool is_long(const struct default_request *request, double passes) {
    static const double passes_if_long = 100;
    bool few = default_request_is_smooth(request) &&
               default_request_has_few(request); /* Newton steps are cheap */
    return passes >= passes_if_long && !is_regression_with_kinks(request) &&
           request->rows < FAIRLY_MANY_EXAMPLES_PER_FEATURE * request->features &&
           !few; /* with more of them cutting planes are few */
}

/* Whether Newton steps, which the default takes so many passes of coordinate steps for, cost little. Where lambda is
 * small they are more steps for squared hinge on nearly separable data, and many more coordinate steps on other data.
 */
static bool are_cheap_newton_steps(const struct default_request *request, double passes) {
    static const double usual = 35, of_squared_hinge = 60;
    bool most = default_request_is_squared_hinge(request) && request->lambda < FAIRLY_LARGE_LAMBDA;
    return default_request_is_smooth(request) && !is_hard_for_newton(request) &&
           passes < (most ? of_squared_hinge : usual);
}

static struct trial trial_of_dcd(const struct default_request *request,
                                 const struct solver *chosen) {
    const double least_passes = is_regression_with_kinks(request) ? 30 : 60;
    const struct solver *dcd = solver_by_name("dcd");
    size_t i = 0, count = sizeof tried / sizeof *tried;
    if (request->needs.map || request->uneven || !is_slower(request, chosen) ||
        !can_run(dcd, request))
        return (struct trial){0};
    while (i < count && !suits(request, i))
        i++;
    if (i == count)
        return (struct trial){0};
    double passes = passes_of(request, chosen);
    if (are_cheap_newton_steps(request, passes))
        return (struct trial){0};
    return (struct trial){.solver = dcd,
                          .passes =
                              TRIAL_MORE_IF_SEEN * fmax(least_passes, tried[i].share * passes),
                          .allowed = is_hard_for_newton(request) ? trial_limit_if_near
                                     : is_long(request, passes)  ? trial_limit_if_long
                                                                 : tried[i].allowed};
}

/* The hinge, a loose gap, and so many features that other steps cost more. */
static bool suits_proximal(const struct default_request *request) {
    static const double loose_gap = 0.01, small_lambda = 1e-5;
    static const int64_t least_features = 100;
    return default_request_is_hinge(request) && request->epsilon >= loose_gap &&
           request->lambda <= small_lambda && request->features >= least_features &&
           request->features <= SOME_FEATURES &&
           request->rows >= FAIRLY_MANY_EXAMPLES_PER_FEATURE * request->features;
}

static struct trial trial_of_proximal(const struct default_request *request,
                                      const struct solver *chosen) {
    static const double passes = 12;
    const struct solver *proximal = solver_by_name("proximal");
    const struct solver_needs *needs = &request->needs;
    if (needs->map || needs->intercept || request->uneven || !is_slower(request, chosen) ||
        !suits_proximal(request) || !can_run(proximal, request))
        return (struct trial){0};
    return (struct trial){
        .solver = proximal, .passes = passes, .allowed = trial_limit_of_proximal, .decides = true};
}

/* The hinge with an offset. At larger lambda, or where examples are so few that they can nearly be fitted, dual steps
 * are fewer, and on many rows planes. */
static bool suits_proximal_with_offset(const struct default_request *request) {
    bool many = request->rows >= MANY_EXAMPLES_PER_FEATURE * request->features &&
                request->rows <= CACHED_ROWS;
    double largest = many ? FAIRLY_LARGE_LAMBDA : FAIR_LAMBDA;
    return request->rows >= FAIRLY_MANY * request->features && request->needs.intercept &&
           default_request_is_hinge(request) && !request->uneven &&
           !default_request_other_than_l2(request) && request->lambda <= largest;
}

/* A pass takes as long as some of coordinate steps. */
static struct trial trial_of_proximal_with_offset(const struct default_request *request,
                                                  const struct solver *chosen) {
    static const double most_passes = 36, share = 0.2;
    const struct solver *proximal = solver_by_name("proximal");
    if (strcmp(chosen->name, "dcd") == 0 || request->needs.map ||
        default_request_is_tight(request) || !suits_proximal_with_offset(request) ||
        !can_run(proximal, request))
        return (struct trial){0};
    return (struct trial){.solver = proximal,
                          .passes = fmin(most_passes, ceil(share * passes_of(request, chosen)))};
}

/* Coordinate steps, to which the rules send many features, are slow where not nearly all examples can be fitted. */
static struct trial trial_of_lbfgs_before_dcd(const struct default_request *request) {
    const struct solver *lbfgs = solver_by_name("lbfgs");
    if (!default_request_is_smooth(request) ||
        !default_request_has_enough_for_quasi_newton(request) || !can_run(lbfgs, request))
        return (struct trial){0};
    return (struct trial){
        .solver = lbfgs, .passes = PASSES_IF_UNEVEN, .allowed = trial_limit_of_lbfgs_before_dcd};
}

/* Dual steps with the logistic loss, on sparse data of more features than examples, where vectors of all weights are
 * long beside the examples. */
static struct trial trial_of_sdca(const struct default_request *request) {
    static const double most_passes = 150;
    const struct solver *sdca = solver_by_name("sdca");
    if (request->needs.risk != risk_row_by_name("logistic") || !default_request_is_wide(request) ||
        default_request_is_dense(request) || default_request_is_of_few_rows(request) ||
        request->needs.map || !can_run(sdca, request))
        return (struct trial){0};
    return (struct trial){.solver = sdca, .passes = most_passes, .allowed = trial_limit_of_sdca};
}

/* On sparse data of many features planes lead only where the data are nearly separable. */
static struct trial trial_of_lbfgs_before_planes(const struct default_request *request) {
    const struct solver *lbfgs = solver_by_name("lbfgs");
    if (!default_request_is_smooth(request) || request->uneven || !can_run(lbfgs, request))
        return (struct trial){0};
    return (struct trial){
        .solver = lbfgs, .passes = PASSES_IF_UNEVEN, .allowed = trial_limit_of_lbfgs_before_planes};
}

static struct trial trial_of_lbfgs(const struct default_request *request,
                                   const struct solver *chosen) {
    static const double least_passes = 12;
    const struct solver *lbfgs = solver_by_name("lbfgs");
    if (strcmp(chosen->name, "dcd") == 0)
        return trial_of_lbfgs_before_dcd(request);
    if (strcmp(chosen->name, "proximal-bundle") == 0)
        return trial_of_lbfgs_before_planes(request);
    bool few_rows = default_request_is_of_few_rows(request);
    bool slow = (request->uneven && default_request_has_few(request)) ||
                (few_rows && is_hard_for_newton(request)); /* and harder for lbfgs */
    if (strcmp(chosen->name, "ipm") != 0 || !default_request_is_smooth(request) || slow ||
        passes_of_newton(request) < least_passes || !can_run(lbfgs, request))
        return (struct trial){0};
    double longer = gap_of(request) < USUAL_GAP ? 1 : 1.5; /* more digits are for ipm */
    return (struct trial){.solver = lbfgs,
                          .passes = ceil(longer * passes_of_newton(request)),
                          .allowed = trial_limit_of_lbfgs};
}

static struct trial trial_of_planes(const struct default_request *request,
                                    const struct solver *chosen) {
    static const double least_passes = 10,
                        share =
                            0.7; /* an interior point takes fewer iterations than for the hinge */
    const struct solver *planes = solver_by_name("proximal-bundle");
    const struct data_shape shape = default_request_shape(request);
    double passes = passes_of_planes_within(&shape, share * cost_interior_point(&shape));
    if (strcmp(chosen->name, "ipm") != 0 || !is_regression_with_kinks(request) || request->uneven ||
        default_request_is_tight(request) || passes < least_passes || !can_run(planes, request))
        return (struct trial){0};
    return (struct trial){.solver = planes, .passes = passes, .allowed = trial_limit_of_planes};
}

/* A loss with kinks, and few enough features for an interior point. */
static bool suits_cuts(const struct default_request *request) {
    bool kinks = default_request_is_hinge(request) || is_regression_with_kinks(request);
    return kinks && can_run_newton(request);
}

/* Cutting planes before an interior point, where they are expected to take longer. */
static struct trial trial_of_cuts(const struct default_request *request,
                                  const struct solver *chosen) {
    static const double share = 0.4;
    const struct data_shape shape = default_request_shape(request);
    const struct solver *ocas = solver_by_name("ocas");
    if (strcmp(chosen->name, "ipm") != 0 || !suits_cuts(request) ||
        default_request_is_tight(request) || !can_run(ocas, request))
        return (struct trial){0};
    return (struct trial){.solver = ocas,
                          .passes =
                              passes_of_cuts_within(&shape, share * cost_interior_point(&shape)),
                          .allowed = trial_limit_of_cuts};
}

/* The time for planes that are chosen: where examples are many beside the features an interior point takes few
 * iterations, and that time is known; where they are fewer it may be longer. */
static double time_of_chosen(const struct default_request *request) {
    static const double longer = 2, share_if_many = 0.5;
    const struct data_shape shape = default_request_shape(request);
    double newton = cost_interior_point(&shape);
    if (request->features > VERY_FEW_FEATURES &&
        request->rows >= MANY_EXAMPLES_PER_FEATURE * request->features)
        return share_if_many * newton;
    if (request->features > SOME_FEATURES)
        return newton;
    return fmax(newton, longer * cost_cutting_planes(&shape, request->lambda, gap_of(request)));
}

/* Of planes, CHOSEN, in the time of an interior point, which is nearly the same on all data of a shape. */
static struct trial trial_of_chosen(const struct default_request *request,
                                    const struct solver *chosen) {
    const struct data_shape shape = default_request_shape(request);
    if (strcmp(chosen->name, "ipm") == 0 || !is_slower(request, chosen) || !suits_cuts(request))
        return (struct trial){0};
    double time = time_of_chosen(request);
    bool bundle = strcmp(chosen->name, "proximal-bundle") == 0;
    double passes =
        bundle ? passes_of_planes_within(&shape, time) : passes_of_cuts_within(&shape, time);
    bool forecast = bundle && request->features > SOME_FEATURES;
    return (struct trial){.solver = chosen,
                          .passes = forecast ? passes : TRIAL_MORE_IF_NEAR * passes,
                          .allowed = forecast ? trial_limit_of_planes : trial_limit_of_chosen,
                          .warm = true};
}

/* What follows dcd where that takes long: Newton steps, or for a smooth loss quasi-Newton steps, with labels if these
 * are expected to take less time, with numbers if Newton steps cannot be taken and examples are not few. NULL: neither
 * can. */
static const struct solver *after_dcd(const struct default_request *request) {
    const struct solver *lbfgs = solver_by_name("lbfgs");
    bool smooth = default_request_is_smooth(request) && can_run(lbfgs, request);
    bool labels = request->needs.risk->task != TASK_REGRESSION;
    bool slow = smooth && labels && passes_of_newton(request) > PASSES_IF_UNEVEN;
    if (can_run_newton(request) && !slow)
        return solver_by_name("ipm");
    return smooth && (labels || default_request_has_enough_for_quasi_newton(request)) ? lbfgs
                                                                                      : NULL;
}

static double time_after_dcd(const struct default_request *request, const struct solver *next) {
    const struct data_shape shape = default_request_shape(request);
    if (strcmp(next->name, "lbfgs") == 0)
        return PASSES_IF_UNEVEN * cost_gradient_pass(&shape);
    return default_request_is_smooth(request)
               ? passes_of_newton(request) * cost_gradient_pass(&shape)
               : cost_interior_point(&shape);
}

/* Of dcd, where chosen, for a part of the time of what follows. Beside a long time the cost of its epochs decides
 * nothing. */
static struct trial trial_of_chosen_dcd(const struct default_request *request,
                                        const struct solver *next) {
    static const double least_passes = 30, share = 0.6, long_time = 600;
    const struct data_shape shape = default_request_shape(request);
    double all = time_after_dcd(request, next) / cost_coordinate_pass(&shape);
    return (struct trial){
        .solver = solver_by_name("dcd"),
        .passes = TRIAL_MORE_IF_SEEN * fmax(least_passes, ceil(share * all)),
        .allowed = all < long_time && !is_hard_for_newton(request) ? trial_limit_usual
                                                                   : trial_limit_if_near,
        .forgotten = is_hard_for_newton(request) && strcmp(next->name, "ipm") == 0};
}

/* Accelerated gradients, which may not end, before an interior point whose matrix is large. */
static struct trial trial_of_agm(const struct default_request *request,
                                 const struct solver *chosen) {
    static const double least_passes = 40, share = 0.5;
    const struct data_shape shape = default_request_shape(request);
    const struct solver *agm = solver_by_name("agm");
    bool absolute_values = request->needs.regularizer != regularizer_by_name("l2");
    if (!absolute_values || request->features <= SOME_FEATURES ||
        default_request_is_smooth(request) || strcmp(chosen->name, "ipm") != 0 ||
        !can_run(agm, request))
        return (struct trial){0};
    double passes = share * cost_interior_point(&shape) / cost_gradient_pass(&shape);
    return (struct trial){
        .solver = agm, .passes = fmax(least_passes, ceil(passes)), .allowed = trial_limit_of_agm};
}

/* The first of them with a solver. */
static struct trial one_of(struct trial first, struct trial second) {
    return first.solver != NULL ? first : second;
}

const struct solver *default_trials(const struct default_request *request,
                                    const struct solver *chosen, struct trial trials[TRIALS_MOST]) {
    int count = 0;
    memset(trials, 0, TRIALS_MOST * sizeof *trials);
    if (!request->trials)
        return chosen;
    const struct trial proximal = trial_of_proximal(request, chosen), none = {0};
    bool loose = proximal.solver != NULL;
    const struct trial first =
        loose ? proximal
              : one_of(trial_of_agm(request, chosen),
                       one_of(trial_of_lbfgs(request, chosen), trial_of_cuts(request, chosen)));
    const struct trial dual = trial_of_sdca(request);
    const struct trial steps = one_of(dual, one_of(trial_of_proximal_with_offset(request, chosen),
                                                   trial_of_dcd(request, chosen)));
    bool before = steps.solver != NULL && /* they need few passes, or many */
                  (default_request_is_squared_hinge(request) || request->needs.intercept ||
                   dual.solver != NULL);
    const struct trial all[TRIALS_MOST] = {
        before ? steps : first, before ? first : steps,
        loose ? none : one_of(trial_of_planes(request, chosen), trial_of_chosen(request, chosen))};
    for (int i = 0; i < TRIALS_MOST; i++)
        if (all[i].solver != NULL)
            trials[count++] = all[i];
    const struct solver *next = strcmp(chosen->name, "dcd") == 0 ? after_dcd(request) : NULL;
    if (next != NULL && count < TRIALS_MOST) {
        trials[count] = trial_of_chosen_dcd(request, next);
        return next;
    }
    bool follows = count > 0 && trials[count - 1].solver == chosen;
    return follows ? solver_by_name("ipm") : chosen;
}
