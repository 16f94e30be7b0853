/* rda_plus.c - dual averaging until its iterates stay on one manifold, then lps on that.
 *
 *     minimize over w:  J(w) = R(w) + l1 ||w||_1 + l2/2 ||w||^2,   R smooth
 *
 * Phase 1 makes the steps of rda (averaging.h), with its --beta, --slope and gamma. It ends, after a pass or
 * more, when the last `settle` iterates w_{t+2-settle} .. w_{t+1} have the same sign pattern (manifold.h).
 * Phase 2 is lps from w_{t+1}. At first only the components of the expanded manifold may leave 0:
 *
 *     w_i != 0,   or   |mean of the gradients|_i > rho l1,   or an offset.
 *
 * When most of the violation of optimality lies outside of these, all components may: the result is an
 * optimum of the whole problem. With a given start (-i), the run is lps from there, since dual averaging
 * begins at 0.
 *
 * Phase 1 gives up after 10 passes, or at the end of a pass in whose last `settle` steps (of all steps of a
 * shorter pass) the pattern changed in more than the fraction `give_up`. A pattern that changes in every
 * fifth step would need many passes to settle, and a subset many times too large makes phase 2 slow.
 * Therefore, after giving up by this fraction, phase 2 is lps from w = 0 on all components. Where a pass
 * has fewer than `settle` steps, the run is lps alone.
 *
 * Reference: Lee 2011, thesis, Algorithm 2 (RDA+) with the constants of section 2.6.2, tau = 100 and
 * rho = 0.85; Lee & Wright 2012, "Manifold identification in dual averaging for regularized stochastic
 * online learning", JMLR 13. Beyond the paper: phase 1 may give up (--give-up 1: only after 10 passes); all
 * components may change in the end; gamma is found by runs over a tenth of the rows; --slope half; w = 0 with its best
 * offset is the start of phase 2, or the result when a limit ends the run in phase 1, if its J is less; and
 * after an overflow in phase 1 the run is lps. Cost: a step O(nonzeros of the batch) and, after a pass, the
 * heap of manifold.h; then that of lps.
 *
 * Measured, MNIST 6 vs 7, raw pixels, offset, lambda 10, 1, 0.1, gamma 10000, 100 seeds: phase 1 ends
 * after 12271, 13923, 13148 steps (median; at most 22940) with 12, 82, 239 nonzeros, 45, 135, 272
 * components on the expanded manifold, and 14, 56, 105 in the optimum. At lambda 10, delta = 1e-4 takes 10.6 passes;
 * lps 14.1, as in the thesis (--gradient-fraction 1 --newton-threshold 200) 31.3 (experiments/sparse). On wide text
 * lps is faster. Phase 2 needs more passes from w = 0 than from w_{t+1}, except on wide text at small lambda.
 *
 * Elastic net, six data sets, three losses, lambda = 1e-2 and 1e-4: --beta sqrt takes fewer passes than
 * --beta log, which needs no search for gamma, in 26 of 36 cases, more in 7. */
#include "solvers/lps/rda_plus.h"

#include "io/memory.h"
#include "solvers/certificate.h"
#include "solvers/lps/manifold.h"
#include "solvers/optimality.h"
#include "solvers/sparse/averaging.h"
#include "solvers/sparse/gamma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- phase 1 */

/* The fraction of the rows that gamma is found on: all its runs together make one pass. */
static const double sample_fraction = 1.0 / GAMMA_TRIALS;

/* The observer of dual averaging: counts for how many steps the sign pattern has been the same. */
struct pattern_watch {
    struct manifold manifold;
    int64_t settle;  /* phase 1 ends after so many iterates of one pattern */
    int64_t from;    /* the first iterate that counts is w_{from+1}: phase 1 lasts a pass or more */
    int64_t steps;   /* of a pass */
    int64_t window;  /* the last steps of each pass, in which changes are counted */
    int64_t changes; /* of the pattern in the window */
    double max_changes; /* with more of them phase 1 gives up */
    bool gave_up;
};

