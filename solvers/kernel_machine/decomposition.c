/* decomposition.c - the decomposition algorithm of the kernel machine: the loop over subproblems. */
#include "solvers/kernel_machine/decomposition.h"

#include "io/memory.h"
#include "kernel/row_cache.h"
#include "math/float_rows.h"
#include "solvers/kernel_machine/solution.h"
#include "solvers/kernel_machine/subproblem_solver.h"
#include "solvers/kernel_machine/working_set.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK_ROWS = 1024,    /* rows that a thread takes at a time */
    FIRST_SIZE = 500,     /* n_B at the start, unless it is given */
    MAX_SIZE = 4000,      /* the largest n_B that growth reaches */
    MIN_SIZE = 10,        /* the smallest n_B */
    GROWTH_PATIENCE = 30, /* iterations without progress before n_B grows */
    STALL_PATIENCE = 300, /* iterations without progress before the run has stalled */

    /* With --alone: */
    ROWS_PER_POLL = 512,   /* rows of K that the steps may take between two polls of the limits */
    STEPS_PER_VARIABLE = 4 /* steps a variable between two tests of optimality */
};

static const double free_share_to_grow = 0.6; /* n_B grows if this share of a subproblem is free */
static const double cache_share = 0.25;       /* of the cache's size: limit of the block of K */
static const double progress_factor = 0.99;   /* progress: a violation below this times the best */

const char *const decomposition_regularizers[] = {"l2", NULL};

struct decomposition {
    const struct decomposition_settings *settings;
    struct monitor *monitor;
    struct solution s;
    struct row_cache *cache;
    struct working_set set;
    enum subproblem_method method;
    struct subproblem_solver solver;
    struct subproblem subproblem;

    double *change;          /* n_B: the change of theta at the distinct rows of the set */
    int64_t *index;          /* n_B: the distinct rows of the set */
    int64_t *position;       /* rows: the position of a row in `index`, or -1 */
    const float **row;       /* n_B: the distinct rows of K */
    float *block;            /* n_B x n_B: K among the set's variables */
    const float **block_row; /* n_B: the rows of `block` */

    double violation, imbalance; /* the largest violation; the largest |A z|_j / scale */
    double best_violation; /* the smallest max(violation, imbalance) so far, with its iteration */
    int64_t iteration, best_iteration;
    int64_t progress_iteration; /* of the last progress or growth of n_B */
    enum verdict verdict;
};

/* ---- the subproblem */

/* A subproblem's `get`: rows of the block of K among the set's variables. */
static int get_block(void *opaque, const int64_t *index, int64_t count, const float **row,
                     struct error *e) {
    const struct decomposition *d = opaque;
    (void)e;
    for (int64_t k = 0; k < count; k++)
        row[k] = d->block_row[index[k]];
    return 0;
}

/* The same with --alone: rows of K from the cache, counted as passes. */
static int get_cached(void *opaque, const int64_t *index, int64_t count, const float **row,
                      struct error *e) {
    struct decomposition *d = opaque;
    d->s.passes += (double)count / (double)d->s.c.rows;
    return row_cache_get(d->cache, index, count, row, e);
}

/* Whether COUNT more rows of K stay within the limit of passes; if not, ends the run. */
static bool affords(struct decomposition *d, int64_t count) {
    double passes = d->s.passes + (double)count / (double)d->s.c.rows;
    if (passes <= d->monitor->settings.passes)
        return true;
    d->verdict = VERDICT_PASSES;
    return false;
}

/* Rows of K that the limit of passes still allows. */
static int64_t rows_left(const struct decomposition *d) {
    double rows = (d->monitor->settings.passes - d->s.passes) * (double)d->s.c.rows;
    return rows < (double)INT64_MAX / 2 ? (int64_t)fmax(0, rows) : INT64_MAX / 2;
}

/* With --alone, the largest number of rows of K that the solver takes between two polls: ROWS_PER_POLL by its
 * steps; each row three times by the free set (to factor it, to move, to update the gradient at the end). */
static int64_t max_rows_between_polls(const struct decomposition *d) {
    return ROWS_PER_POLL + 3 * d->s.c.rows;
}

static bool is_stopped(void *opaque) {
    const struct decomposition *d = opaque;
    return monitor_poll(d->monitor) != VERDICT_GO_ON ||
           (d->settings->alone && rows_left(d) < max_rows_between_polls(d));
}

