/* dcd.c - the solver dcd: dual coordinate descent with conjugate gradients, for many features.
 *
 *     minimize  lambda/2 ||w||^2 + sum_i p_i l(<w,x_i>, y_i)
 *     repeat: an epoch of coordinate steps on the dual (dcd_rows.h); from epoch 10 on, every fifth time,
 *             conjugate gradients on the variables that are within their boxes (dcd_free.h), unless epochs alone
 *             bring the bound up as fast; they leave a second point, whose J is low earlier (dcd_smooth.h)
 *
 * J is looked at where the scores that the last epoch met say that the gap may be closed, and at epochs 1, 2, 4, 8,
 * ..., and of classes, where the bound hardly rises any more, at the best multiple of w (multiple.h). The lower bound
 * is the dual's value. The last one is taken with w summed anew from the dual variables, so that it holds in spite of
 * rounding.
 *
 * A given start (-i) is kept as the best point so far; its dual variables are the slopes of the losses there, times
 * the factor that is best for the dual. In a path of lambdas they are those of the run before: in units of the losses'
 * slopes, which do not depend on lambda. The sum of the rows, which is kept with them, and R of the start make their w
 * and J of the start known without a pass; J is looked at where the gap may be closed, and from epoch 10 on.
 *
 * Where the rows lie behind a window, dcd_window.h has what a reading of them does.
 *
 * An offset that is not regularized has a constant feature in the dual (dcd_offset.h); all rows are in memory then.
 *
 * Where the rows lie in several processes, an epoch is an accelerated step over their blocks (dcd_blocks.h), J is
 * looked at after each, rows are shared every fifth time, and conjugate gradients come every sixtieth time.
 *
 * Reference: Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, Algorithm 3; Ho & Lin 2012; Hestenes 1969. */
#include "solvers/dual/dcd.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/batch.h"
#include "solvers/dual/dcd_blocks.h"
#include "solvers/dual/dcd_free.h"
#include "solvers/dual/dcd_kept.h"
#include "solvers/dual/dcd_offset.h"
#include "solvers/dual/dcd_window.h"
#include "solvers/dual_bound.h"
#include "solvers/linearization.h"
#include "solvers/multiple.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    EPOCHS_BETWEEN_CG = 5, /* and between reports of how much the bound has risen */
    FIRST_CG_EPOCH = 10,
    EARLY_EPOCH = 1, /* of those between them; the first one's rise is like no other's */
    MIDDLE_EPOCH = 3,
    EPOCHS_BETWEEN_SHARED_CG = 60, /* over processes */
    EPOCHS_BETWEEN_SHARED_ROWS = 5,
    STALL_LOOKS = 6,
    STALL_EPOCHS = 40
};

static const double bound_rounding =
    1e-13; /* relative error of a bound, since w is updated with rounding */
static const double look_ahead =
    1.5; /* J is evaluated where its estimate's gap is within this factor of the tolerance */
static const double look_passes = 2;   /* at a smoothed point, at most */
static const double small_part = 0.05; /* of the steps before: a look of so many passes is cheap */
static const double nearly_closed = 3; /* a gap of so many tolerances closes by the steps alone */
static const double least_progress =
    1e-13; /* relative change of J or of the bound: a smaller one does not count */
static const double cheap_passes =
    12; /* of conjugate gradients, which may bring more than epochs promise */
static const double enough_decrease =
    4; /* of that logarithm (rate_of_epochs) by epochs alone, in the passes of conjugate gradients */

struct dcd {
    struct batch batch;
    struct dcd_rows rows;
    struct dcd_offset offset;
    struct dcd_free free;
    struct dcd_blocks blocks;
    struct communicator *communicator; /* of the blocks; NULL: there is one process, and none */
    struct dcd_window window;          /* nothing where all rows are in memory */
    double *w;                         /* columns: of the dual variables; an offset's in units */
    double *a, *slope;                 /* rows, columns: for certificates */
    double moves;                      /* of w, at most, since it was summed anew */
    int64_t next_look;
    double looked_gap; /* the estimated gap at the last look */
    int64_t looks;     /* without progress */
    int64_t progress_epoch;
    double progress_objective, progress_bound;
    double round_bound;                              /* EPOCHS_BETWEEN_CG epochs ago, or less */
    double early_bound, middle_bound, middle_passes; /* after two of the epochs between them */
    double next_rise; /* of the bound, below which a multiple is looked at */
};

