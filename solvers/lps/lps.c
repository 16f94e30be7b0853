/* lps.c - block-coordinate relaxation with reduced Newton steps.
 *
 *     minimize over w:  J(w) = R(w) + l1 ||w||_1 + l2/2 ||w||^2,   R smooth
 *
 * An iteration
 *
 *   1. computes the gradient g of R, and from it delta(w) (optimality.h) and a certified lower bound;
 *   2. chooses a set G of components: the nonzero ones, and some of those that violate optimality;
 *   3. makes a first-order step on G:
 *          argmin over d of  g'd + mu/2 ||d||^2 + l1 ||w + d||_1 + l2/2 ||w + d||^2;
 *   4. makes Newton steps on G within an orthant (lps_newton.c), until the largest violation on G is a
 *      tenth of the former, or J hardly falls.
 *
 * Only g needs all columns of the data. The steps use a copy of the columns in G.
 *
 * A problem with a lambda far below lambda_max (where w = 0 is optimal) is solved in stages: lambda falls
 * by factors of 1000 from lambda_max to the problem's, so that G stays small.
 *
 * The files of this folder:
 *
 *     lps           this loop, the stages, stopping
 *     lps_choice    the set G, and gradients of a random sample of components
 *     lps_reduced   the problem on G: the copy of its columns, J, gradient, the first-order step
 *     lps_newton    the Newton steps on G; lps_descent their solution by coordinate descent
 *     rda_plus      the solver rda+: dual averaging finds G, then lps
 *     manifold      for rda+: since when the sign pattern of the averaging's iterates is constant
 *
 * Reference: Wright 2012, SIAM J. Optimization 22(1), "Accelerated block-coordinate relaxation for
 * regularized optimization"; Shi, Wahba, Wright et al. 2008; Lee 2011, section 2.5. There G has all
 * components or a random part of them. Here, without --gradient-fraction, G grows by the components that
 * violate optimality most, so that the Hessians stay about as small as the solution, and the Newton phase
 * has several steps. Iteration: a pass for g, two over the column numbers, and passes over G. */
#include "solvers/lps/lps.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/batch.h"
#include "solvers/dual_bound.h"
#include "solvers/lps/lps_choice.h"
#include "solvers/lps/lps_descent.h"
#include "solvers/lps/lps_newton.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NEWTON_STEPS = 8, MAX_ROUNDS_WITHOUT_PROGRESS = 8, ROUNDS_BETWEEN_REFRESHES = 8 };

/* Newton steps on one G end when a step's fall of J is less than this part of that of all steps before. */
static const double subset_decrease = 0.1;
/* G is solved when its largest violation is below this part of the one at its choice. */
static const double subset_solved = 0.1;
static const double zero_risk = 1e-16; /* of the loss at w = 0: a smaller gap is rounding */
/* The relative change of J, gap or delta that is not rounding. */
static const double min_progress = 1e-13;
/* A stage ends when all violations are below this part of l1. */
static const double stage_violation = 0.3;
static const double stage_decrease = 1e-3; /* factor of lambda from stage to stage */
static const double skipped_stage = 0.1;   /* a stage of less than this decrease is left out */
/* The violation of the last G, as a part of the one that -e allows; and the G is the last if a tenth of the violation
 * is less than this many times that. */
static const double last_violation = 0.7, last_round = 4;

struct lps {
    struct batch batch;
    const struct problem *problem;
    struct problem stage; /* the problem with the present stage's lambda */
    const struct scalar_terms *terms;
    const struct lps_settings *settings;
    const struct lps_start *start;
    struct lps_reduced reduced;
    struct lps_point point;
    struct lps_choice choice;
    double *gradient;      /* g, of R */
    double *bound_work;    /* memory for the bound with an offset: dimension numbers */
    double min_gap;        /* a smaller gap is rounding of the loss of w = 0: the offset diverges */
    double delta_now;      /* delta of the point */
    double gap, delta;     /* the least so far */
    double objective;      /* J at the last iteration */
    int64_t last_progress; /* the last iteration that improved the gap, delta or J */
    int64_t gradients;     /* gradients computed */
};

