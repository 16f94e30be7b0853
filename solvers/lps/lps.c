/* lps.c - block-coordinate relaxation with reduced Newton steps.
 *
 *     minimize over w:  J(w) = R(w) + l1 ||w||_1 + l2/2 ||w||^2,   R smooth
 *
 * Repeat: the gradient g of R, which tells how far w is from optimal (delta(w), and a certified bound);
 * a set G of components: those that are not 0, and some of those that violate optimality; on G
 *
 *   a first-order step   argmin g'd + mu/2 ||d||^2 + l1 ||w + d||_1 + l2/2 ||w + d||^2,
 *   Newton steps         within the orthant of what is not 0, or will be (lps_newton.c),
 *
 * until G is solved to a part of what was missing. Everything but g is computed from a copy of the
 * columns in G.
 *
 * Reference: Wright 2012, SIAM J. Optimization 22(1), "Accelerated block-coordinate relaxation for
 * regularized optimization"; Shi, Wahba, Wright et al. 2008; Lee 2011, section 2.5. There G is all
 * components or a random part of them. Here, unless a part is asked for, it grows by the components that
 * violate optimality most, so that the Hessians stay as small as the solution is; and the Newton
 * phase has several steps. Iteration: a pass for g, two over the column numbers, and passes over G. */
#include "solvers/lps/lps.h"

#include "io/memory.h"
#include "math/vector.h"
#include "risk/scores.h"
#include "solvers/batch.h"
#include "solvers/dual.h"
#include "solvers/lps/lps_choice.h"
#include "solvers/lps/lps_newton.h"
#include "solvers/optimality.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEWTON_STEPS = 8, PATIENCE = 8, REFRESH = 8 };

static const double subset_decrease = 0.1;  /* of the fall of J: a lesser one ends steps on one G */
static const double subset_solved = 0.1;    /* of the largest violation: less on G is enough */
static const double zero_objective = 1e-16; /* of the loss of w = 0 */
static const double least_progress = 1e-13; /* of J, gap or delta, that is more than rounding */
static const double stage_done = 0.3;       /* violations, of a stage's lambda, that end it */
static const double stage_decrease = 1e-3;  /* of lambda, from stage to stage */

struct lps {
    struct batch batch;
    const struct problem *problem;
    struct problem stage; /* the same at a larger lambda, on the way */
    const struct scalar_parts *parts;
    const struct lps_settings *settings;
    const struct lps_start *start;
    struct lps_reduced reduced;
    struct lps_point point;
    struct lps_choice choice;
    double *gradient;  /* of R */
    double *slope;     /* room for a bound with an offset */
    double least_gap;  /* less is nothing beside the loss of w = 0: an offset ran to infinity */
    double present;    /* delta of the point */
    double gap, delta; /* the least so far */
    double objective;  /* of the iteration before */
    int64_t since;     /* the iteration of the last progress */
    int64_t rounds;    /* gradients taken */
};

static int lps_init(struct lps *s, const struct run_settings *run, const double *w,
                    struct error *e) {
    const struct risk *risk = s->problem->risk;
    int64_t n = risk->dimension, m = s->parts->design->rows;
    s->gradient = memory_new(3 * n, sizeof(double), "gradients", e);
    s->point.u = memory_new(2 * m, sizeof(double), "scores", e);
    if (s->gradient == NULL || s->point.u == NULL ||
        lps_choice_init(&s->choice, s->problem, s->settings->gradient_fraction, s->start->subset,
                        run, e) != 0 ||
        lps_reduced_init(&s->reduced, &s->stage, s->settings->hessian_sample, run, s->batch.monitor,
                         e) != 0)
        return -1;
    s->slope = s->gradient + n;
    s->point.w = s->slope + n;
    s->point.push = s->point.u + m;
    memcpy(s->point.w, w, sizeof *w * (size_t)n);
    if (!run->warm && s->start->subset == NULL)
        if (optimality_null_point(s->problem, s->point.w, e) != 0)
            return -1;
    s->gap = s->delta = INFINITY;
    s->objective = NAN;
    return 0;
}

static void lps_free(struct lps *s) {
    lps_descent_free(&s->reduced.descent);
    lps_reduced_free(&s->reduced);
    free(s->gradient);
    lps_choice_free(&s->choice);
    free(s->point.u);
}

