/* ipm_newton.c - damped Newton method for smooth losses; its steps are also those of ipm_near.c.
 *
 *     dw = -H^-1 (lambda w + X'(p l'(u))),   H = X' diag(p l''(u)) X + lambda I,  u = X w
 *
 * An offset is a last column of X without lambda. The step along dw makes the slope of J small; on a line J
 * needs the scores u and X dw only. The lower bound comes from the dual variables a_i = l'(u_i).
 *
 * Where l'' jumps to 0 and nearly all rows can be fitted, each step of a small lambda meets other rows. Once that
 * shows, steps are of a larger lambda, which is divided by 10 when a step gains little of its J:
 * 2 % where J is small beside that of w = 0, 30 % where it is not.
 *
 * Reference: Keerthi & DeCoste 2005, JMLR 6 (squared hinge); Nocedal & Wright 2006, chapter 3. Cost of an
 * iteration: H with the gradient (one pass), n^3/3 for its factor, 2 passes. */
#include "solvers/interior_point/ipm_newton.h"

#include "risk/offset.h"
#include "solvers/dual_bound.h"

#include "io/memory.h"
#include "math/long_vector.h"
#include "math/rounding.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Passes of an iteration, and those after its solution; of recomputed scores, at most. */
enum { ITERATION_PASSES = 3, AFTER_PASSES = 2, REFRESH_PASSES = 2 };
enum { MAX_SEARCH_STEPS = 60, STALL_PATIENCE = 4 }; /* iterations without progress */
enum {
    ARRAYS_PER_COLUMN = 3,
    ARRAYS_PER_ROW = 3,
    SUMS_SENT = 3
}; /* of a row with a weight, or with an offset, one more */
static const double slope_decrease =
    0.1;                            /* the search ends at a slope below this times the first */
static const double max_step = 1e4; /* the largest step, in Newton steps */

struct line_point {
    double value, slope; /* of J at w + step dw */
};

bool ipm_newton_joins(const struct scalar_terms *terms) {
    const struct design *design = terms->design;
    bool balances = terms->loss->task == TASK_CLASSIFICATION && !loss_has_box(terms->loss);
    return design->data->window != NULL && design->width == 0 &&
           design->data->communicator == NULL && (!design->intercept || balances);
}

/* Whether `derivative` is not `a`: c is not 1, or the bound, which comes first, balances `a` for the offset. */
static bool keeps_both(const struct scalar_terms *terms) {
    return terms->weight != NULL || (terms->design->intercept && !ipm_newton_joins(terms));
}

static int64_t numbers_of(const struct scalar_terms *terms) {
    int64_t arrays = ARRAYS_PER_ROW + keeps_both(terms);
    return ARRAYS_PER_COLUMN * terms->design->columns + arrays * terms->design->rows + SUMS_SENT;
}

double ipm_newton_bytes(const struct scalar_terms *terms) {
    return (double)numbers_of(terms) * sizeof(double);
}

static int allocate(struct newton *newton, struct batch *batch, const struct ipm_shape *shape,
                    struct error *e) {
    const struct problem *problem = batch->problem;
    int64_t n = problem->risk->dimension, m = problem->risk->scalar->design->rows;
    *newton = (struct newton){.batch = batch,
                              .terms = problem->risk->scalar,
                              .joins = ipm_newton_joins(problem->risk->scalar),
                              .best_gap = INFINITY,
                              .curved = INFINITY,
                              .e = e};
    if (ipm_system_init(&newton->system, batch, shape, e) != 0)
        return -1;
    newton->ridge = newton->system.ridge;
    newton->w = memory_new(numbers_of(newton->terms), sizeof(double), "scores", e);
    if (newton->w == NULL)
        return -1;
    newton->dw = newton->w + n;
    newton->slope = newton->dw + n;
    newton->u = newton->slope + n + SUMS_SENT;
    newton->du = newton->a = newton->u + m;
    newton->curvature = newton->a + m;
    newton->derivative = keeps_both(newton->terms) ? newton->curvature + m : newton->a;
    return 0;
}