static void touched(void *opaque, int64_t t, int64_t j, double before, double after) {
    struct pattern_watch *watch = opaque;
    (void)before;
    if (t <= watch->from)
        watch->manifold.sum[j] = after;
    else
        manifold_touch(&watch->manifold, j, after);
}

/* Whether a pass ends with step t and the pattern changed too often in its last steps. */
static bool should_give_up(struct pattern_watch *watch, int64_t t) {
    int64_t left = watch->steps - 1 - (t - 1) % watch->steps;
    if (left >= watch->window)
        return false;
    if (left == watch->window - 1)
        watch->changes = 0;
    watch->changes += watch->manifold.last_change == t && t > watch->from;
    return left == 0 && (double)watch->changes > watch->max_changes;
}

/* After step t: true when the pattern has settled, or phase 1 gives up. */
static bool stepped(void *opaque, int64_t t) {
    struct pattern_watch *watch = opaque;
    if (t < watch->from)
        return false;
    if (t == watch->from)
        manifold_begin(&watch->manifold, t);
    else
        manifold_advance(&watch->manifold, t);
    if (manifold_unchanged(&watch->manifold, t) >= watch->settle)
        return true;
    return watch->gave_up = should_give_up(watch, t);
}

/* The signs follow from the sums. */
static void visit_watch(void *opaque, int64_t t, struct state *list) {
    struct pattern_watch *watch = opaque;
    struct manifold *manifold = &watch->manifold;
    state_doubles(list, manifold->sum, manifold->n);
    if (state_reads(list) && t >= watch->from)
        manifold_begin(manifold, t);
    manifold->last_change = state_integer(list, manifold->last_change, 0, t);
    watch->changes = state_integer(list, watch->changes, 0, watch->window);
}

enum { GAMMA_PASSES = 1 }; /* of the runs that find gamma: most first phases end early */

/* Phase 1: dual averaging with the observer. `mean` receives the mean gradient. */
static int run_averaging(const struct solve *solve, double *mean, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct rda_plus_settings *options = solve->options;
    struct run_settings run = *solve->run;
    struct solve first = *solve;
    int64_t pass = passes_steps(problem, &run),
            window = options->settle < pass ? options->settle : pass;
    struct pattern_watch watch = {.settle = options->settle,
                                  .from = pass + 1 - options->settle,
                                  .steps = pass,
                                  .window = window,
                                  .max_changes = options->give_up * (double)window};
    const struct averaging_observer observer = {&watch, touched, stepped, visit_watch};
    const struct averaging_settings steps = {
        {.gamma = options->gamma, .sample_fraction = sample_fraction},
        .beta = options->beta,
        .slope = options->slope};
    first.options = &steps;
    first.run = &run;
    run.passes = fmin(run.passes, GAMMA_PASSES);
    const struct averaging_plan plan = {.gamma = averaging_gamma(&first, e),
                                        .beta = options->beta,
                                        .slope = options->slope,
                                        .output = OUTPUT_LAST,
                                        .observer = &observer,
                                        .mean = mean};
    run.passes = fmin(solve->run->passes, RDA_PLUS_PASSES);
    double l1 = problem_penalty_parts(problem).l1;
    if (plan.gamma == 0)
        return -1;
    int status = manifold_init(&watch.manifold, problem->risk->regularized, l1, e);
    if (status == 0)
        status = averaging_run(&first, &plan, e);
    if (watch.gave_up)
        solve->outcome->verdict = VERDICT_STALLED;
    manifold_free(&watch.manifold);
    return status;
}

/* Marks the components of the expanded manifold in `subset`. */
static void expand_manifold(const struct problem *problem, double rho, const double *w,
                            const double *mean, bool *subset) {
    const struct risk *risk = problem->risk;
    double threshold = rho * problem_penalty_parts(problem).l1;
    for (int64_t j = 0; j < risk->dimension; j++)
        subset[j] = j >= risk->regularized || w[j] != 0 || fabs(mean[j]) > threshold;
}