/* ---- certificates */

/* The dual variables in units of the losses' slopes. */
static void slopes(struct dcd *dcd) {
    const struct scalar_terms *terms = dcd->rows.terms;
    double factor = -dcd->batch.problem->lambda * terms->weight_sum;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double c = scalar_weight(terms, i);
        dcd->a[i] = c > 0 ? factor * dcd_rows_beta(&dcd->rows, i) / c : 0;
    }
}

/* A bound of w summed anew, which w becomes. */
static void certify(struct dcd *dcd) {
    const struct problem *problem = dcd->batch.problem;
    if (dcd->offset.unit > 0)
        dcd_rows_balance(&dcd->rows);
    slopes(dcd);
    dcd->moves = 0;
    if (dcd->window.asked == NULL)
        dcd->batch.bound = -INFINITY;
    batch_raise(&dcd->batch, dual_bound(problem, dcd->a, dcd->slope));
    batch_raise(&dcd->batch, 0);
    batch_count(&dcd->batch, 1);
    for (int64_t j = 0; j < problem->risk->regularized; j++)
        dcd->w[j] = -dcd->slope[j] / problem->lambda;
    if (dcd->communicator == NULL)
        return;
    dcd_blocks_restart(&dcd->blocks);
    batch_renew(&dcd->batch);
    batch_count(&dcd->batch, 1);
}

/* How far rounding may have moved the bound of the w that is kept, at most. */
static double bound_error(const struct dcd *dcd, double square) {
    static const double other_lambdas = 100; /* on a path: where the slope may weigh more */
    static const double before = 10;         /* weights may have been so much larger */
    bool path = dcd->batch.problem->linearization != NULL;
    return (path ? other_lambdas : before) * DBL_EPSILON * dcd->moves * square;
}

/* On a certified path w comes from the run before; behind a window to sum it anew is a reading, which a limit may cut
 * off. Accepts its bound, less the possible rounding. Returns whether that rounding is small beside the gap. */
static bool certify_as_it_is(struct dcd *dcd) {
    static const double max_rounding_share = 1e-3;
    struct batch *batch = &dcd->batch;
    const struct problem *problem = batch->problem;
    int64_t n = dcd->rows.terms->design->columns;
    double square = problem->lambda * vector_dot(dcd->w, dcd->w, n);
    double rounding = bound_error(dcd, square);
    bool small = rounding < max_rounding_share * monitor_gap(batch->monitor, batch->objective);
    if ((problem->linearization == NULL && dcd->window.asked == NULL) ||
        dcd->communicator != NULL || dcd->offset.unit > 0 || (dcd->window.asked == NULL && !small))
        return false;
    double bound = dcd_rows_bound(&dcd->rows) - rounding;
    for (int64_t j = 0; j < n; j++)
        dcd->slope[j] = -problem->lambda * dcd->w[j];
    linearization_offer(problem, 1, dcd->slope, bound + square / 2, bound);
    batch->bound = fmax(bound, 0);
    return small;
}

/* Something got better: the run has not stalled. */
static void note_progress(struct dcd *dcd) {
    dcd->looks = 0;
    dcd->progress_epoch = dcd->batch.iteration;
    dcd->progress_objective = dcd->batch.objective;
    dcd->progress_bound = dcd->batch.bound;
}

/* Of the present dual variables. */
static double bound_now(struct dcd *dcd) {
    return dcd->offset.unit > 0 ? dcd_rows_balanced_bound(&dcd->rows, dcd->slope)
                                : dcd_rows_bound(&dcd->rows);
}

/* Returns the bound of the present dual variables. */
static double raise_bound(struct dcd *dcd) {
    double bound = bound_now(dcd);
    batch_raise(&dcd->batch, bound - bound_rounding * fabs(bound));
    if (dcd->batch.bound > dcd->progress_bound + least_progress * fabs(dcd->batch.bound))
        note_progress(dcd);
    return bound;
}