static int allocate(struct lps *s, const struct run_settings *run, struct error *e) {
    const struct risk *risk = s->problem->risk;
    int64_t n = risk->dimension, m = s->terms->design->rows;
    s->gradient = memory_new(3 * n, sizeof(double), "gradients", e);
    s->point.u = memory_new(2 * m, sizeof(double), "scores", e);
    if (s->gradient == NULL || s->point.u == NULL ||
        lps_choice_init(&s->choice, s->problem, s->settings->gradient_fraction, s->start->subset,
                        run, e) != 0 ||
        lps_reduced_init(&s->reduced, &s->stage, s->settings->hessian_sample, run, s->batch.monitor,
                         e) != 0)
        return -1;
    s->bound_work = s->gradient + n;
    s->point.w = s->bound_work + n;
    s->point.derivative = s->point.u + m;
    s->gap = s->delta = INFINITY;
    s->objective = NAN;
    return 0;
}

/* Begins at W; a run that is neither warm nor given a subset, at the best point without features. */
static int lps_init(struct lps *s, const struct run_settings *run, const double *w,
                    struct error *e) {
    if (communicator_agree(s->terms->design->data->communicator, allocate(s, run, e), e) != 0)
        return -1;
    memcpy(s->point.w, w, sizeof *w * (size_t)s->problem->risk->dimension);
    return run->warm || s->start->subset != NULL ? 0
                                                 : optimality_null_point(s->problem, s->point.w, e);
}

static void lps_free(struct lps *s) {
    lps_descent_free(&s->reduced.descent);
    lps_reduced_free(&s->reduced);
    free(s->gradient);
    lps_choice_free(&s->choice);
    free(s->point.u);
}

/* ---- the gradient, the bound and the progress */

/* Computes the scores of w, the derivatives of the losses and the J of the stage. */
static void evaluate(struct lps *s) {
    design_scores(s->terms->design, s->point.w, s->point.u);
    s->point.objective = scores_risk(s->terms, s->point.u, NULL, 0, s->point.derivative) +
                         problem_penalty(&s->stage, s->point.w);
    batch_count(&s->batch, 1);
}

/* Computes g. Every few gradients the scores are computed anew, so that rounding errors do not add up. */
static void find_gradient(struct lps *s) {
    const struct design *design = s->terms->design;
    if (++s->gradients % ROUNDS_BETWEEN_REFRESHES == 0)
        evaluate(s);
    design_combine(design, s->point.derivative, s->gradient);
    vector_scale(s->gradient, 1 / s->terms->weight_sum, design->columns);
    batch_count(&s->batch, 1);
}

/* A lower bound of the problem's min J, from R(v) >= <g,v> + t with t = R(w) - <g,w>. With an offset it
 * uses dual variables whose sum is 0. `value` is R(w). */
static double find_bound(struct lps *s, double value) {
    const struct risk *risk = s->problem->risk;
    if (risk->dimension > risk->regularized) {
        double *a = s->reduced.image;
        dual_from_scores(s->terms, s->point.u, a);
        batch_count(&s->batch, 1);
        return dual_bound(s->problem, a, s->bound_work);
    }
    double t = value - vector_dot(s->gradient, s->point.w, risk->dimension);
    return dual_bound_known(s->problem, s->point.derivative, s->gradient, t, 0);
}