/* Makes variable t of the problem variable k of the subproblem. */
static void load_variable(struct decomposition *d, int64_t t, int64_t k) {
    struct subproblem *s = &d->subproblem;
    int64_t i = t % d->s.c.rows, n = d->s.c.functions;
    s->z[k] = d->s.z[t];
    s->sign[k] = d->s.c.sign[t];
    s->upper[k] = d->s.c.upper[t];
    s->diagonal[k] = row_cache_diagonal(d->cache)[i];
    s->gradient[k] = d->s.c.sign[t] * d->s.h[i] + d->s.c.p[t];
    for (int64_t j = 0; j < n; j++)
        s->a[k * n + j] = d->s.c.sign[t] * d->s.c.psi[i * n + j];
}

static void load_multipliers(struct decomposition *d) {
    struct subproblem *s = &d->subproblem;
    for (int64_t j = 0; j < d->s.c.functions; j++) {
        s->eta[j] = d->s.beta[j];
        s->residual[j] = d->s.residual[j];
        s->scale[j] = d->s.c.scale;
    }
}

/* Lists the distinct rows of the set's variables; returns their number. */
static int64_t find_distinct(struct decomposition *d) {
    int64_t distinct = 0;
    for (int64_t k = 0; k < d->set.size; k++) {
        int64_t i = d->set.member[k] % d->s.c.rows;
        if (d->position[i] < 0) {
            d->position[i] = distinct;
            d->index[distinct++] = i;
        }
    }
    return distinct;
}

/* Copies K among the set's variables from the cached rows, one row for each variable. */
static void load_block(struct decomposition *d) {
    int64_t size = d->set.size;
#pragma omp parallel for schedule(static) if (size > 100)
    for (int64_t k = 0; k < size; k++) {
        const float *row = d->row[d->position[d->set.member[k] % d->s.c.rows]];
        for (int64_t l = 0; l < size; l++)
            d->block[k * size + l] = row[d->set.member[l] % d->s.c.rows];
    }
    for (int64_t k = 0; k < size; k++)
        d->block_row[k] = d->block + k * size;
}

static void load_subproblem(struct decomposition *d) {
    d->subproblem.count = d->subproblem.rows = d->set.size;
    for (int64_t k = 0; k < d->set.size; k++)
        load_variable(d, d->set.member[k], k);
    load_multipliers(d);
    load_block(d);
}

/* Takes z and beta from the subproblem; change[k] = the change of theta at the k-th distinct row. */
static void store_solution(struct decomposition *d, int64_t distinct) {
    memset(d->change, 0, sizeof *d->change * (size_t)distinct);
    for (int64_t k = 0; k < d->set.size; k++) {
        int64_t t = d->set.member[k];
        d->change[d->position[t % d->s.c.rows]] +=
            d->s.c.sign[t] * (d->subproblem.z[k] - d->s.z[t]);
        d->s.z[t] = d->subproblem.z[k];
    }
    memcpy(d->s.beta, d->subproblem.eta, sizeof *d->s.beta * (size_t)d->s.c.functions);
}

/* f += K change, over the rows whose change is not 0. Clears `position` for the next set. */
static void update_scores(struct decomposition *d, int64_t distinct) {
    int64_t count = 0, rows = d->s.c.rows;
    for (int64_t k = 0; k < distinct; k++) {
        d->position[d->index[k]] = -1;
        if (d->change[k] == 0)
            continue;
        d->change[count] = d->change[k];
        d->row[count++] = d->row[k];
    }
#pragma omp parallel for schedule(static) if (rows * count > 20000)
    for (int64_t from = 0; from < rows; from += BLOCK_ROWS)
        float_add_rows(d->s.f, d->change, d->row, count, from,
                       from + BLOCK_ROWS < rows ? from + BLOCK_ROWS : rows);
    d->s.passes += (double)count / (double)rows;
    d->s.exact &= count == 0;
}

/* ---- memory and growth of the subproblem */

static void free_subproblem_memory(struct decomposition *d) {
    subproblem_solver_free(&d->solver);
    subproblem_free(&d->subproblem);
    free(d->index);
    free(d->row);
    free(d->change);
    free(d->block);
    d->index = NULL;
    d->row = NULL;
    d->change = NULL;
    d->block = NULL;
}