int rda_plus_identify(const struct solve *solve, bool *subset, struct error *e) {
    const struct rda_plus_settings *options = solve->options;
    double *mean = memory_new(solve->problem->risk->dimension, sizeof *mean, "a gradient", e);
    int status = -1;
    if (mean != NULL)
        status = run_averaging(solve, mean, e);
    if (status == 0)
        expand_manifold(solve->problem, options->rho, solve->w, mean, subset);
    free(mean);
    return status;
}

/* ---- phase 2 */

static const double start_passes = 2; /* that choose_start makes */

/* Whether a limit ended the run in phase 1, or leaves no time for phase 2. */
static bool is_over(const struct run_settings *run, const struct outcome *outcome) {
    return outcome->verdict == VERDICT_TIME || outcome->verdict == VERDICT_INTERRUPTED ||
           outcome->passes + start_passes + LPS_START_PASSES > run->passes;
}

/* Where w = 0 with its best offset has a lower J, w becomes that point and *kept false. 0, or -1 with the
 * error set. */
static int choose_start(const struct problem *problem, double *w, bool *kept, struct error *e) {
    int64_t n = problem->risk->dimension;
    double *null = memory_new(n, sizeof *null, "a point", e);
    if (null == NULL)
        return -1;
    int status = optimality_null_point(problem, null, e);
    if (status == 0)
        *kept = problem_objective(problem, w) <= problem_objective(problem, null);
    if (status == 0 && !*kept)
        memcpy(w, null, sizeof *w * (size_t)n);
    free(null);
    return status;
}

/* Fills the outcome for the result w of a run that a limit ended in phase 1. 0, or -1 with the error set. */
static int finish_after_phase1(const struct problem *problem, const double *w,
                               struct outcome *outcome, struct error *e) {
    double *slope = memory_new(problem->risk->dimension, sizeof *slope, "a gradient", e);
    if (slope == NULL)
        return -1;
    outcome->objective = certificate_evaluate(problem, w, slope, &outcome->bound, e);
    free(slope);
    if (!isfinite(outcome->objective) || isnan(outcome->bound))
        return passes_overflow(e);
    if (outcome->bound >= outcome->objective)
        outcome->verdict = VERDICT_CONVERGED; /* nothing is lower */
    else if (outcome->verdict == VERDICT_SETTLED || outcome->verdict == VERDICT_STALLED)
        outcome->verdict = VERDICT_PASSES; /* these verdicts are about the pattern, not about J */
    return 0;
}

/* What phase 2 begins with. */
struct phases {
    const struct solve *solve;
    bool *subset;
    bool second; /* phase 1 is over */
    bool kept;   /* the subset is that of the start */
    struct lps_start start;
};

/* In phase 2, beside what lps lists. */
static void visit(struct state *state, void *context) {
    struct phases *phases = context;
    phases->second = state_flag(state, phases->second);
    if (!phases->second)
        return;
    phases->kept = state_flag(state, phases->kept);
    for (int64_t j = 0; phases->kept && j < phases->solve->problem->risk->dimension; j++)
        phases->subset[j] = state_flag(state, phases->subset[j]);
}

/* Phase 1, unless it overflows: then the run is lps, which reports an error of its own if there is one. */
static int identify(const struct phases *phases, bool *identified, struct error *e) {
    struct monitor *monitor = phases->solve->monitor;
    struct error error = {0};
    int depth = monitor_depth(monitor);
    *identified = rda_plus_identify(phases->solve, phases->subset, &error) == 0;
    monitor_leave(monitor, depth);
    bool refused = !*identified && depth > 0 && checkpoint_reads(monitor->settings.checkpoint);
    return error.kind == ERROR_MEMORY || refused ? error_pass(e, &error) : 0;
}

/* Phase 1 and its result; *over: a limit ended the run, and the outcome is filled. */
static int run_phase1(struct phases *phases, bool *over, struct error *e) {
    const struct solve *solve = phases->solve;
    struct outcome *outcome = solve->outcome;
    bool identified;
    *outcome = (struct outcome){.verdict = VERDICT_GO_ON};
    if (identify(phases, &identified, e) != 0)
        return -1;
    bool useful = identified && outcome->verdict != VERDICT_STALLED;
    *over = is_over(solve->run, outcome);
    if ((*over || useful) && choose_start(solve->problem, solve->w, &phases->kept, e) != 0)
        return -1;
    if (*over)
        return finish_after_phase1(solve->problem, solve->w, outcome, e);
    phases->second = true;
    phases->start.passes = outcome->passes + (useful ? start_passes : 0);
    phases->start.iterations = outcome->iterations;
    return 0;
}