int newton_init(struct newton *newton, struct batch *batch, const double *w,
                const struct ipm_shape *shape, struct error *e) {
    const struct design *design = batch->problem->risk->scalar->design;
    if (communicator_agree(design->data->communicator, allocate(newton, batch, shape, e), e) != 0)
        return -1;
    memcpy(newton->w, w, sizeof *w * (size_t)design->columns);
    memset(newton->dw, 0, sizeof *w * (size_t)design->columns);
    memset(newton->du, 0, sizeof *w * (size_t)design->rows);
    return 0;
}

void newton_free(struct newton *newton) {
    ipm_system_free(&newton->system);
    free(newton->w);
}

static bool is_smoothed(const struct newton *newton) {
    return newton->smoothed.terms != NULL;
}

/* a = l'(u), in the place of du, and l'', of the rows of a block, where there are kinks those of the smoothed loss; the
 * sum of c l. */
static double differentiate(struct newton *newton, int block) {
    const struct scalar_terms *terms = newton->terms;
    const struct loss *loss = terms->loss;
    double sum = 0;
    int64_t end = design_block_start(terms->design, block + 1);
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i), y = scalar_target(terms, i), u = newton->u[i];
        double value = loss->value(u, y, &terms->parameters, &newton->a[i]);
        newton->curvature[i] = loss->second(u, y, &terms->parameters);
        sum += c > 0 ? c * value : 0;
    }
    return sum;
}

/* The same, with c l' and c l''. */
static double advance_block(struct newton *newton, int block) {
    const struct scalar_terms *terms = newton->terms;
    struct smoothed_sums sums;
    int64_t end = design_block_start(terms->design, block + 1);
    if (is_smoothed(newton))
        smoothed_box_derivatives(&newton->smoothed, block, newton->u, newton->a, newton->curvature,
                                 &sums);
    else
        sums.loss = differentiate(newton, block);
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double c = scalar_weight(terms, i);
        newton->curvature[i] = c > 0 ? c * newton->curvature[i] : 0;
        newton->derivative[i] = c > 0 ? c * newton->a[i] : 0;
    }
    return sums.loss;
}

/* Smooths the losses such that a gap of HALF is left at the minimizer for the steps to close. After the first step mu
 * does not grow: it could fall and grow in turns for ever. */
static void smooth(struct newton *newton) {
    enum { FREE_CHOICES = 2 };
    static const double half = 0.5;
    const struct batch *batch = newton->batch;
    double most = newton->choices < FREE_CHOICES ? INFINITY : newton->smoothed.mu;
    smoothed_box_choose(&newton->smoothed, newton->u,
                        half * monitor_gap(batch->monitor, batch->objective) *
                            newton->terms->weight_sum);
    newton->smoothed.mu = fmin(newton->smoothed.mu, most);
    newton->choices++;
}

/* Whether each step ends at the best offset of its scores, where the derivatives balance. */
static bool balances(const struct newton *newton) {
    return newton->joins && newton->terms->design->intercept;
}

static void move_offset(struct newton *newton) {
    const struct design *design = newton->terms->design;
    struct offset near_that_of_u = {.terms = newton->terms};
    double low, high, shift = offset_search(&near_that_of_u, newton->u, &low, &high);
    newton->w[design->regularized] += shift;
#pragma omp parallel for schedule(static) if (design->threads)
    for (int64_t i = 0; i < design->rows; i++)
        newton->u[i] += shift;
}

/* What rounding leaves of the sum of the derivatives is taken from the side that has more. */
static void balance(struct newton *newton) {
    int64_t m = newton->terms->design->rows;
    double above = 0, below = 0;
    for (int64_t i = 0; i < m; i++)
        *(newton->derivative[i] > 0 ? &above : &below) += newton->derivative[i];
    double side = above > -below ? 1 : -1, share = above > -below ? -below / above : -above / below;
    for (int64_t i = 0; i < m && share < 1; i++)
        newton->derivative[i] *= side * newton->derivative[i] > 0 ? share : 1;
}