/* For subproblems of n_B variables, or with --alone for the whole problem. */
static int allocate_subproblem(struct decomposition *d, struct error *e) {
    bool alone = d->settings->alone;
    int64_t size = d->set.capacity, count = alone ? d->s.c.count : size, n = d->s.c.functions;
    d->index = memory_new(size, sizeof *d->index, "the working set", e);
    d->row = memory_new(2 * size, sizeof *d->row, "the working set", e);
    d->change = memory_new(size, sizeof *d->change, "the working set", e);
    if (!alone)
        d->block = memory_new(size, (size_t)size * sizeof *d->block, "the subproblem", e);
    if (d->index == NULL || d->row == NULL || d->change == NULL || (d->block == NULL && !alone) ||
        subproblem_init(&d->subproblem, count, n, e) != 0 ||
        subproblem_solver_init(&d->solver, d->method, count, n, d->settings, e) != 0)
        return -1;
    d->block_row = d->row + size;
    d->subproblem.get = alone ? get_cached : get_block;
    d->subproblem.opaque = d;
    d->subproblem.stop = is_stopped;
    d->subproblem.stop_opaque = d;
    return 0;
}

/* The n_B at which growth ends. */
static int64_t max_subproblem_size(const struct decomposition *d) {
    int64_t largest = (int64_t)sqrt(cache_share * d->settings->cache * MEBIBYTE / sizeof *d->block);
    int64_t slots = row_cache_slots(d->cache);
    largest = largest < MAX_SIZE ? largest : MAX_SIZE;
    largest = largest < slots ? largest : slots;
    return largest < d->s.c.count ? largest : d->s.c.count;
}

/* Whether to double n_B: most variables of the set are free, or progress has ended. */
static bool should_grow(struct decomposition *d) {
    int64_t free_count = 0;
    if (d->iteration > d->progress_iteration + GROWTH_PATIENCE) {
        d->progress_iteration = d->iteration;
        return true;
    }
    if (d->settings->working_set > 0)
        return false;
    for (int64_t k = 0; k < d->set.size; k++)
        free_count += subproblem_is_free(&d->subproblem, k);
    return (double)free_count >= free_share_to_grow * (double)d->set.capacity;
}

/* Memory for a larger n_B. */
static int resize(struct decomposition *d, int64_t capacity, struct error *e) {
    free_subproblem_memory(d);
    return working_set_grow(&d->set, capacity, e) != 0 ? -1 : allocate_subproblem(d, e);
}

static int grow(struct decomposition *d, struct error *e) {
    int64_t largest = max_subproblem_size(d);
    if (!should_grow(d) || d->set.capacity >= largest)
        return 0;
    int64_t capacity = 2 * d->set.capacity < largest ? 2 * d->set.capacity : largest;
    return resize(d, capacity, e);
}

/* One iteration: chooses the working set, solves the subproblem over it, updates z, beta and f. */
static int solve_subproblem(struct decomposition *d, struct error *e) {
    working_set_choose(&d->set, &d->s.c, d->s.z, d->s.h);
    int64_t distinct = find_distinct(d);
    if (!affords(d, distinct))
        return 0;
    if (row_cache_get(d->cache, d->index, distinct, d->row, e) != 0)
        return -1;
    load_subproblem(d);
    if (subproblem_solver_solve(&d->solver, &d->subproblem, d->monitor->tolerance / 2, INT64_MAX,
                                false, e) < 0)
        return -1;
    store_solution(d, distinct);
    update_scores(d, distinct);
    return grow(d, e);
}

/* ---- the whole problem as one subproblem (--alone) */

static void load_whole_problem(struct decomposition *d) {
    d->subproblem.count = d->s.c.count;
    d->subproblem.rows = d->s.c.rows;
    for (int64_t t = 0; t < d->s.c.count; t++)
        load_variable(d, t, t);
    load_multipliers(d);
}

/* One iteration with --alone: some steps of the solver; f then follows from the gradient. */
static int solve_whole_problem(struct decomposition *d, struct error *e) {
    int64_t steps = rows_left(d) / SUBPROBLEM_MAX_ROWS,
            max_steps = STEPS_PER_VARIABLE * d->s.c.count;
    if (!affords(d, max_rows_between_polls(d)))
        return 0;
    load_whole_problem(d);
    if (subproblem_solver_solve(&d->solver, &d->subproblem, d->monitor->tolerance / 2,
                                steps < max_steps ? steps : max_steps, d->iteration > 1, e) < 0)
        return -1;
    memcpy(d->s.z, d->subproblem.z, sizeof *d->s.z * (size_t)d->s.c.count);
    memcpy(d->s.beta, d->subproblem.eta, sizeof *d->s.beta * (size_t)d->s.c.functions);
    for (int64_t i = 0; i < d->s.c.rows; i++)
        d->s.f[i] = d->s.c.sign[i] * (d->subproblem.gradient[i] - d->s.c.p[i]) -
                    vector_dot(d->s.c.psi + i * d->s.c.functions, d->s.beta, d->s.c.functions);
    d->s.exact = false;
    return 0;
}