/* Whether neither the gap nor delta nor J has improved for many iterations. */
static bool stalled(struct lps *s) {
    double gap = s->batch.objective - s->batch.bound;
    if (gap < s->gap - min_progress * fabs(s->gap) ||
        s->delta_now < s->delta * (1 - min_progress) ||
        !(s->batch.objective >= s->objective - min_progress * fabs(s->objective)))
        s->last_progress = s->batch.iteration;
    s->gap = fmin(s->gap, gap);
    s->delta = fmin(s->delta, s->delta_now);
    s->objective = s->batch.objective;
    return s->batch.iteration - s->last_progress >=
               MAX_ROUNDS_WITHOUT_PROGRESS * lps_choice_samples(&s->choice) ||
           gap <= s->min_gap;
}

/* ---- stages: lambda falls from lambda_max to the problem's */

static void set_stage(struct lps *s, double lambda) {
    s->stage.lambda = fmax(lambda, s->problem->lambda);
    s->reduced.penalty = problem_penalty_parts(&s->stage);
    s->point.objective = scores_risk(s->terms, s->point.u, NULL, 0, s->point.derivative) +
                         problem_penalty(&s->stage, s->point.w);
}

/* The first stage: lambda is a thousandth of the one with all |g_j| <= l1, or the problem's if that is
 * larger; or, where coordinate descent crosses orthants, a little smaller. */
static void begin_stages(struct lps *s) {
    double largest = vector_largest(s->gradient, s->problem->risk->regularized);
    double l1 = s->problem->regularizer->penalty(1, &s->problem->parameters).l1;
    double first = stage_decrease * largest / l1;
    if (l1 > 0 && !(lps_descent_crosses(&s->reduced) && s->problem->lambda > skipped_stage * first))
        set_stage(s, first);
}

/* Begins the next stage when the largest violation is below a part of the present stage's l1. */
static void next_stage(struct lps *s) {
    const struct penalty *penalty = &s->reduced.penalty;
    if (s->stage.lambda > s->problem->lambda &&
        lps_choice_largest(&s->choice, penalty, s->point.w, s->gradient) <=
            stage_violation * penalty->l1)
        set_stage(s, stage_decrease * s->stage.lambda);
}

/* When a run has stalled: true in the last stage. In an earlier one rounding is the cause, and the last
 * stage begins. */
static bool last_stage(struct lps *s) {
    if (s->stage.lambda <= s->problem->lambda)
        return true;
    s->last_progress = s->batch.iteration;
    set_stage(s, s->problem->lambda);
    return false;
}

/* ---- the loop */

/* Offers the point, raises the bound and reports both; true when the run is over. */
static bool is_over(struct lps *s) {
    struct batch *batch = &s->batch;
    double risk = s->point.objective - problem_penalty(&s->stage, s->point.w);
    double objective = risk + problem_penalty(s->problem, s->point.w);
    s->delta_now = optimality_delta(s->problem, s->point.w, s->gradient);
    /* An optimal point is the result, even if rounding or a stage left one of lower J. */
    if (monitor_optimal(batch->monitor, s->delta_now))
        batch->objective = INFINITY;
    if (batch_offer(batch, s->point.w, objective))
        batch->delta = s->delta_now;
    batch_raise(batch, find_bound(s, risk));
    bool over = batch_report(batch);
    if (!over && stalled(s) && last_stage(s)) {
        batch_stall(batch);
        over = true;
    }
    return over;
}

/* The largest violation on G with which it is solved. When hardly more remains to be done than -e asks for, it is what
 * -e asks for: dual variables that are shrunk by t = v/l1, for a violation v of |g_j| <= l1, lose about
 * t (penalty + t J) of the bound. */
static double find_slope_goal(const struct lps *s) {
    const struct lps_reduced *reduced = &s->reduced;
    double l1 = reduced->penalty.l1, penalty = problem_penalty(s->problem, s->point.w);
    double fraction =
        subset_solved * lps_choice_largest(&s->choice, &reduced->penalty, s->point.w, s->gradient);
    if (s->stage.lambda > s->problem->lambda || s->settings->optimality > 0 || !(penalty > 0))
        return fraction;
    double share = penalty / s->point.objective,
           gap = last_violation * monitor_epsilon(s->batch.monitor),
           enough = l1 * 2 * gap / (share + sqrt(share * share + 4 * gap)); /* l1 t */
    return fraction < last_round * enough ? enough : fraction;
}

