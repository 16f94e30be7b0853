/* ipm.c - the solver ipm: second-order methods for few features, with certified optima at any lambda.
 *
 *     minimize  lambda Omega(w) + R(w),   lambda Omega = l2/2 ||w||^2 + l1 ||w||_1
 *
 * Piecewise-linear losses (hinge, absolute, epsilon, quantile) and Huber's loss, with or without a 1-norm, are solved
 * by a primal-dual interior-point method (ipm_dual.c); squared hinge, squared epsilon, logistic and squared loss,
 * without a 1-norm, by damped Newton (ipm_newton.c), and so is Huber's where memory lacks. Where nearly all rows can
 * be fitted, the second derivative of the squared hinge and of squared epsilon is 0 in most rows, and each Newton step
 * meets others: after 30 steps, of two classes 60, the primal-dual method takes over. Both solve systems with
 * H = X' diag(d) X + a diagonal, n x n for n features, so that the cost hardly depends on lambda. On fewer rows than
 * features they factor matrices of rows x rows in their place (ipm_wide.h). Both end at a certified relative gap; the
 * lower bound comes from their dual variables (dual_bound.h).
 *
 * A given start (-i) is the start of Newton's method. The primal-dual method always starts at w = 0 with the
 * dual variables in the middle of their boxes, since a given start is far from the central path and would cost
 * more iterations. There the given start is only kept as the best point so far. Along a path of lambda the squared
 * loss takes a Newton step that is exact (ipm_squared.c), and others follow the curve of the solutions, where they have
 * kinks that of the smoothed loss (ipm_curve.c); with an offset or from a disk, runs begin near the solution
 * before (ipm_near.c). With matrices of rows x rows, which cost little, each run begins anew, but for X X'.
 *
 * Reference: Fine & Scheinberg 2001, JMLR 2; Lee 2011, section 1.3.1. Cost of an iteration: H (its products of
 * nonzeros, or m n^2/2), n^3/3 for the factor, 3 to 16 passes. Memory: at least 2 n^2 doubles. */
#include "solvers/interior_point/ipm.h"
#include "solvers/interior_point/ipm_newton.h"
#include "solvers/interior_point/ipm_wide.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double default_limit =
    2048e6; /* bytes of the matrices: larger ones take over a minute to factor */

struct ipm_settings {
    double memory; /* MB; 0: the default */
    int64_t correctors;
};

/* Less than this is not compared with the machine's memory, which takes longer to read than a small run does. */
static const double always_there = 1e6; /* bytes */

/* What a run takes, in bytes. */
struct memory {
    double matrices, rows, limit;
    bool dense; /* a dense copy of the rows fits, too */
    bool dual;  /* the primal-dual method may be used */
    struct ipm_shape shape;
};

bool ipm_shape_is_wide(int64_t rows, int64_t columns) {
    static const double most_rows = 0.75;     /* times the columns */
    static const int64_t least_columns = 100; /* of fewer H costs little */
    return columns >= least_columns && (double)rows < most_rows * (double)columns;
}

static bool is_wide(const struct scalar_terms *terms) {
    const struct dataset *data = terms->design->data;
    return data->window == NULL && data->communicator == NULL &&
           ipm_shape_is_wide(data->rows, terms->design->columns);
}

static double matrices_bytes(const struct scalar_terms *terms, bool wide) {
    return wide ? ipm_wide_bytes(terms->design) : gram_bytes(terms->design);
}

static double limit_of(const struct scalar_terms *terms, const struct ipm_settings *settings,
                       bool wide) {
    if (settings->memory > 0)
        return 1e6 * settings->memory;
    double rows = fmax(ipm_dual_bytes(terms, true), ipm_newton_bytes(terms));
    return matrices_bytes(terms, wide) + rows <= always_there ? always_there
                                                              : memory_of_machine() / 2;
}

static bool fits(const struct memory *memory) {
    return memory->matrices + memory->rows <= memory->limit;
}

static struct memory count_shape(const struct scalar_terms *terms, bool wide, double limit,
                                 bool has_l1) {
    struct memory memory = {
        .matrices = matrices_bytes(terms, wide), .limit = limit, .shape.wide = wide};
    double newton = ipm_newton_bytes(terms);
    memory.dense = memory.matrices + ipm_dual_bytes(terms, true) <= limit;
    double dual = ipm_dual_bytes(terms, memory.dense);
    bool dual_fits = memory.matrices + dual <= limit;
    bool newton_takes = terms->loss->second != NULL && !has_l1;
    memory.dual = loss_has_box(terms->loss) ? dual_fits || !newton_takes
                                            : loss_second_jumps(terms->loss) && dual_fits;
    memory.rows = memory.dual ? fmax(dual, newton) : newton;
    return memory;
}