/* Takes the step: w, u, a, and what the next system needs. The sum of c l over the rows of this process. */
static double take_step(struct newton *newton, double step) {
    const struct design *design = newton->terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
    for (int64_t j = 0; j < design->columns; j++)
        newton->w[j] += step * newton->dw[j];
    long_combine(newton->u, 1, newton->u, step, newton->du, design->rows);
    if (balances(newton))
        move_offset(newton);
    if (is_smoothed(newton))
        smooth(newton);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = advance_block(newton, block);
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    if (balances(newton))
        balance(newton);
    return sum;
}

/* Rows of this process with a second derivative above 0, where it jumps to 0. Rows that do not stay in memory do not
 * count: INFINITY. */
static double count_curved(const struct newton *newton) {
    int64_t count = 0;
    if (!loss_second_jumps(newton->terms->loss) || newton->terms->design->data->window != NULL)
        return INFINITY;
    for (int64_t i = 0; i < newton->terms->design->rows; i++)
        count += newton->curvature[i] > 0;
    return (double)count;
}

static void offer(struct newton *newton, double loss) {
    struct batch *batch = newton->batch;
    newton->objective =
        problem_penalty(batch->problem, newton->w) + loss / newton->terms->weight_sum;
    batch_offer(batch, newton->w, newton->objective);
}

/* Takes the step, where one pass gives the bound and the next system: the slope of the bound by a is the gradient. */
static void advance_joined(struct newton *newton, double step) {
    struct batch *batch = newton->batch;
    const struct scalar_terms *terms = newton->terms;
    offer(newton, take_step(newton, step));
    batch->passes++;
    if (!ipm_system_form(&newton->system, newton->curvature, newton->derivative))
        return;
    for (int64_t j = 0; j < terms->design->columns; j++)
        newton->slope[j] =
            j < terms->design->regularized ? newton->system.gradient[j] / terms->weight_sum : 0;
    double squares, t = dual_constant(terms, newton->derivative, NULL, &squares);
    batch_raise(batch, dual_bound_known(batch->problem, newton->derivative, newton->slope, t, 0));
}

void newton_begin(struct newton *newton) {
    const struct design *design = newton->terms->design;
    design_scores(design, newton->w, newton->u);
    newton->batch->passes++;
    if (newton->joins) {
        advance_joined(newton, 0);
        return;
    }
    double loss = take_step(newton, 0);
    ipm_system_sum(&newton->system, newton->curvature, newton->derivative, &loss, 1);
    offer(newton, loss);
}

void newton_advance(struct newton *newton, double step) {
    struct batch *batch = newton->batch;
    if (newton->joins) {
        advance_joined(newton, step);
        return;
    }
    int64_t columns = newton->terms->design->columns;
    double weights = newton->terms->weight_sum, centre, *further = newton->slope + columns;
    double sum = take_step(newton, step);
    further[0] = dual_linearize_own(batch->problem->risk, newton->a, newton->slope, &centre);
    further[1] = sum;
    further[2] = count_curved(newton);
    ipm_system_sum(&newton->system, newton->curvature, newton->derivative, newton->slope,
                   columns + SUMS_SENT);
    newton->curved = further[2];
    offer(newton, further[1]);
    batch_raise(batch, dual_bound_known(batch->problem, newton->a, newton->slope,
                                        -further[0] / weights, centre));
    batch->passes++;
}

void newton_move(struct newton *newton, double step) {
    double loss = take_step(newton, step);
    communicator_sum_few(newton->terms->design->data->communicator, &loss, 1);
    offer(newton, loss);
}

void newton_place(struct newton *newton, const double *u) {
    size_t size = sizeof *u * (size_t)newton->terms->design->rows;
    if (u == NULL)
        memset(newton->u, 0, size);
    else
        memmove(newton->u, u, size);
    newton_move(newton, 0);
}