/* The report says by how much of itself the bound has risen in EPOCHS_BETWEEN_CG epochs: with conjugate gradients among
 * them the dual converges at about a constant rate, so that this is about its distance from the optimum. Whether it was
 * measured. */
static bool measure_rise(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    if ((batch->iteration + 1) % EPOCHS_BETWEEN_CG != 0)
        return false;
    batch->delta = batch->bound > 0 ? 1 - dcd->round_bound / batch->bound : 1;
    dcd->round_bound = batch->bound;
    return true;
}

/* ---- looks at J */

/* With the best offset, at w, whose own stays as it is. */
static void offer_with_offset(struct dcd *dcd, double *w) {
    const struct problem *problem = dcd->batch.problem;
    double *last = &w[problem->risk->regularized], kept = *last;
    batch_offer(&dcd->batch, w, dcd_offset_objective(&dcd->offset, problem, w, dcd->a));
    *last = kept;
}

static void note_look(struct dcd *dcd) {
    if (dcd->batch.objective < dcd->progress_objective * (1 - least_progress))
        note_progress(dcd);
    else
        dcd->looks++;
}

/* At w (columns). */
static void look(struct dcd *dcd, double *w) {
    struct batch *batch = &dcd->batch;
    if (dcd->communicator != NULL)
        dcd_blocks_offer(&dcd->blocks, batch, w);
    else if (dcd->window.asked != NULL)
        dcd_window_look(&dcd->window, batch, w);
    else if (dcd->offset.unit > 0)
        offer_with_offset(dcd, w);
    else
        batch_offer(batch, w, problem_objective(batch->problem, w));
    batch_count(batch, 1);
    note_look(dcd);
}

/* At the best multiple of w and the offset, of classes (multiple.h); two passes. Returns its gap. */
static double look_at_multiple(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    const struct scalar_terms *terms = dcd->rows.terms;
    int64_t n = batch->problem->risk->regularized;
    double objective = INFINITY;
    if (dcd->communicator != NULL || dcd->window.asked != NULL ||
        terms->loss->task != TASK_CLASSIFICATION ||
        monitor_closes(batch->monitor, batch->objective, batch->bound))
        return INFINITY;
    design_scores(terms->design, dcd->w, dcd->a);
    batch_count(batch, 1);
    double square = vector_dot(dcd->w, dcd->w, n);
    double factor = multiple_best(terms, terms->design->rows, batch->problem->lambda, dcd->a,
                                  square, &objective);
    if (objective < batch->objective) {
        memcpy(dcd->slope, dcd->w, sizeof *dcd->w * (size_t)terms->design->columns);
        vector_scale(dcd->slope, factor, n);
        look(dcd, dcd->slope);
    }
    return objective - batch->bound;
}

/* The dual is about as near to its optimum as the bound has risen lately. Where that is within the tolerance a multiple
 * may close the gap; if it does not, its gap is expected to shrink with that rise. */
static void look_where_bound_rests(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    double allowed = monitor_gap(batch->monitor, batch->bound);
    if (!(batch->bound > 0 && batch->delta <= fmin(batch->monitor->tolerance, dcd->next_rise)) ||
        batch->passes + look_passes > batch->monitor->settings.passes)
        return;
    double gap = look_at_multiple(dcd);
    dcd->next_rise = batch->delta * fmin(0.5, look_ahead * allowed / gap);
}

/* Epochs since something got better. */
static int64_t idle_epochs(const struct dcd *dcd) {
    return dcd->batch.iteration + 1 - dcd->progress_epoch;
}

/* Whether to evaluate J: the epoch's scores say that the gap is closed, and is smaller than at the last evaluation; or
 * an evaluation is due; or the bound has not risen for STALL_EPOCHS epochs (then every FIRST_CG_EPOCH). */