static struct memory count_memory(const struct scalar_terms *terms,
                                  const struct ipm_settings *settings, bool has_l1) {
    bool wide = is_wide(terms);
    double limit = limit_of(terms, settings, wide);
    struct memory whole = count_shape(terms, false, limit, has_l1);
    if (!wide)
        return whole;
    struct memory memory = count_shape(terms, true, limit, has_l1);
    memory.shape.both = whole.matrices <= default_limit && whole.matrices + memory.rows <= limit;
    return fits(&memory) || !fits(&whole) ? memory : whole;
}

/* Refuses problems that need more memory than the limit. */
static int check_memory(const struct problem *problem, const struct ipm_settings *settings,
                        const struct memory *memory, struct error *e) {
    bool slow = settings->memory == 0 && memory->matrices > default_limit;
    long long m = problem->risk->scalar->design->rows;
    long long n = memory->shape.wide ? m : problem->risk->dimension;
    if (fits(memory) && !slow)
        return 0;
    const char *other = problem_penalty_parts(problem).l1 > 0 ? "agm" : "proximal-bundle";
    return error_set(e,
                     "ipm needs %.6g MB for matrices of %lld x %lld and %.6g MB for %lld rows%s, "
                     "more than --memory %.10g; use -s %s",
                     memory->matrices / 1e6, n, n, memory->rows / 1e6, m,
                     problem->risk->scalar->design->data->communicator != NULL ? " of a process"
                                                                               : "",
                     (slow ? default_limit : memory->limit) / 1e6, other);
}

static double bytes(const struct scalar_terms *terms, const void *options) {
    struct memory memory = count_memory(terms, options, false);
    return memory.matrices + memory.rows;
}

/* The target of the first row in the file that has a weight; 0 if none has. */
static double first_target(const struct scalar_terms *terms) {
    const struct dataset *data = terms->design->data;
    int64_t i = 0;
    while (i < terms->design->rows && !(scalar_weight(terms, i) > 0))
        i++;
    int64_t row = i < terms->design->rows ? dataset_row_of_file(data, i) : INT64_MAX;
    bool first = -communicator_largest(data->communicator, -row) == row && row < INT64_MAX;
    return communicator_sum_one(data->communicator, first ? scalar_target(terms, i) : 0);
}

/* A good constant prediction, found without optimization; it is optimal if all labels or targets are equal. */
static double best_constant(const struct scalar_terms *terms) {
    double sum = 0;
    if (terms->loss->task == TASK_REGRESSION)
        return first_target(terms);
    for (int64_t i = terms->design->rows - 1; i >= 0; i--)
        sum += scalar_weight(terms, i) * scalar_target(terms, i);
    return communicator_sum_one(terms->design->data->communicator, sum) >= 0 ? 1 : -1;
}

/* Offers w = 0 with a constant offset, which is optimal if there is one class or target only, and the bound 0. */
static void offer_constant(struct batch *batch, double *w) {
    const struct risk *risk = batch->problem->risk;
    memset(w, 0, sizeof *w * (size_t)risk->dimension);
    if (risk->dimension > risk->regularized)
        w[risk->regularized] = best_constant(risk->scalar);
    batch_offer(batch, w, problem_objective(batch->problem, w));
    batch_raise(batch, 0);
    batch->passes++;
}

/* Whether the run begins at the solution of another lambda. */
static bool has_start(const struct batch *batch, const double *start) {
    enum { START_PASSES = 2 };
    return batch->problem->kept != NULL &&
           vector_nonzeros(start, batch->problem->risk->dimension) > 0 &&
           batch->monitor->settings.passes - batch->passes >= START_PASSES;
}

/* Newton's method evaluates its first point in the pass of its first system. */
static bool evaluates_start(const struct batch *batch, const struct memory *memory) {
    enum { START_PASSES = 2 };
    return !memory->dual && ipm_newton_joins(batch->problem->risk->scalar) &&
           batch->monitor->settings.passes >= START_PASSES;
}

/* That is better than no weights, but for an offset. */
static void offer_first(struct batch *batch, const double *start, const struct memory *memory,
                        double *w) {
    const struct risk *risk = batch->problem->risk;
    bool evaluated = has_start(batch, start) || evaluates_start(batch, memory);
    if (evaluated && risk->dimension == risk->regularized)
        batch_raise(batch, 0);
    else
        offer_constant(batch, w);
}

/* How Newton's method ended where another method may go on. */
struct phase {
    bool over;    /* by the number of its iterations */
    double limit; /* of the dual variables then */
};

static void visit_phase(struct state *state, void *context) {
    struct phase *phase = context;
    phase->over = state_flag(state, phase->over);
    STATE_REALS(state, &phase->limit);
}