/* ---- optimality and progress */

/* The largest violation of the conditions of the optimum. */
static double largest_violation(const struct decomposition *d) {
    return fmax(d->violation, d->imbalance);
}

/* From z, beta and f: the largest violation of the conditions of the optimum, the imbalance, and J. */
static void test_optimality(struct decomposition *d) {
    struct canonical *c = &d->s.c;
    canonical_scores(c, d->s.f, d->s.beta, d->s.h);
    canonical_residual(c, d->s.z, d->s.residual, d->s.residual + c->functions);
    d->violation = d->imbalance = 0;
    for (int64_t t = 0; t < c->count; t++)
        d->violation = fmax(d->violation, violation(d->s.z[t], c->upper[t],
                                                    c->sign[t] * d->s.h[t % c->rows] + c->p[t]));
    for (int64_t j = 0; j < c->functions; j++)
        d->imbalance = fmax(d->imbalance, fabs(d->s.residual[j]) / c->scale);
    solution_evaluate(&d->s);
    if (!isfinite(d->s.objective))
        d->violation = INFINITY;
    double violation = largest_violation(d);
    if (violation < progress_factor * d->best_violation) {
        d->best_violation = violation;
        d->best_iteration = d->progress_iteration = d->iteration;
    }
}

/* Recomputes f = K theta in doubles and tests the conditions again. */
static int recompute_scores(struct decomposition *d, struct error *e) {
    if (solution_recompute(&d->s, e) != 0)
        return -1;
    test_optimality(d);
    return 0;
}

/* Reports the iteration to the monitor; returns whether to stop. */
static bool report(struct decomposition *d) {
    bool watched = monitor_watched(d->monitor);
    if (watched && d->s.exact) /* with rows of floats f has errors: such a bound is none */
        d->s.bound = fmax(d->s.bound, canonical_bound(&d->s.c, d->s.z, d->s.f, d->s.h));
    struct report report = {.iteration = ++d->iteration,
                            .passes = d->s.passes,
                            .objective = d->s.objective,
                            .bound = fmin(d->s.bound, d->s.objective),
                            .nonzeros = watched ? vector_nonzeros(d->s.theta, d->s.c.rows) : -1,
                            .norm = NAN,
                            .delta = largest_violation(d)};
    d->verdict = monitor_report(d->monitor, &report);
    if (!isfinite(d->s.objective))
        d->verdict = VERDICT_STALLED;
    else if (d->verdict == VERDICT_GO_ON && d->iteration > d->best_iteration + STALL_PATIENCE)
        d->verdict = VERDICT_STALLED;
    else if (d->verdict == VERDICT_GO_ON && solution_is_late(&d->s, d->monitor))
        d->verdict = VERDICT_TIME;
    return d->verdict != VERDICT_GO_ON;
}

/* Whether the rounding of K's rows to floats explains the violation that is left. */
static bool is_limited_by_rounding(const struct decomposition *d) {
    double norm = 0, max_diagonal = 0;
    for (int64_t i = 0; i < d->s.c.rows; i++) {
        norm += fabs(d->s.theta[i]);
        max_diagonal = fmax(max_diagonal, row_cache_diagonal(d->cache)[i]);
    }
    return d->best_violation <= FLT_EPSILON * norm * max_diagonal;
}

/* The reason why progress ended, and a remedy. */
static struct obstacle find_obstacle(const struct decomposition *d) {
    const char *linear = canonical_linear_remedy(&d->s.c),
               *what = is_limited_by_rounding(d) ? "rounding" : "slow convergence";
    if (linear != NULL)
        return obstacle_of(what, linear);
    if (is_limited_by_rounding(d))
        return (struct obstacle){0};
    return obstacle_of(what,
                       d->settings->alone
                           ? "leave --alone out, scale the features, or raise lambda or -e"
                           : "raise --working-set, scale the features, or raise lambda or -e");
}

/* n_B, which may have grown. */
static int visit_size(struct decomposition *d, struct state *state) {
    int64_t low = d->set.capacity, high = max_subproblem_size(d);
    int64_t size = state_integer(state, low, low, high > low ? high : low);
    int status = size > low ? resize(d, size, state_cause(state)) : 0;
    if (status != 0)
        state_fail(state);
    return status;
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct decomposition *d = context;
    solution_visit(&d->s, state);
    if (visit_size(d, state) != 0)
        return;
    working_set_visit(&d->set, d->s.c.count, state);
    subproblem_solver_visit(&d->solver, d->s.c.functions, state);
    STATE_REALS(state, &d->best_violation);
    d->iteration = state_integer(state, d->iteration, 0, INT64_MAX / 2);
    d->best_iteration = state_integer(state, d->best_iteration, 0, d->iteration);
    d->progress_iteration = state_integer(state, d->progress_iteration, 0, d->iteration);
}