static bool is_worth_a_look(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    double estimate = dcd_rows_estimate(&dcd->rows), gap = estimate - batch->bound;
    bool idle = idle_epochs(dcd) >= STALL_EPOCHS && idle_epochs(dcd) % FIRST_CG_EPOCH == 0;
    bool due = batch->iteration + 1 >= dcd->next_look;
    bool closed =
        gap <= look_ahead * monitor_gap(batch->monitor, estimate) && gap < dcd->looked_gap;
    if (!due && !closed && !idle)
        return false;
    if (due)
        dcd->next_look = 2 * (batch->iteration + 1);
    dcd->looked_gap = gap;
    return true;
}

static bool is_stalled(const struct dcd *dcd) {
    return dcd->looks >= STALL_LOOKS && idle_epochs(dcd) >= STALL_EPOCHS;
}

/* Of the best point. */
static double best_offset(const struct dcd *dcd) {
    return dcd->batch.best[dcd->batch.problem->risk->regularized];
}

/* Over processes steps of blocks may become too short long before those of one process. */
static void stall(struct dcd *dcd) {
    if (dcd->offset.unit > 0 && dcd_offset_calm(&dcd->offset, &dcd->rows, best_offset(dcd)))
        note_progress(dcd);
    else if (dcd->communicator == NULL)
        batch_stall(&dcd->batch);
    else
        batch_stop_at(&dcd->batch, obstacle_of("the division among processes",
                                               "raise --gather, lambda or -e, or use -s ipm"));
}

/* ---- the run */

/* Runs conjugate gradients. Evaluates J at the smoothed point if the free rows predict that this closes the gap, or
 * halves it at little cost. */
static void improve(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    double begin = batch->passes;
    dcd_free_improve(&dcd->free, batch);
    double bound = raise_bound(dcd);
    if (dcd->offset.unit > 0)
        dcd_offset_watch(&dcd->offset, &dcd->rows, bound < batch->bound - bound_rounding * bound,
                         best_offset(dcd));
    dcd_offset_move_centre(&dcd->offset, &dcd->rows, true);
    bool closes = dcd->free.gap <= look_ahead * monitor_gap(batch->monitor, batch->bound);
    bool cheap = look_passes < small_part * (batch->passes - begin);
    double least = closes ? 1 : cheap ? 0.5 : 0;
    if (!(dcd->free.gap < least * (batch->objective - batch->bound)) ||
        batch->passes + look_passes > batch->monitor->settings.passes)
        return;
    batch->passes += dcd_free_smooth(&dcd->free, dcd->slope);
    look(dcd, dcd->slope);
}

/* The same over blocks. */
static void iterate_blocks(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    batch->passes += dcd_blocks_step(&dcd->blocks);
    raise_bound(dcd);
    look(dcd, dcd->w);
    if ((batch->iteration + 1) % EPOCHS_BETWEEN_SHARED_ROWS == 0)
        dcd_blocks_share(&dcd->blocks);
    bool near = batch->objective - batch->bound <=
                nearly_closed * monitor_gap(batch->monitor, batch->objective);
    if ((batch->iteration + 1) % (near ? 2 * EPOCHS_BETWEEN_SHARED_CG : EPOCHS_BETWEEN_SHARED_CG) !=
        0)
        return;
    dcd_free_collect(&dcd->free);
    improve(dcd);
    dcd_blocks_restart(&dcd->blocks);
}

/* By how much a pass of epochs alone lowers the logarithm of the bound's distance from its limit, if the rises of the
 * bound shrink on as they do; 0 where they do not shrink. */
static double rate_of_epochs(const struct dcd *dcd) {
    const struct batch *batch = &dcd->batch;
    double before = dcd->middle_bound - dcd->early_bound, after = batch->bound - dcd->middle_bound;
    double passes = batch->passes - dcd->middle_passes;
    return after > 0 && before > after && passes > 0 ? log(before / after) / passes : 0;
}

/* Whether conjugate gradients, which are due, bring more than epochs alone would in as many passes. */
static bool are_worth_their_passes(struct dcd *dcd) {
    double passes = dcd_free_collect(&dcd->free);
    raise_bound(dcd);
    return passes < cheap_passes || rate_of_epochs(dcd) * passes < enough_decrease;
}