/* `slope` and dw, by a system of its shape. */
static int solve(struct newton *newton) {
    const struct design *design = newton->terms->design;
    struct batch *batch = newton->batch;
    struct ipm_system *system = &newton->system;
    batch->passes += !newton->joins;
    int status = ipm_system_factor(system, newton->curvature, newton->derivative, 0, newton->dw);
    batch->passes += (double)ipm_system_passes(system);
    if (status != 0)
        return -1;
    memcpy(newton->slope, newton->dw, sizeof *newton->dw * (size_t)design->columns);
    for (int64_t j = 0; j < design->columns; j++)
        newton->dw[j] =
            -newton->dw[j] - (j < design->regularized ? system->ridge * newton->w[j] : 0);
    status = ipm_system_solve(system, newton->dw,
                              batch->monitor->settings.passes - batch->passes - AFTER_PASSES);
    batch->passes += (double)ipm_system_passes(system);
    return status;
}

/* The same, with H itself if rounding has spoilt a wide one. */
static int solve_again(struct newton *newton) {
    struct batch *batch = newton->batch;
    struct ipm_system *system = &newton->system;
    int status = solve(newton);
    bool spoilt = system->wide != NULL && (status != 0 || ipm_system_is_lost(system));
    if (!spoilt || !system->shape.both || monitor_poll(batch->monitor) != VERDICT_GO_ON)
        return status;
    newton->failed = ipm_system_leave_wide(system, batch, newton->e) != 0;
    return newton->failed || !batch_affords(batch, ITERATION_PASSES) ? -1 : solve(newton);
}

int newton_direction(struct newton *newton) {
    const struct design *design = newton->terms->design;
    if (solve_again(newton) != 0)
        return -1;
    double ridge = newton->system.ridge;
    newton->batch->passes++;
    newton->linear = ridge * vector_dot(newton->w, newton->dw, design->regularized);
    newton->square = ridge * vector_dot(newton->dw, newton->dw, design->regularized);
    design_scores(design, newton->dw, newton->du);
    return 0;
}

static struct line_point evaluate_block(const struct newton *newton, double step, int block) {
    const struct scalar_terms *terms = newton->terms;
    struct line_point sum = {0};
    int64_t end = design_block_start(terms->design, block + 1);
    if (is_smoothed(newton)) {
        struct smoothed_sums sums;
        smoothed_box_along(&newton->smoothed, block, newton->u, step, newton->du, &sums);
        return (struct line_point){sums.value, sums.slope};
    }
    for (int64_t i = design_block_start(terms->design, block); i < end; i++) {
        double a, c = scalar_weight(terms, i), u = newton->u[i] + step * newton->du[i];
        if (c == 0)
            continue;
        sum.value += c * terms->loss->value(u, scalar_target(terms, i), &terms->parameters, &a);
        sum.slope += c * a * newton->du[i];
    }
    return sum;
}

/* J(w + step dw) and its slope, in units of the example weights; without the constant lambda/2 ||w||^2. */
static struct line_point evaluate_along(const struct newton *newton, double step) {
    const struct design *design = newton->terms->design;
    struct line_point block_sum[DESIGN_BLOCKS_MOST];
    double sums[] = {0, 0};
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        block_sum[block] = evaluate_block(newton, step, block);
    for (int block = 0; block < design->blocks; block++) {
        sums[0] += block_sum[block].value;
        sums[1] += block_sum[block].slope;
    }
    communicator_sum_few(design->data->communicator, sums, 2);
    return (struct line_point){sums[0] + step * (newton->linear + step / 2 * newton->square),
                               sums[1] + newton->linear + step * newton->square};
}

/* Within a bracket it takes the secant's zero or the middle; without an upper end it doubles the step. */
double newton_search(struct newton *newton) {
    struct line_point first = evaluate_along(newton, 0), low_end = first, current;
    double low = 0, high = INFINITY, high_slope = 0, step = 1;
    newton->decrement = -first.slope / 2;
    for (int i = 0; i < MAX_SEARCH_STEPS; i++) {
        current = evaluate_along(newton, step);
        if (current.value <= first.value &&
            fabs(current.slope) <= slope_decrease * fabs(first.slope))
            return step;
        if (current.slope < 0 && current.value <= first.value) {
            low = step;
            low_end = current;
            if (step >= max_step)
                break;
        } else {
            high = step;
            high_slope = current.slope;
        }
        double secant = low + (high - low) * low_end.slope / (low_end.slope - high_slope);
        double inset = 0.1 * (high - low);
        step = isinf(high)                                     ? 2 * low
               : secant > low + inset && secant < high - inset ? secant
                                                               : low + (high - low) / 2;
    }
    return low;
}