static int run_phases(const struct solve *solve, bool *subset, struct error *e) {
    const struct rda_plus_settings *options = solve->options;
    struct phases phases = {.solve = solve, .subset = subset};
    bool over = false;
    if (monitor_enter(solve->monitor, visit, &phases, e) == CHECKPOINT_REFUSED)
        return -1;
    if (!phases.second && run_phase1(&phases, &over, e) != 0)
        return -1;
    phases.start.subset = phases.kept ? subset : NULL;
    return over ? 0 : lps_run(solve, &options->lps, &phases.start, e);
}

static int train(const struct solve *solve, struct error *e) {
    const struct rda_plus_settings *settings = solve->options;
    static const struct lps_start from_start;
    bool too_short =
        settings->give_up < 1 && passes_steps(solve->problem, solve->run) < settings->settle;
    if (solve->run->warm || too_short)
        return lps_run(solve, &settings->lps, &from_start, e);
    bool *subset =
        memory_zeroed(solve->problem->risk->dimension, sizeof *subset, "the manifold", e);
    int status = -1;
    if (subset != NULL)
        status = run_phases(solve, subset, e);
    free(subset);
    return status;
}

static int check(const struct solver_request *request, struct error *e) {
    const struct rda_plus_settings *settings = request->options;
    if (settings->slope == AVERAGING_BEFORE && !(request->loss->lipschitz_slope > 0))
        return error_usage(e,
                           "--slope before is for the squared loss and the squared hinge; drop it");
    return averaging_check(request, settings->beta, e);
}

static const struct option_row options[] = {
    {.name = "gamma",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = HUGE_VAL,
     .default_text = "0",
     .help = "step sizes of dual averaging are proportional to 1/X; 0: X is found by short runs "
             "over a sample",
     .offset = offsetof(struct rda_plus_settings, gamma)},
    AVERAGING_BETA_ROW(struct rda_plus_settings, beta),
    AVERAGING_SLOPE_ROW(struct rda_plus_settings, slope),
    {.name = "settle",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .low = 1,
     .high = OPTION_COUNT_MOST,
     .default_text = "100",
     .help = "dual averaging ends when N iterates in a row, after the first pass, have the same "
             "signs and zeros",
     .offset = offsetof(struct rda_plus_settings, settle)},
    {.name = "give-up",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1,
     .default_text = "0.2",
     .help = "dual averaging ends after a pass in which the signs or zeros changed in more than a "
             "fraction X of the last N iterates (N of --settle); it is left out if a pass has "
             "fewer than N (1: neither)",
     .offset = offsetof(struct rda_plus_settings, give_up)},
    {.name = "rho",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1,
     .open = true,
     .default_text = "0.85",
     .help = "after dual averaging, zero weights whose mean gradient is more than X times lambda "
             "join the nonzero ones (the thesis's rho)",
     .offset = offsetof(struct rda_plus_settings, rho)},
    LPS_OPTION_ROWS(struct rda_plus_settings, lps.),
};

/* Dual averaging takes less, and leaves before the Newton steps begin. */
static double bytes(const struct scalar_terms *terms, const void *chosen) {
    (void)chosen;
    return lps_bytes(terms);
}

const struct solver rda_plus = {
    .name = "rda+",
    .summary = "dual averaging until the set of nonzero weights is stable, then lps on it",
    .reference = "Lee 2011, thesis, Algorithm 2; Lee & Wright 2012, JMLR 13",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends; or --optimality",
    .epsilon = 1e-3,
    .passes = 100000,
    .offset = true,
    .needs_all_rows = true,
    .batches = true,
    .goes_on = true,
    .check = check,
    .regularizers = lps_regularizers,
    .takes_loss = lps_takes,
    .bytes = bytes,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct rda_plus_settings),
    .train = train,
};