/* Notes the bound for that. */
static void note_bound(struct dcd *dcd, int64_t epochs) {
    if (epochs % EPOCHS_BETWEEN_CG == EARLY_EPOCH)
        dcd->early_bound = dcd->batch.bound;
    if (epochs % EPOCHS_BETWEEN_CG != MIDDLE_EPOCH)
        return;
    dcd->middle_bound = dcd->batch.bound;
    dcd->middle_passes = dcd->batch.passes;
}

/* Behind a window. */
static void iterate_window(struct dcd *dcd) {
    static const double moves_of_row = 22; /* in the epochs of its block, and of copies, at most */
    struct batch *batch = &dcd->batch;
    dcd->moves += moves_of_row * (double)dcd->rows.terms->design->rows;
    if (dcd_window_read(&dcd->window, batch))
        note_look(dcd);
    raise_bound(dcd);
    (void)measure_rise(dcd);
}

static void iterate(struct dcd *dcd) {
    struct batch *batch = &dcd->batch;
    dcd->rows.screens = batch->passes + 2 <= batch->monitor->settings.passes;
    dcd->moves += 2 * (double)dcd->rows.count; /* those of conjugate gradients, too */
    batch->passes += dcd_rows_epoch(&dcd->rows);
    int64_t epochs = batch->iteration + 1;
    bool due = epochs >= FIRST_CG_EPOCH && epochs % EPOCHS_BETWEEN_CG == 0;
    bool improves = due && are_worth_their_passes(dcd);
    if (is_worth_a_look(dcd)) {
        raise_bound(dcd);
        look(dcd, dcd->w);
    }
    if (improves) {
        improve(dcd);
        dcd_rows_reopen(&dcd->rows);
        dcd->looked_gap = INFINITY;
    } else {
        raise_bound(dcd);
        dcd_offset_move_centre(&dcd->offset, &dcd->rows, false);
    }
    note_bound(dcd, epochs);
    if (measure_rise(dcd))
        look_where_bound_rests(dcd);
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct dcd *dcd = context;
    batch_visit(&dcd->batch, state);
    dcd_rows_visit(&dcd->rows, state);
    dcd_offset_visit(&dcd->offset, &dcd->rows, state);
    if (dcd->window.asked != NULL)
        dcd_window_visit(&dcd->window, state);
    dcd->free.steps_most = state_integer(state, dcd->free.steps_most, 0, INT64_MAX);
    dcd->next_look = state_integer(state, dcd->next_look, 0, INT64_MAX);
    dcd->looks = state_integer(state, dcd->looks, 0, INT64_MAX);
    dcd->progress_epoch = state_integer(state, dcd->progress_epoch, 0, INT64_MAX);
    STATE_REALS(state, &dcd->moves, &dcd->looked_gap, &dcd->progress_objective,
                &dcd->progress_bound, &dcd->round_bound, &dcd->early_bound, &dcd->middle_bound,
                &dcd->middle_passes, &dcd->next_rise);
}

/* Reports, and saves the state where that is due; whether another epoch may begin. */
static bool goes_on(struct batch *batch) {
    return !batch_report(batch) && batch_affords(batch, 1) && !batch_save(batch);
}

/* Runs to a verdict that a certificate confirms. REPORTED: of the present point. */
static void run(struct dcd *dcd, bool reported) {
    struct batch *batch = &dcd->batch;
    do {
        for (; reported || goes_on(batch); reported = false) {
            if (dcd->communicator != NULL)
                iterate_blocks(dcd);
            else if (dcd->window.asked != NULL)
                iterate_window(dcd);
            else
                iterate(dcd);
            if (is_stalled(dcd))
                stall(dcd);
        }
        if (!certify_as_it_is(dcd))
            certify(dcd);
        bool passes = batch->verdict == VERDICT_PASSES;
        if (passes) { /* the last look may be half the run ago */
            look(dcd, dcd->w);
            (void)look_at_multiple(dcd);
        }
        if (passes || batch->verdict == VERDICT_STALLED)
            batch->verdict =
                monitor_confirm(batch->monitor, batch->verdict, batch->objective, batch->bound);
    } while (!batch_is_over(batch));
}

/* ---- begin and end */