/* ---- the gradient, and what it tells */

/* The scores of w, the push, and J of the stage. */
static void evaluate(struct lps *s) {
    design_scores(s->parts->design, s->point.w, s->point.u);
    s->point.objective = scores_risk(s->parts, s->point.u, NULL, 0, s->point.push) +
                         problem_penalty(&s->stage, s->point.w);
    batch_count(&s->batch, 1);
}

/* Now and then the scores are computed anew, so that rounding does not add up from step to step. */
static void find_gradient(struct lps *s) {
    const struct design *design = s->parts->design;
    if (++s->rounds % REFRESH == 0)
        evaluate(s);
    design_combine(design, s->point.push, s->gradient);
    vector_scale(s->gradient, 1 / s->parts->weight_sum, design->columns);
    batch_count(&s->batch, 1);
}

/* R(w) >= <g,w> + t with t = R - <g,w>; with an offset, by balanced dual variables. */
static double find_bound(struct lps *s, double value) {
    const struct risk *risk = s->problem->risk;
    if (risk->dimension > risk->regularized) {
        double *a = s->reduced.image;
        dual_from_scores(s->parts, s->point.u, a);
        batch_count(&s->batch, 1);
        return dual_bound(s->problem, a, s->slope);
    }
    double t = value - vector_dot(s->gradient, s->point.w, risk->dimension);
    return dual_bound_known(s->problem, s->point.push, s->gradient, t);
}

static bool stalled(struct lps *s) {
    double gap = s->batch.objective - s->batch.bound;
    if (gap < s->gap - least_progress * fabs(s->gap) ||
        s->present < s->delta * (1 - least_progress) ||
        !(s->batch.objective >= s->objective - least_progress * fabs(s->objective)))
        s->since = s->batch.iteration;
    s->gap = fmin(s->gap, gap);
    s->delta = fmin(s->delta, s->present);
    s->objective = s->batch.objective;
    return s->batch.iteration - s->since >= PATIENCE * lps_choice_parts(&s->choice) ||
           gap <= s->least_gap;
}

/* ---- stages: lambda falls from where the solution is 0 */

static void set_stage(struct lps *s, double lambda) {
    s->stage.lambda = fmax(lambda, s->problem->lambda);
    s->reduced.penalty = problem_penalty_parts(&s->stage);
    s->point.objective = scores_risk(s->parts, s->point.u, NULL, 0, s->point.push) +
                         problem_penalty(&s->stage, s->point.w);
}

/* The first lambda: a part of that for which the start is optimal but for its nonzeros. */
static void begin_stages(struct lps *s) {
    double largest = vector_largest(s->gradient, s->problem->risk->regularized);
    double l1 = s->problem->regularizer->penalty(1, &s->problem->parameters).l1;
    if (l1 > 0)
        set_stage(s, stage_decrease * largest / l1);
}

/* Once the stage is solved to a part of its lambda, the next. */
static void next_stage(struct lps *s) {
    const struct penalty *penalty = &s->reduced.penalty;
    if (s->stage.lambda > s->problem->lambda &&
        lps_choice_largest(&s->choice, penalty, s->point.w, s->gradient) <=
            stage_done * penalty->l1)
        set_stage(s, stage_decrease * s->stage.lambda);
}

/* True when a stage stands still, by rounding: it is the last then. */
static bool last_stage(struct lps *s) {
    if (s->stage.lambda <= s->problem->lambda)
        return true;
    s->since = s->batch.iteration;
    set_stage(s, s->problem->lambda);
    return false;
}

/* ---- the loop */

/* Reports the point; true when the run is over. */
static bool is_over(struct lps *s) {
    struct batch *batch = &s->batch;
    double risk = s->point.objective - problem_penalty(&s->stage, s->point.w);
    double objective = risk + problem_penalty(s->problem, s->point.w);
    s->present = optimality_delta(s->problem, s->point.w, s->gradient);
    /* The optimum is the result, though rounding or a stage left another point a lower J. */
    if (monitor_optimal(batch->monitor, s->present))
        batch->objective = INFINITY;
    if (batch_offer(batch, s->point.w, objective))
        batch->delta = s->present;
    batch_raise(batch, find_bound(s, risk));
    bool over = batch_report(batch);
    if (!over && stalled(s) && last_stage(s)) {
        batch_stall(batch);
        over = true;
    }
    return over;
}