static bool newton_allowed(const struct lps *s) {
    int64_t limit = s->settings->newton_threshold;
    return limit == 0 || vector_nonzeros(s->reduced.w, s->reduced.subset.count) <= limit;
}

/* Chooses G and makes a first-order step and Newton steps on it. */
static int solve_reduced(struct lps *s, struct error *e) {
    struct lps_reduced *reduced = &s->reduced;
    struct lps_choice *choice = &s->choice;
    reduced->max_passes = s->batch.monitor->settings.passes - s->batch.passes;
    reduced->slope_goal = find_slope_goal(s);
    lps_choice_select(choice, &reduced->penalty, s->point.w, s->gradient);
    if (lps_reduced_choose(reduced, &s->point, choice->column, choice->count, e) != 0)
        return -1;
    lps_first_order_step(reduced, &s->point);
    if (newton_allowed(s) &&
        lps_newton_steps(reduced, &s->point, subset_decrease, MAX_NEWTON_STEPS, e) < 0)
        return -1;
    s->batch.passes += reduced->passes;
    reduced->passes = 0;
    return 0;
}

/* With --gradient-fraction: steps that use the gradient of a random sample of components, as many as
 * samples make up all components, while they lower J. */
static int sampled_steps(struct lps *s, struct error *e) {
    double first = s->point.objective, before = INFINITY;
    int samples = lps_choice_samples(&s->choice);
    for (int i = 1;
         i < samples && before - s->point.objective > subset_decrease * (first - before) &&
         monitor_poll(s->batch.monitor) == VERDICT_GO_ON &&
         s->batch.passes + 1 + LPS_REDUCED_PASSES <= s->batch.monitor->settings.passes;
         i++) {
        before = s->point.objective;
        s->batch.passes += lps_choice_examine_sample(&s->choice, &s->point, s->gradient);
        if (solve_reduced(s, e) != 0)
            return -1;
    }
    return 0;
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct lps *s = context;
    int64_t n = s->problem->risk->dimension, m = s->terms->design->rows;
    batch_visit(&s->batch, state);
    state_doubles(state, s->point.w, n);
    state_doubles(state, s->point.u, 2 * m); /* and the derivatives */
    state_doubles(state, s->gradient, n);
    lps_choice_visit(&s->choice, state);
    lps_reduced_visit(&s->reduced, state);
    STATE_REALS(state, &s->stage.lambda, &s->point.objective, &s->delta_now, &s->gap, &s->delta,
                &s->objective);
    s->reduced.penalty = problem_penalty_parts(&s->stage);
    s->last_progress = state_integer(state, s->last_progress, 0, INT64_MAX);
    s->gradients = state_integer(state, s->gradients, 0, INT64_MAX);
}

/* Begins at the gradient, unless the run goes on from a checkpoint; -1 if that does not fit. */
static int begin(struct lps *s, bool *reported, struct error *e) {
    enum checkpoint_entry entry = monitor_enter_run(s->batch.monitor, visit, s, e);
    *reported = entry == CHECKPOINT_GOES_ON;
    if (entry == CHECKPOINT_BEGINS) {
        evaluate(s);
        find_gradient(s);
        begin_stages(s);
    }
    return entry == CHECKPOINT_REFUSED ? -1 : 0;
}

/* The main loop. */
static int iterate(struct lps *s, struct error *e) {
    bool reported;
    if (begin(s, &reported, e) != 0)
        return -1;
    for (;; find_gradient(s), reported = false) {
        if (!reported &&
            (is_over(s) || !batch_affords(&s->batch, LPS_REDUCED_PASSES) || batch_save(&s->batch)))
            return 0;
        /* All components are candidates for G now, or those of the subset that a caller gave. */
        lps_choice_examine_all(&s->choice, &s->stage, s->point.w, s->gradient);
        next_stage(s);
        if (solve_reduced(s, e) != 0 || sampled_steps(s, e) != 0)
            return -1;
    }
}