static int dcd_init(struct dcd *dcd, const struct solve *solve, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct design *design = problem->risk->scalar->design;
    *dcd = (struct dcd){.next_look = 1,
                        .looked_gap = INFINITY,
                        .next_rise = INFINITY,
                        .progress_objective = INFINITY,
                        .progress_bound = -INFINITY};
    dcd->w = memory_new(2 * design->columns, sizeof *dcd->w, "weights", e);
    dcd->a = memory_new(design->rows, sizeof *dcd->a, "the dual variables", e);
    if (dcd->w == NULL || dcd->a == NULL)
        return -1;
    dcd->slope = dcd->w + design->columns;
    if (dcd_offset_init(&dcd->offset, problem, dcd->w, e) != 0 ||
        dcd_rows_init(&dcd->rows, problem, &dcd->offset.terms, solve->run, solve->monitor, dcd->w,
                      e) != 0)
        return -1;
    dcd->communicator = design->data->communicator;
    if (dcd->communicator != NULL && dcd_blocks_init(&dcd->blocks, &dcd->rows, solve->run, e) != 0)
        return -1;
    return design->data->window != NULL
               ? dcd_window_init(&dcd->window, &dcd->rows, dcd->slope, solve->run, e)
               : dcd_free_init(&dcd->free, &dcd->rows, e);
}

static void dcd_free_all(struct dcd *dcd) {
    dcd_free_free(&dcd->free);
    dcd_window_free(&dcd->window);
    dcd_blocks_free(&dcd->blocks);
    dcd_rows_free(&dcd->rows);
    dcd_offset_free(&dcd->offset);
    free(dcd->w);
    free(dcd->a);
}

const struct kept_kind *const dcd_keeps[] = {&dcd_kept_kind, NULL};

/* The dual variables of the run before, and what is known with them. */
static void take_kept(struct dcd *dcd, const struct dcd_kept *kept) {
    const struct problem *problem = dcd->batch.problem;
    batch_offer(&dcd->batch, NULL, problem->kept->risk + problem_penalty(problem, dcd->batch.best));
    for (int64_t j = 0; j < kept->columns; j++)
        dcd->w[j] = kept->w[j] *
                    (j < kept->regularized ? kept->lambda / problem->lambda : 1 / dcd->offset.unit);
    memcpy(dcd->a, kept->a, sizeof *dcd->a * (size_t)dcd->rows.terms->design->rows);
    dcd_rows_start(&dcd->rows, dcd->a, true);
    dcd->moves = kept->moves;
    dcd->next_look = EPOCHS_BETWEEN_CG;
}

/* The dual variables that belong to the scores of a given start: two passes. */
static void take_start(struct dcd *dcd, const double *w) {
    design_scores(dcd->batch.problem->risk->scalar->design, w, dcd->a);
    dual_from_scores(dcd->rows.terms, dcd->a, dcd->a);
    dcd_rows_start(&dcd->rows, dcd->a, false);
    dcd->batch.passes += 2;
}

/* Behind a window: another reading for the dual variables of a given start. */
static void offer_start_of_window(struct dcd *dcd, bool warm) {
    struct batch *batch = &dcd->batch;
    dcd_window_offer_start(&dcd->window, batch, warm);
    if (warm && batch_affords(batch, 1)) {
        dual_from_scores(dcd->rows.terms, dcd->window.points.best, dcd->a);
        dcd_rows_start(&dcd->rows, dcd->a, false);
        batch->passes++;
        raise_bound(dcd);
    }
    dcd_window_ask(&dcd->window);
}