/* Twice the largest |a| at the optimum: c l/(sum of c) <= J in each row, and |a| <= sqrt(2 curvature l). */
static double largest_dual(const struct batch *batch) {
    const struct scalar_terms *terms = batch->problem->risk->scalar;
    double least = INFINITY;
    for (int64_t i = 0; i < terms->design->rows; i++)
        if (scalar_weight(terms, i) > 0)
            least = fmin(least, scalar_weight(terms, i));
    least = -communicator_largest_real(terms->design->data->communicator, -least);
    return 2 * sqrt(2 * terms->loss->curvature * batch->objective * terms->weight_sum / least);
}

/* Newton's method, and where it takes many iterations the primal-dual one, if that can go on. */
static int train_smooth(struct batch *batch, const double *start, const struct memory *memory,
                        struct ipm_way *way, struct error *e) {
    enum { MOST_ITERATIONS = 30, MOST_OF_CLASSES = 60 }; /* some at larger lambdas (ipm_newton.c) */
    bool classes = batch->problem->risk->scalar->loss->task == TASK_CLASSIFICATION;
    struct monitor *monitor = batch->monitor;
    struct phase phase = {0};
    if (!memory->dual)
        return ipm_newton_train(batch, start, &memory->shape, INT64_MAX, &phase.over, e);
    if (monitor_enter(monitor, visit_phase, &phase, e) == CHECKPOINT_REFUSED)
        return -1;
    if (!phase.over) {
        int depth = monitor_depth(monitor);
        if (ipm_newton_train(batch, start, &memory->shape,
                             classes ? MOST_OF_CLASSES : MOST_ITERATIONS, &phase.over, e) != 0)
            return -1;
        if (!phase.over)
            return 0;
        monitor_leave(monitor, depth);
        phase.limit = largest_dual(batch);
    }
    way->limit = phase.limit;
    return ipm_dual_train(batch, NULL, way, e);
}

/* The method of the loss. J of its best point is computed anew, without the rounding of many steps. */
static int run_method(struct batch *batch, const double *start, const struct memory *memory,
                      struct ipm_way *way, struct error *e) {
    const struct problem *problem = batch->problem;
    int status = loss_has_box(problem->risk->scalar->loss) && memory->dual
                     ? ipm_dual_train(batch, start, way, e)
                     : train_smooth(batch, start, memory, way, e);
    if (status == 0)
        batch->objective = problem_objective(problem, batch->best);
    return status;
}

/* From START, which it may move along a path. */
static int run(struct batch *batch, double *start, const struct memory *memory, struct ipm_way *way,
               struct error *e) {
    const struct problem *problem = batch->problem;
    bool follows = problem_penalty_parts(problem).l1 == 0 && !memory->shape.wide;
    bool box = loss_has_box(problem->risk->scalar->loss);
    struct ipm_near near = {0};
    int status = 0;
    if (follows && has_start(batch, start))
        near = ipm_near_begin(batch, start);
    if (box && near.begins)
        status = ipm_near_train(batch, start, &near, e);
    if (status == 0 && (!box || !near.begins || near.fails))
        status = run_method(batch, box && near.offered ? NULL : start, memory, way, e);
    return status == 0 && follows ? ipm_near_keep(batch, &near, e) : status;
}

/* Of the squared loss, whatever the start: the last run along the path has left a better one. */
static int run_squared(struct batch *batch, double *start, struct error *e) {
    static const struct memory newton_alone = {0};
    int status = ipm_squared_train(batch, e);
    if (status != 0 || batch->verdict != VERDICT_GO_ON)
        return status;
    memcpy(start, batch->best, sizeof *start * (size_t)batch->problem->risk->dimension);
    return run_method(batch, start, &newton_alone, NULL, e);
}

/* Along the curve of the solutions, and where that does not do from the best point; losses with a box begin anew. */
static int run_curve(struct batch *batch, double *start, const struct memory *memory,
                     struct ipm_way *way, struct error *e) {
    int status = ipm_curve_train(batch, start, e);
    if (status != 0 || batch->verdict != VERDICT_GO_ON)
        return status;
    memcpy(start, batch->best, sizeof *start * (size_t)batch->problem->risk->dimension);
    bool box = loss_has_box(batch->problem->risk->scalar->loss);
    return run_method(batch, box ? NULL : start, memory, way, e);
}

/* Whether an earlier run along the path has the matrices. */
static bool has_matrices(const struct problem *problem) {
    return ipm_squared_takes(problem) && problem->kept->kind == &ipm_squared_kept;
}