/* ---- larger lambdas on the way */

static bool is_far(const struct newton *newton) {
    return newton->system.ridge > newton->ridge;
}

/* sum c |x|^2 over all rows. A pass. */
static double sum_squares(const struct newton *newton) {
    const struct scalar_terms *terms = newton->terms;
    const struct design *design = terms->design;
    double block_sum[DESIGN_BLOCKS_MOST], sum = 0;
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        int64_t end = design_block_start(design, block + 1);
        block_sum[block] = 0;
        for (int64_t i = design_block_start(design, block); i < end; i++)
            block_sum[block] += scalar_weight(terms, i) * row_square(design->data, i, design->bias);
    }
    for (int block = 0; block < design->blocks; block++)
        sum += block_sum[block];
    communicator_sum_few(design->data->communicator, &sum, 1);
    newton->batch->passes++;
    return sum;
}

/* J of w = 0. */
static double objective_of_zero(const struct newton *newton) {
    const struct scalar_terms *terms = newton->terms;
    double sum = 0, slope;
    for (int64_t i = 0; i < terms->design->rows; i++)
        sum += scalar_weight(terms, i) *
               terms->loss->value(0, scalar_target(terms, i), &terms->parameters, &slope);
    communicator_sum_few(terms->design->data->communicator, &sum, 1);
    return sum / terms->weight_sum;
}

/* Takes a larger lambda, by the mean diagonal of H where all rows are curved; not where it is hardly larger. */
static void go_far(struct newton *newton) {
    static const double share = 0.01, hardly = 30;
    const struct scalar_terms *terms = newton->terms;
    double columns = (double)terms->design->regularized;
    double ridge = share * terms->loss->curvature * sum_squares(newton) / columns;
    newton->zero_objective = objective_of_zero(newton);
    newton->tried_far = true;
    if (ridge >= hardly * newton->ridge)
        newton->system.ridge = ridge;
}

/* The next smaller lambda, or the problem's where that is hardly less. */
static void come_nearer(struct newton *newton) {
    static const double factor = 0.1, hardly = 1.5;
    double ridge = factor * newton->system.ridge;
    newton->system.ridge = ridge >= hardly * newton->ridge ? ridge : newton->ridge;
}

/* Whether the next step of two classes will meet other rows, too: so few of them are curved, or so many steps were
 * taken, and still one should gain so much of J, EXPECTED, of which it has not GAINED most. H is in memory, and not of
 * rows x rows, which costs little. */
static bool is_slow(const struct newton *newton, double expected, double gained) {
    static const double few = 1.25, if_few = 0.1, if_late = 0.01,
                        most = 0.8; /* few: rows a column */
    enum { LATE = 12 };
    const struct scalar_terms *terms = newton->terms;
    bool is_few = newton->curved < few * (double)terms->design->regularized;
    bool is_late = newton->batch->iteration > LATE && isfinite(newton->curved);
    return !newton->tried_far && newton->system.wide == NULL &&
           terms->loss->task == TASK_CLASSIFICATION && gained < most * expected &&
           ((is_few && expected > if_few) || (is_late && expected > if_late));
}

/* A step along dw, after which lambda may be another one. */
static void advance(struct newton *newton) {
    static const double little = 0.02, most = 0.3, growth = 10;
    double weights = newton->terms->weight_sum, step = newton_search(newton);
    double square = vector_dot(newton->w, newton->w, newton->terms->design->regularized);
    double objective =
        newton->objective + (newton->system.ridge - newton->ridge) / 2 * square / weights;
    double gain = newton->decrement / weights / objective;
    newton_advance(newton, step);
    double gained = 1 - newton->objective / objective;
    if (is_far(newton) &&
        gain <= fmin(fmax(little, growth * objective / newton->zero_objective), most))
        come_nearer(newton);
    else if (is_slow(newton, gain, gained) && batch_affords(newton->batch, 1))
        go_far(newton);
}

/* ---- the loop */