/* w = 0, or the given start, is the best point so far. */
static void offer_start(struct dcd *dcd, const struct solve *solve) {
    struct batch *batch = &dcd->batch;
    const struct kept *kept = solve->problem->kept;
    batch_begin(batch, solve->problem, solve->monitor, solve->w);
    batch_raise(batch, 0);
    if (solve->run->warm && kept != NULL && kept->state != NULL) {
        take_kept(dcd, kept->state);
        raise_bound(dcd);
        if (dcd->window.asked != NULL) {
            dcd_window_take_best(&dcd->window, batch);
            dcd_window_ask(&dcd->window);
        }
        return;
    }
    if (dcd->window.asked != NULL) {
        offer_start_of_window(dcd, solve->run->warm);
        return;
    }
    if (dcd->offset.unit > 0 && !solve->run->warm)
        offer_with_offset(dcd, dcd->w); /* which is 0, too */
    else
        batch_offer(batch, NULL, problem_objective(solve->problem, solve->w));
    batch_count(batch, 1);
    bool takes = solve->run->warm && batch_affords(batch, 2);
    if (takes)
        take_start(dcd, solve->w);
    if (dcd->offset.unit > 0) /* the first centre */
        dcd->w[solve->problem->risk->regularized] = best_offset(dcd) / dcd->offset.unit;
    if (takes)
        raise_bound(dcd);
}

/* Leaves the dual variables for the next run. */
static int keep(struct dcd *dcd, struct error *e) {
    const struct problem *problem = dcd->batch.problem;
    struct kept *kept = problem->kept;
    if (kept == NULL)
        return 0;
    struct dcd_kept *state = memory_new(1, sizeof *state, "the dual variables", e);
    if (state == NULL)
        return -1;
    slopes(dcd);
    if (dcd->offset.unit > 0)
        dcd->w[problem->risk->regularized] *= dcd->offset.unit;
    *state = (struct dcd_kept){
        .a = dcd->a,
        .w = dcd->w,
        .lambda = problem->lambda,
        .moves = dcd->moves,
        .rows = problem->risk->scalar->design->rows,
        .columns = problem->risk->scalar->design->columns,
        .regularized = problem->risk->regularized,
    };
    dcd->a = dcd->w = NULL;
    if (kept->state != NULL)
        dcd_kept_kind.free(kept->state);
    *kept = (struct kept){.state = state, .kind = &dcd_kept_kind};
    return 0;
}

int dcd_train(const struct solve *solve, struct error *e) {
    struct dcd dcd;
    int status = communicator_agree(solve->problem->risk->scalar->design->data->communicator,
                                    dcd_init(&dcd, solve, e), e);
    if (status == 0) {
        offer_start(&dcd, solve);
        enum checkpoint_entry entry = monitor_enter_run(solve->monitor, visit, &dcd, e);
        status = entry == CHECKPOINT_REFUSED ? -1 : 0;
        if (status == 0) {
            if (dcd.communicator != NULL)
                dcd_blocks_begin(&dcd.blocks, &dcd.batch);
            run(&dcd, entry == CHECKPOINT_GOES_ON);
            status = batch_finish(&dcd.batch, solve->outcome, e);
            if (status == 0)
                status = keep(&dcd, e);
        }
    }
    dcd_free_all(&dcd);
    return status;
}

/* Quadratic but for a tube, and finite: a box, or a curvature. */
static bool takes_loss(const struct loss *loss) {
    return (loss->quadratic || loss->tube != NULL) &&
           (isfinite(loss->curvature) || loss_has_box(loss));
}

static const char *const regularizers[] = {"l2", NULL};

bool dcd_takes(const struct problem *problem) {
    const struct risk *risk = problem->risk;
    if (strcmp(problem->regularizer->name, regularizers[0]) != 0 || risk->scalar == NULL)
        return false;
    const struct design *design = risk->scalar->design;
    return takes_loss(risk->scalar->loss) && design->data->window == NULL &&
           !(design->bias >= 0 && design->intercept);
}

const struct solver dcd = {
    .name = "dcd",
    .summary = "dual coordinate descent with conjugate gradients, for many features",
    .reference = "Hsieh et al. 2008, Algorithm 3; Ho & Lin 2012; offset: Hestenes 1969",
    .tolerance = "the certified relative gap (J - bound)/J",
    .epsilon = 1e-3,
    .passes = 1e5,
    .offset = true,
    .reads_floats = true,
    .goes_on = true,
    .distributed = true,
    .gathers = true,
    .linearizes = true,
    .mixes = true,
    .keeps = dcd_keeps,
    .regularizers = regularizers,
    .takes_loss = takes_loss,
    .train = dcd_train,
};