/* Reports, and saves the state where that is due; whether another iteration may begin. */
static bool goes_on(struct decomposition *d) {
    solution_keep_best(&d->s);
    if (report(d))
        return false;
    if (monitor_save(d->monitor))
        d->verdict = VERDICT_INTERRUPTED;
    return d->verdict == VERDICT_GO_ON;
}

/* The main loop. */
static int run_iterations(struct decomposition *d, struct error *e) {
    if (solution_measure(&d->s, d->monitor, e) != 0)
        return -1;
    enum checkpoint_entry entry = monitor_enter_run(d->monitor, visit, d, e);
    if (entry == CHECKPOINT_REFUSED ||
        (entry == CHECKPOINT_BEGINS &&
         recompute_scores(d, e) != 0)) /* f, J and violations of the start */
        return -1;
    for (bool reported = entry == CHECKPOINT_GOES_ON; reported || goes_on(d); reported = false) {
        int status = d->settings->alone ? solve_whole_problem(d, e) : solve_subproblem(d, e);
        if (status != 0)
            return -1;
        if (d->verdict != VERDICT_GO_ON)
            return 0;
        test_optimality(d);
        /* A tolerance reached with rows of floats must also hold with f in doubles. */
        if (monitor_optimal(d->monitor, largest_violation(d)) && !d->s.exact &&
            recompute_scores(d, e) != 0)
            return -1;
    }
    return 0;
}

/* ---- the run */

static int decomposition_init(struct decomposition *d, const struct problem *problem,
                              struct error *e) {
    const struct decomposition_settings *settings = d->settings;
    if (solution_init(&d->s, problem, d->monitor->settings.passes, e) != 0)
        return -1;
    int64_t rows = d->s.c.rows, n = d->s.c.functions, min_size = 2 * (n + 1);
    int64_t capacity = settings->working_set == 0 ? FIRST_SIZE : settings->working_set;
    min_size = min_size > MIN_SIZE ? min_size : MIN_SIZE;
    if (working_set_init(&d->set, d->s.c.count, capacity < min_size ? min_size : capacity,
                         settings->max_new, e) != 0)
        return -1;
    int64_t size = d->set.capacity;
    int64_t min_rows = settings->alone || size < SUBPROBLEM_MAX_ROWS ? SUBPROBLEM_MAX_ROWS : size;
    d->cache = row_cache_new(&d->s.c.kernel, &d->s.c.data, settings->cache * MEBIBYTE, min_rows,
                             ROWS_ROUNDED, e);
    d->position = memory_new(rows, sizeof *d->position, "the working set", e);
    if (d->cache == NULL || d->position == NULL || allocate_subproblem(d, e) != 0)
        return -1;
    memset(d->position, -1, sizeof *d->position * (size_t)rows);
    return 0;
}

static void decomposition_free(struct decomposition *d) {
    solution_free(&d->s);
    row_cache_free(d->cache);
    working_set_free(&d->set);
    free_subproblem_memory(d);
    free(d->position);
}

int decomposition_train(const struct solve *solve, enum subproblem_method method, struct error *e) {
    struct decomposition d = {.settings = solve->options,
                              .monitor = solve->monitor,
                              .method = method,
                              .best_violation = INFINITY};
    /* The conditions of the optimum decide here, not the gap. */
    monitor_seek(solve->monitor, CRITERION_OPTIMALITY, monitor_epsilon(solve->monitor));
    int status =
        decomposition_init(&d, solve->problem, e); /* the dual, the cache, the working set */
    if (status == 0) {
        /* Start: from the given theta and beta, or from theta = 0 and the least-squares beta. */
        if (solve->run->warm)
            solution_take(&d.s, solve->w);
        status = run_iterations(&d, e);
    }
    /* The result: theta and beta in w, with J and the bound. */
    if (status == 0)
        status = solution_end(&d.s, d.monitor, d.verdict, solve->w, solve->outcome, e);
    if (status == 0) {
        solve->outcome->iterations = d.iteration;
        if (solve->outcome->verdict != VERDICT_CONVERGED)
            solve->outcome->obstacle = find_obstacle(&d);
    }
    decomposition_free(&d);
    return status;
}