/* True if the gap has not fallen for STALL_PATIENCE iterations, or by no more than the rounding of J, which is a sum
 * over rows, or if it is within rounding. After larger lambdas J of the iterate may be above the best one for a while.
 */
static bool stalled(struct newton *newton) {
    struct batch *batch = newton->batch;
    double gap = (newton->tried_far ? newton->objective : batch->objective) - batch->bound;
    if (is_far(newton))
        newton->best_gap = INFINITY;
    if (gap < newton->best_gap - rounding_of_sums * batch->objective) {
        newton->best_gap = gap;
        newton->progress_iteration = batch->iteration;
    }
    return batch->iteration - newton->progress_iteration >= STALL_PATIENCE ||
           ipm_gap_is_rounding(batch);
}

/* Whether the steps, which have met other rows each time, end for another method, and not at the rounding of J. */
static bool gives_way(const struct newton *newton, int64_t max_iterations) {
    return newton->tried_far && max_iterations < INT64_MAX && !ipm_gap_is_rounding(newton->batch);
}

/* Recomputes the scores from w, and all that depends on them. */
static void refresh(struct newton *newton) {
    const struct design *design = newton->terms->design;
    if (newton->joins && vector_nonzeros(newton->w, design->columns) == 0) {
        memset(newton->u, 0, sizeof *newton->u * (size_t)design->rows);
    } else {
        design_scores(design, newton->w, newton->u);
        newton->batch->passes++;
    }
    newton_advance(newton, 0);
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct newton *newton = context;
    const struct design *design = newton->terms->design;
    batch_visit(newton->batch, state);
    state_doubles(state, newton->w, design->columns);
    state_doubles(state, newton->u, design->rows);
    state_doubles(state, newton->curvature, design->rows);
    state_doubles(state, newton->derivative, design->rows);
    STATE_REALS(state, &newton->objective, &newton->best_gap, &newton->zero_objective,
                &newton->system.ridge, &newton->curved);
    newton->tried_far = state_flag(state, newton->tried_far);
    newton->progress_iteration = state_integer(state, newton->progress_iteration, 0, INT64_MAX);
    newton->inexact = state_flag(state, newton->inexact);
    newton->system.left_wide = state_flag(state, newton->system.left_wide);
}

/* Reports; whether another iteration may begin. */
static bool goes_on(struct newton *newton) {
    struct batch *batch = newton->batch;
    return !ipm_end_iteration(batch, &newton->inexact) &&
           batch_affords(batch, ITERATION_PASSES + (newton->system.wide != NULL) +
                                    ipm_system_least_passes(&newton->system) +
                                    (newton->inexact ? REFRESH_PASSES : 0)) &&
           !batch_save(batch);
}

/* The main loop. */
static int run(struct newton *newton, int64_t max_iterations, bool *over, struct error *e) {
    struct batch *batch = newton->batch;
    enum checkpoint_entry entry = monitor_enter_run(batch->monitor, visit, newton, e);
    bool reported = entry == CHECKPOINT_GOES_ON;
    if (entry == CHECKPOINT_REFUSED)
        return -1;
    if (newton->system.left_wide && ipm_system_leave_wide(&newton->system, batch, e) != 0)
        return -1;
    if (entry == CHECKPOINT_BEGINS && batch_affords(batch, REFRESH_PASSES))
        refresh(newton);
    for (; reported || goes_on(newton); reported = false) {
        *over = batch->iteration > max_iterations;
        if (*over)
            break;
        if (newton->inexact)
            refresh(newton);
        bool ends = newton_direction(newton) != 0 || stalled(newton);
        *over = ends && gives_way(newton, max_iterations);
        if (*over)
            break;
        if (ends)
            batch_stall(batch);
        else
            advance(newton);
        if (newton->failed)
            return -1;
    }
    return 0;
}

int ipm_newton_train(struct batch *batch, const double *w, const struct ipm_shape *shape,
                     int64_t max_iterations, bool *over, struct error *e) {
    struct newton newton;
    int status = newton_init(&newton, batch, w, shape, e);
    if (status == 0)
        status = run(&newton, max_iterations, over, e);
    newton_free(&newton);
    return status;
}