static bool newton_allowed(const struct lps *s) {
    int64_t most = s->settings->newton_threshold;
    return most == 0 || vector_nonzeros(s->reduced.w, s->reduced.subset.count) <= most;
}

/* The steps on the components chosen. */
static int solve_reduced(struct lps *s, struct error *e) {
    struct lps_reduced *reduced = &s->reduced;
    struct lps_choice *choice = &s->choice;
    reduced->passes_most = s->batch.monitor->settings.passes - s->batch.passes;
    reduced->goal =
        subset_solved * lps_choice_largest(choice, &reduced->penalty, s->point.w, s->gradient);
    lps_choice_take(choice, &reduced->penalty, s->point.w, s->gradient);
    if (lps_reduced_choose(reduced, &s->point, choice->column, choice->count, e) != 0)
        return -1;
    lps_first_order_step(reduced, &s->point);
    if (newton_allowed(s) &&
        lps_newton_steps(reduced, &s->point, subset_decrease, NEWTON_STEPS, e) < 0)
        return -1;
    s->batch.passes += reduced->passes;
    reduced->passes = 0;
    return 0;
}

/* Steps by gradients of random parts, as many as look at all components once, while they lower J. */
static int take_parts(struct lps *s, struct error *e) {
    double first = s->point.objective, before = INFINITY;
    int parts = lps_choice_parts(&s->choice);
    for (int i = 1; i < parts && before - s->point.objective > subset_decrease * (first - before) &&
                    monitor_poll(s->batch.monitor) == VERDICT_GO_ON &&
                    s->batch.passes + 1 + LPS_REDUCED_PASSES <= s->batch.monitor->settings.passes;
         i++) {
        before = s->point.objective;
        s->batch.passes += lps_choice_look(&s->choice, &s->point, s->gradient);
        if (solve_reduced(s, e) != 0)
            return -1;
    }
    return 0;
}

static int iterate(struct lps *s, struct error *e) {
    for (;; find_gradient(s)) {
        if (is_over(s))
            return 0;
        if (!batch_affords(&s->batch, LPS_REDUCED_PASSES))
            return 0;
        lps_choice_look_at_all(&s->choice, &s->stage, s->point.w, s->gradient);
        next_stage(s);
        if (solve_reduced(s, e) != 0 || take_parts(s, e) != 0)
            return -1;
    }
}

static void begin(struct lps *s) {
    if (s->parts->loss->task == TASK_CLASSIFICATION) {
        memset(s->point.u, 0, sizeof *s->point.u * (size_t)s->parts->design->rows);
        s->least_gap = zero_objective * scores_risk(s->parts, s->point.u, NULL, 0, NULL);
    }
    evaluate(s);
}

int lps_run(const struct solve *solve, const struct lps_settings *settings,
            const struct lps_start *start, struct error *e) {
    const struct problem *problem = solve->problem;
    struct lps s = {.problem = problem,
                    .stage = *problem,
                    .parts = problem->risk->scalar,
                    .settings = settings,
                    .start = start};
    batch_begin(&s.batch, problem, solve->monitor, solve->w);
    s.batch.passes = start->passes;
    s.batch.iteration = start->iterations;
    if (settings->optimality > 0)
        monitor_seek(solve->monitor, CRITERION_OPTIMALITY, settings->optimality);
    int status = lps_init(&s, solve->run, solve->w, e);
    if (status == 0) {
        begin(&s);
        find_gradient(&s);
        begin_stages(&s);
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

static const struct option_row options[] = {LPS_OPTION_ROWS(struct lps_settings, )};

bool lps_takes(const struct loss *loss) {
    return loss->second != NULL;
}

const struct solver lps = {
    .name = "lps",
    .summary = "Newton steps on the nonzero weights; first-order steps find which these are",
    .reference = "Wright 2012; Shi, Wahba, Wright et al. 2008; Lee 2011, section 2.5",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends; --optimality instead",
    .epsilon = 1e-3,
    .passes = 100000,
    .offset = true,
    .needs_all_rows = true,
    .regularizers = lps_regularizers,
    .takes_loss = lps_takes,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct lps_settings),
    .train = train,
};