static int train(const struct solve *solve, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct scalar_terms *terms = problem->risk->scalar;
    struct batch batch;
    const struct ipm_settings *settings = solve->options;
    struct memory memory = {0};
    if (!has_matrices(problem))
        memory = count_memory(terms, settings, problem_penalty_parts(problem).l1 > 0);
    struct ipm_way way = {.limit = INFINITY,
                          .dense = memory.dense,
                          .correctors = (int)settings->correctors,
                          .shape = memory.shape};
    struct communicator *c = terms->design->data->communicator;
    int status = has_matrices(problem) ? 0 : check_memory(problem, settings, &memory, e);
    if (communicator_agree(c, status, e) != 0)
        return -1;
    memory.dual = !communicator_any(c, !memory.dual);
    int64_t n = problem->risk->dimension;
    double *start = memory_new(2 * n, sizeof *start, "the start", e);
    if (communicator_agree(c, start == NULL ? -1 : 0, e) != 0) {
        free(start);
        return -1;
    }
    /* w will hold the best point, so the start is copied. */
    memcpy(start, solve->w, sizeof *start * (size_t)n);
    batch_begin(&batch, problem, solve->monitor, solve->w);
    if (!memory.shape.wide && ipm_squared_takes(problem)) {
        status = run_squared(&batch, start, e);
    } else if (!memory.shape.wide && ipm_curve_takes(problem)) {
        status = run_curve(&batch, start, &memory, &way, e);
    } else {
        offer_first(&batch, start, &memory, start + n);
        status = run(&batch, start, &memory, &way, e);
    }
    free(start);
    if (status != 0)
        return -1;
    if (!batch_is_over(&batch))
        batch_stall(&batch);
    return batch_finish(&batch, solve->outcome, e);
}

/* Losses with a box (primal-dual method) or a second derivative (Newton). */
static bool takes_loss(const struct loss *loss) {
    return loss->second != NULL || loss_has_box(loss);
}

static bool has_l1(const struct regularizer *regularizer) {
    static const struct regularizer_parameters example = {.elastic = 0.5};
    return regularizer->penalty(1, &example).l1 > 0;
}

/* The 1-norm needs the primal-dual method. */
static bool takes_pair(const struct loss *loss, const struct regularizer *regularizer) {
    return !has_l1(regularizer) || loss_has_box(loss);
}

static bool begins_anew(const struct loss *loss, const struct regularizer *regularizer) {
    (void)loss;
    return has_l1(regularizer);
}

static const char *const regularizers[] = {"l2", "l1", "elastic-net", NULL};

bool ipm_takes(const struct problem *problem) {
    const struct scalar_terms *terms = problem->risk->scalar;
    return terms != NULL && problem->regularizer->penalty != NULL && takes_loss(terms->loss) &&
           takes_pair(terms->loss, problem->regularizer);
}

static const struct ipm_settings default_settings = {.correctors = IPM_MAX_CORRECTORS};

double ipm_bytes(const struct problem *problem) {
    return bytes(problem->risk->scalar, &default_settings);
}

int ipm_train(const struct solve *solve, struct error *e) {
    struct solve own = *solve;
    own.options = &default_settings;
    return train(&own, e);
}

static const struct option_row options[] = {
    OPTION_NUMBER_ROW("memory", "MB", 1e7, "0", struct ipm_settings, memory,
                      "limit of the memory, in megabytes; 0: half of the machine's, and at most "
                      "2048 for matrices"),
    {.name = "correctors",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .high = IPM_MAX_CORRECTORS,
     .default_text = "6", /* IPM_MAX_CORRECTORS */
     .help = "centrality correctors of an iteration, at most; over several processes 1 needs the "
             "fewest sums",
     .offset = offsetof(struct ipm_settings, correctors)},
};

static const struct kept_kind *const keeps[] = {&ipm_near_kept, &ipm_squared_kept, &ipm_curve_kept,
                                                &ipm_wide_kept, NULL};

const struct solver ipm = {
    .name = "ipm",
    .summary = "interior point or Newton method, any lambda, for up to some thousand features; "
               "or, with fewer examples than features, some thousand examples",
    .reference = "Fine & Scheinberg 2001; Lee 2011, section 1.3.1",
    .tolerance = "the certified relative gap (J - bound)/J to reach",
    .epsilon = 1e-3,
    .passes = 10000,
    .offset = true,
    .distributed = true,
    .reads_floats = true,
    .goes_on = true,
    .reads_often = true,
    .linearizes = true,
    .keeps = keeps,
    .begins_anew = begins_anew,
    .mixes = true,
    .regularizers = regularizers,
    .takes_loss = takes_loss,
    .takes_pair = takes_pair,
    .bytes = bytes,
    .refuses_memory = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct ipm_settings),
    .train = train,
};