/* The gap that is rounding; the scores are overwritten. */
static void find_min_gap(struct lps *s) {
    if (s->terms->loss->task == TASK_CLASSIFICATION) {
        memset(s->point.u, 0, sizeof *s->point.u * (size_t)s->terms->design->rows);
        s->min_gap = zero_risk * scores_risk(s->terms, s->point.u, NULL, 0, NULL);
    }
}

int lps_run(const struct solve *solve, const struct lps_settings *settings,
            const struct lps_start *start, struct error *e) {
    const struct problem *problem = solve->problem;
    struct lps s = {.problem = problem,
                    .stage = *problem,
                    .terms = problem->risk->scalar,
                    .settings = settings,
                    .start = start};
    batch_begin(&s.batch, problem, solve->monitor, solve->w);
    s.batch.passes = start->passes;
    s.batch.iteration = start->iterations;
    if (settings->optimality > 0)
        monitor_seek(solve->monitor, CRITERION_OPTIMALITY, settings->optimality);
    int status = lps_init(&s, solve->run, solve->w, e);
    if (status == 0) {
        find_min_gap(&s);
        status = iterate(&s, e);
    }
    if (status == 0)
        status = batch_finish(&s.batch, solve->outcome, e);
    lps_free(&s);
    return status;
}

static int train(const struct solve *solve, struct error *e) {
    static const struct lps_start cold;
    return lps_run(solve, solve->options, &cold, e);
}

const char *const lps_regularizers[] = {"l1", "elastic-net", NULL};

/* The largest G, and its share of the nonzeros: with few features about all of them, else these parts, fitted to
 * four data sets (mnist, usps, news20, connect-4) at lambda 1e-4. Frequent features of sparse examples enter first. */
static int64_t expected_columns(double features, double density, double *share) {
    static const double most = 0.9, many = 500, least_exponent = 0.25;
    double part = most / (1 + features / many);
    *share = pow(part, least_exponent + (1 - least_exponent) * density);
    return (int64_t)ceil(part * features);
}

double lps_bytes(const struct scalar_terms *terms) {
    static const double row_numbers = 7, weight_numbers = 8; /* in all files of this folder */
    static const double spare = 1.25;                        /* column_subset.c */
    const struct design *design = terms->design;
    const struct dataset *data = design->data;
    double m = (double)design->rows, n = (double)design->columns, values = (double)data->nonzeros,
           share;
    int64_t columns = expected_columns(n, values / fmax(1, m * n), &share);
    double entry = sizeof *data->column + (dataset_has_values(data) ? sizeof(double) : 0);
    return sizeof(double) * (row_numbers * m + weight_numbers * n) +
           entry * spare * share * values + gram_bytes_of_part(design, columns, share);
}

static double bytes(const struct scalar_terms *terms, const void *options) {
    (void)options;
    return lps_bytes(terms);
}

static const struct option_row options[] = {LPS_OPTION_ROWS(struct lps_settings, )};

bool lps_takes(const struct loss *loss) {
    return loss->second != NULL;
}

const struct solver lps = {
    .name = "lps",
    .summary = "Newton steps on the nonzero weights; first-order steps find which these are",
    .reference = "Wright 2012; Shi, Wahba, Wright et al. 2008; Lee 2011, section 2.5",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends; or --optimality",
    .epsilon = 1e-3,
    .passes = 100000,
    .offset = true,
    .distributed = true,
    .needs_all_rows = true,
    .reads_floats = true,
    .goes_on = true,
    .linearizes = true,
    .regularizers = lps_regularizers,
    .takes_loss = lps_takes,
    .bytes = bytes,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct lps_settings),
    .train = train,
};
