/* decomposition.c - subproblem after subproblem. */
#include "solvers/kernel_machine/decomposition.h"

#include "io/memory.h"
#include "kernel/row_cache.h"
#include "math/float_rows.h"
#include "solvers/kernel_machine/canonical.h"
#include "solvers/kernel_machine/expansion.h"
#include "solvers/kernel_machine/subproblem_solver.h"
#include "solvers/kernel_machine/working_set.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 1024, /* rows that a thread takes at a time */
    FIRST = 500,  /* n_B, */
    LAST = 4000,  /* and what it grows to */
    SMALL = 10,   /* what it is at least */
    STUCK = 30,   /* iterations without progress before it grows */
    ALONE_ROWS = 512,
    ALONE = 4,     /* steps a variable of the whole problem before it is looked at */
    PATIENCE = 300 /* iterations without progress before the run has stalled */
};

static const double megabyte = 1 << 20;
static const double free_share_to_grow =
    0.6;                                /* of a subproblem's variables off their bounds: it grows */
static const double cache_share = 0.25; /* of the cache's size, for the block of K */

const char *const decomposition_regularizers[] = {"l2", NULL};

struct decomposition {
    const struct decomposition_settings *settings;
    struct monitor *monitor;
    struct canonical c;
    struct row_cache *cache;
    struct working_set set;
    enum subproblem_method kind;
    struct subproblem_solver solver;
    struct subproblem part;

    double *z;              /* of all variables */
    double *f, *h;          /* K theta, K theta + Psi beta: rows */
    double *beta, *balance; /* functions: beta, A z; then room for sizes */
    double *theta;          /* rows */
    double *change;         /* n_B */
    int64_t *index;         /* distinct rows of the set */
    int64_t *place;         /* of each row among them; -1 */
    const float **row;      /* of the distinct ones */
    float *block;           /* n_B x n_B of K */
    const float **block_row;

    double worst, imbalance, objective, bound, passes;
    double best; /* violation */
    int64_t iteration, best_iteration, gain_iteration;
    double *kept; /* z and beta of the least J seen, */
    double least; /* and it */
    bool exact;   /* f was computed anew since z changed */
    enum verdict verdict;
};

/* ---- the subproblem */

/* Rows of K among the set's variables. */
static int get_block(void *opaque, const int64_t *index, int64_t count, const float **row,
                     struct error *e) {
    const struct decomposition *d = opaque;
    (void)e;
    for (int64_t k = 0; k < count; k++)
        row[k] = d->block_row[index[k]];
    return 0;
}

static int get_cached(void *opaque, const int64_t *index, int64_t count, const float **row,
                      struct error *e) {
    struct decomposition *d = opaque;
    d->passes += (double)count / (double)d->c.rows;
    return row_cache_get(d->cache, index, count, row, e);
}

/* Whether COUNT rows more stay within the limit of passes; otherwise the run is over. */
static bool affords(struct decomposition *d, int64_t count) {
    double passes = d->passes + (double)count / (double)d->c.rows;
    if (passes <= d->monitor->settings.passes)
        return true;
    d->verdict = VERDICT_PASSES;
    return false;
}

/* The rows that the limit leaves. */
static int64_t rows_left(const struct decomposition *d) {
    double rows = (d->monitor->settings.passes - d->passes) * (double)d->c.rows;
    return rows < (double)INT64_MAX / 2 ? (int64_t)fmax(0, rows) : INT64_MAX / 2;
}

/* The most rows that a subproblem solver takes of the whole problem between two looks at the clock: its steps
 * ALONE_ROWS, its free set each row three times, as it joins, moves, and as the slopes follow at the end. */
static int64_t rows_between_looks(const struct decomposition *d) {
    return ALONE_ROWS + 3 * d->c.rows;
}

static bool is_stopped(void *opaque) {
    const struct decomposition *d = opaque;
    return monitor_poll(d->monitor) != VERDICT_GO_ON ||
           (d->settings->alone && rows_left(d) < rows_between_looks(d));
}

/* Variable t of the problem becomes variable k of the part. */
static void load_variable(struct decomposition *d, int64_t t, int64_t k) {
    struct subproblem *s = &d->part;
    int64_t i = t % d->c.rows, n = d->c.functions;
    s->z[k] = d->z[t];
    s->sign[k] = d->c.sign[t];
    s->upper[k] = d->c.upper[t];
    s->diagonal[k] = row_cache_diagonal(d->cache)[i];
    s->gradient[k] = d->c.sign[t] * d->h[i] + d->c.p[t];
    for (int64_t j = 0; j < n; j++)
        s->a[k * n + j] = d->c.sign[t] * d->c.psi[i * n + j];
}

static void load_multipliers(struct decomposition *d) {
    struct subproblem *s = &d->part;
    for (int64_t j = 0; j < d->c.functions; j++) {
        s->eta[j] = d->beta[j];
        s->residual[j] = d->balance[j];
        s->scale[j] = d->c.scale;
    }
}

static int64_t find_distinct(struct decomposition *d) {
    int64_t distinct = 0;
    for (int64_t k = 0; k < d->set.size; k++) {
        int64_t i = d->set.member[k] % d->c.rows;
        if (d->place[i] < 0) {
            d->place[i] = distinct;
            d->index[distinct++] = i;
        }
    }
    return distinct;
}

/* The block of K, with a row a variable. */
static void load_block(struct decomposition *d) {
    int64_t size = d->set.size;
#pragma omp parallel for schedule(static) if (size > 100)
    for (int64_t k = 0; k < size; k++) {
        const float *row = d->row[d->place[d->set.member[k] % d->c.rows]];
        for (int64_t l = 0; l < size; l++)
            d->block[k * size + l] = row[d->set.member[l] % d->c.rows];
    }
    for (int64_t k = 0; k < size; k++)
        d->block_row[k] = d->block + k * size;
}

static void load_part(struct decomposition *d) {
    d->part.count = d->part.rows = d->set.size;
    for (int64_t k = 0; k < d->set.size; k++)
        load_variable(d, d->set.member[k], k);
    load_multipliers(d);
    load_block(d);
}

/* z of the set and beta; change[k] of theta at the distinct rows. */
static void store_part(struct decomposition *d, int64_t distinct) {
    memset(d->change, 0, sizeof *d->change * (size_t)distinct);
    for (int64_t k = 0; k < d->set.size; k++) {
        int64_t t = d->set.member[k];
        d->change[d->place[t % d->c.rows]] += d->c.sign[t] * (d->part.z[k] - d->z[t]);
        d->z[t] = d->part.z[k];
    }
    memcpy(d->beta, d->part.eta, sizeof *d->beta * (size_t)d->c.functions);
}

/* f += K change, of the rows where it is not 0. */
static void update_scores(struct decomposition *d, int64_t distinct) {
    int64_t count = 0, rows = d->c.rows;
    for (int64_t k = 0; k < distinct; k++) {
        d->place[d->index[k]] = -1;
        if (d->change[k] == 0)
            continue;
        d->change[count] = d->change[k];
        d->row[count++] = d->row[k];
    }
#pragma omp parallel for schedule(static) if (rows * count > 20000)
    for (int64_t from = 0; from < rows; from += BLOCK)
        float_add_rows(d->f, d->change, d->row, count, from,
                       from + BLOCK < rows ? from + BLOCK : rows);
    d->passes += (double)count / (double)rows;
    d->exact &= count == 0;
}

/* ---- growth */

static void free_part(struct decomposition *d) {
    subproblem_solver_free(&d->solver);
    subproblem_free(&d->part);
    free(d->index);
    free(d->row);
    free(d->change);
    free(d->block);
    d->index = NULL;
    d->row = NULL;
    d->change = NULL;
    d->block = NULL;
}

/* Room for subproblems of n_B variables, or for the whole. */
static int make_part(struct decomposition *d, struct error *e) {
    bool alone = d->settings->alone;
    int64_t size = d->set.most, part = alone ? d->c.count : size, n = d->c.functions;
    d->index = memory_new(size, sizeof *d->index, "the working set", e);
    d->row = memory_new(2 * size, sizeof *d->row, "the working set", e);
    d->change = memory_new(size, sizeof *d->change, "the working set", e);
    if (!alone)
        d->block = memory_new(size, (size_t)size * sizeof *d->block, "the subproblem", e);
    if (d->index == NULL || d->row == NULL || d->change == NULL || (d->block == NULL && !alone) ||
        subproblem_init(&d->part, part, n, e) != 0 ||
        subproblem_solver_init(&d->solver, d->kind, part, n, d->settings, e) != 0)
        return -1;
    d->block_row = d->row + size;
    d->part.get = alone ? get_cached : get_block;
    d->part.opaque = d;
    d->part.stop = is_stopped;
    d->part.stopper = d;
    return 0;
}

static int64_t largest_part(const struct decomposition *d) {
    int64_t largest = (int64_t)sqrt(cache_share * d->settings->cache * megabyte / sizeof *d->block);
    int64_t slots = row_cache_slots(d->cache);
    largest = largest < LAST ? largest : LAST;
    largest = largest < slots ? largest : slots;
    return largest < d->c.count ? largest : d->c.count;
}

/* Whether n_B is to double: the free variables crowd the set, or nothing has been gained for long. */
static bool is_cramped(struct decomposition *d) {
    int64_t inside = 0;
    if (d->iteration > d->gain_iteration + STUCK) {
        d->gain_iteration = d->iteration;
        return true;
    }
    if (d->settings->working_set > 0)
        return false;
    for (int64_t k = 0; k < d->set.size; k++)
        inside += subproblem_inside(&d->part, k);
    return (double)inside >= free_share_to_grow * (double)d->set.most;
}

static int grow(struct decomposition *d, struct error *e) {
    int64_t largest = largest_part(d);
    if (!is_cramped(d) || d->set.most >= largest)
        return 0;
    free_part(d);
    int64_t most = 2 * d->set.most < largest ? 2 * d->set.most : largest;
    return working_set_grow(&d->set, most, e) != 0 ? -1 : make_part(d, e);
}

static int solve_part(struct decomposition *d, struct error *e) {
    working_set_choose(&d->set, &d->c, d->z, d->h);
    int64_t distinct = find_distinct(d);
    if (!affords(d, distinct))
        return 0;
    if (row_cache_get(d->cache, d->index, distinct, d->row, e) != 0)
        return -1;
    load_part(d);
    if (subproblem_solver_solve(&d->solver, &d->part, d->monitor->tolerance / 2, INT64_MAX, false,
                                e) < 0)
        return -1;
    store_part(d, distinct);
    update_scores(d, distinct);
    return grow(d, e);
}

/* ---- alone */

static void load_all(struct decomposition *d) {
    d->part.count = d->c.count;
    d->part.rows = d->c.rows;
    for (int64_t t = 0; t < d->c.count; t++)
        load_variable(d, t, t);
    load_multipliers(d);
}

/* Some steps; f is what the gradient says. */
static int solve_all(struct decomposition *d, struct error *e) {
    int64_t steps = rows_left(d) / SUBPROBLEM_ROWS_MOST, most = ALONE * d->c.count;
    if (!affords(d, rows_between_looks(d)))
        return 0;
    load_all(d);
    if (subproblem_solver_solve(&d->solver, &d->part, d->monitor->tolerance / 2,
                                steps < most ? steps : most, d->iteration > 1, e) < 0)
        return -1;
    memcpy(d->z, d->part.z, sizeof *d->z * (size_t)d->c.count);
    memcpy(d->beta, d->part.eta, sizeof *d->beta * (size_t)d->c.functions);
    for (int64_t i = 0; i < d->c.rows; i++)
        d->f[i] = d->c.sign[i] * (d->part.gradient[i] - d->c.p[i]) -
                  vector_dot(d->c.psi + i * d->c.functions, d->beta, d->c.functions);
    d->exact = false;
    return 0;
}

/* ---- the state of the whole */

/* The largest violation of the conditions. */
static double largest_violation(const struct decomposition *d) {
    return fmax(d->worst, d->imbalance);
}

/* What the conditions say of z, beta and f. */
static void assess(struct decomposition *d) {
    struct canonical *c = &d->c;
    canonical_scores(c, d->f, d->beta, d->h);
    canonical_products(c, d->z, d->balance, d->balance + c->functions);
    d->worst = d->imbalance = 0;
    for (int64_t t = 0; t < c->count; t++)
        d->worst = fmax(d->worst,
                        violation(d->z[t], c->upper[t], c->sign[t] * d->h[t % c->rows] + c->p[t]));
    for (int64_t j = 0; j < c->functions; j++)
        d->imbalance = fmax(d->imbalance, fabs(d->balance[j]) / c->scale);
    canonical_theta(c, d->z, d->theta);
    d->objective = canonical_objective(c, d->theta, d->f, d->h);
    if (!isfinite(d->objective))
        d->worst = INFINITY;
    double now = largest_violation(d);
    if (now < 0.99 * d->best) {
        d->best = now;
        d->best_iteration = d->gain_iteration = d->iteration;
    }
}

static int recompute(struct decomposition *d, struct error *e) {
    canonical_theta(&d->c, d->z, d->theta);
    if (expansion_scores(&d->c.kernel, &d->c.data, d->theta, d->f, e) != 0)
        return -1;
    bool begins = vector_nonzeros(d->theta, d->c.rows) == 0;     /* with scores of 0 */
    if (!begins && d->passes + 1 <= d->monitor->settings.passes) /* or else it is the result's */
        d->passes += 1;
    d->exact = true;
    assess(d);
    return 0;
}

/* Tells the monitor; whether to stop. */
static bool report(struct decomposition *d) {
    bool watched = monitor_watched(d->monitor);
    if (watched)
        d->bound = fmax(d->bound, canonical_bound(&d->c, d->z, d->f));
    struct report report = {.iteration = ++d->iteration,
                            .passes = d->passes,
                            .objective = d->objective,
                            .bound = fmin(d->bound, d->objective),
                            .nonzeros = watched ? vector_nonzeros(d->theta, d->c.rows) : -1,
                            .norm = NAN,
                            .delta = largest_violation(d)};
    d->verdict = monitor_report(d->monitor, &report);
    if (!isfinite(d->objective))
        d->verdict = VERDICT_STALLED;
    else if (d->verdict == VERDICT_GO_ON && d->iteration > d->best_iteration + PATIENCE)
        d->verdict = VERDICT_STALLED;
    return d->verdict != VERDICT_GO_ON;
}

static void keep_least(struct decomposition *d) {
    if (!(d->objective < d->least))
        return;
    d->least = d->objective;
    memcpy(d->kept, d->z, sizeof *d->z * (size_t)d->c.count);
    memcpy(d->kept + d->c.count, d->beta, sizeof *d->beta * (size_t)d->c.functions);
}

/* J of z and beta as they are given out, into w, with the bound of z: of f anew, in doubles. */
static int settle(struct decomposition *d, double *w, struct error *e) {
    if (!d->exact && recompute(d, e) != 0)
        return -1;
    memcpy(w, d->theta, sizeof *w * (size_t)d->c.rows);
    orthogonal_leave(&d->c.span, d->beta, w + d->c.rows);
    canonical_given_scores(&d->c, d->f, w + d->c.rows, d->h);
    d->objective = canonical_objective(&d->c, d->theta, d->f, d->h);
    d->bound = fmax(d->bound, canonical_bound(&d->c, d->z, d->f));
    return 0;
}

/* The last iterate, or where it is not the optimum the best one. Bounds on the way were of rounded rows. */
static int finish(struct decomposition *d, double *w, struct error *e) {
    d->bound = 0;
    if (settle(d, w, e) != 0)
        return -1;
    if (d->verdict == VERDICT_CONVERGED || !(d->least < d->objective))
        return 0;
    memcpy(d->z, d->kept, sizeof *d->z * (size_t)d->c.count);
    memcpy(d->beta, d->kept + d->c.count, sizeof *d->beta * (size_t)d->c.functions);
    d->exact = false;
    return settle(d, w, e);
}

/* Whether it is the rounding of K's rows to floats that ended progress. */
static bool is_rounded(const struct decomposition *d) {
    double size = 0, most = 0;
    for (int64_t i = 0; i < d->c.rows; i++) {
        size += fabs(d->theta[i]);
        most = fmax(most, row_cache_diagonal(d->cache)[i]);
    }
    return d->best <= FLT_EPSILON * size * most;
}

/* The solver of the same problem over the weights of a linear model; NULL: it is not that of one. */
static const char *name_linear(const struct decomposition *d) {
    const struct basis *basis = d->c.problem->kernel->basis;
    bool constant = basis->count == 1 && basis->function[0].column < 0;
    if (d->c.kernel.kind != KERNEL_LINEAR || !(constant || basis->count == 0))
        return NULL;
    return constant ? "use -s ipm --intercept: the kernel is linear"
                    : "use -s ipm: the kernel is linear";
}

/* What ended progress, and what helps. */
static struct obstacle find_obstacle(const struct decomposition *d) {
    const char *linear = name_linear(d), *what = is_rounded(d) ? "rounding" : "slow convergence";
    if (linear != NULL)
        return (struct obstacle){what, linear};
    if (is_rounded(d))
        return (struct obstacle){0};
    return (struct obstacle){
        what, d->settings->alone
                  ? "leave --alone out, scale the features, or raise lambda or -e"
                  : "raise --working-set, scale the features, or raise lambda or -e"};
}

static int run_iterations(struct decomposition *d, struct error *e) {
    if (recompute(d, e) != 0)
        return -1;
    for (keep_least(d); !report(d); keep_least(d)) {
        int status = d->settings->alone ? solve_all(d, e) : solve_part(d, e);
        if (status != 0)
            return -1;
        if (d->verdict != VERDICT_GO_ON)
            return 0;
        assess(d);
        if (monitor_optimal(d->monitor, largest_violation(d)) && !d->exact && recompute(d, e) != 0)
            return -1;
    }
    return 0;
}

/* ---- the run */

static int decomposition_init(struct decomposition *d, const struct problem *problem,
                              struct error *e) {
    const struct decomposition_settings *settings = d->settings;
    if (canonical_init(&d->c, problem, e) != 0)
        return -1;
    int64_t rows = d->c.rows, n = d->c.functions, small = 2 * (n + 1);
    int64_t most = settings->working_set == 0 ? FIRST : settings->working_set;
    small = small > SMALL ? small : SMALL;
    if (working_set_init(&d->set, d->c.count, most < small ? small : most, settings->fresh, e) != 0)
        return -1;
    int64_t size = d->set.most;
    int64_t least = settings->alone || size < SUBPROBLEM_ROWS_MOST ? SUBPROBLEM_ROWS_MOST : size;
    d->cache = row_cache_new(&d->c.kernel, &d->c.data, settings->cache * megabyte, least, e);
    d->z = memory_zeroed(d->c.count, sizeof *d->z, "the dual variables", e);
    d->f = memory_zeroed(3 * rows, sizeof *d->f, "scores", e);
    d->beta = memory_zeroed(3 * n, sizeof *d->beta, "the multipliers", e);
    d->place = memory_new(rows, sizeof *d->place, "the working set", e);
    d->kept = memory_new(d->c.count + n, sizeof *d->kept, "the best solution", e);
    if (d->kept == NULL || d->cache == NULL || d->z == NULL || d->f == NULL || d->beta == NULL ||
        d->place == NULL || make_part(d, e) != 0)
        return -1;
    d->h = d->f + rows;
    d->theta = d->h + rows;
    d->balance = d->beta + n;
    memset(d->place, -1, sizeof *d->place * (size_t)rows);
    return 0;
}

static void decomposition_free(struct decomposition *d) {
    canonical_free(&d->c);
    row_cache_free(d->cache);
    working_set_free(&d->set);
    free_part(d);
    free(d->z);
    free(d->f);
    free(d->beta);
    free(d->place);
    free(d->kept);
}

int decomposition_train(const struct solve *solve, enum subproblem_method method, struct error *e) {
    struct decomposition d = {.settings = solve->options,
                              .monitor = solve->monitor,
                              .kind = method,
                              .bound = 0, /* no loss is below */
                              .best = INFINITY,
                              .least = INFINITY};
    monitor_seek(solve->monitor, CRITERION_OPTIMALITY, solve->monitor->settings.epsilon);
    int status = decomposition_init(&d, solve->problem, e);
    if (status == 0) {
        if (solve->run->warm) {
            orthogonal_enter(&d.c.span, solve->w + d.c.rows, d.beta);
            canonical_variables(&d.c, solve->w, d.z);
        } else
            canonical_fit(&d.c, d.beta);
        status = run_iterations(&d, e);
    }
    if (status == 0)
        status = finish(&d, solve->w, e);
    if (status == 0 && !isfinite(d.objective))
        status =
            error_set(e, "the objective is beyond all numbers; scale the data or raise lambda");
    if (status == 0) {
        *solve->outcome = (struct outcome){
            .objective = d.objective,
            .bound = fmin(d.bound, d.objective),
            .passes = d.passes,
            .iterations = d.iteration,
            .verdict = d.verdict,
            .obstacle = d.verdict == VERDICT_CONVERGED ? (struct obstacle){0} : find_obstacle(&d)};
    }
    decomposition_free(&d);
    return status;
}
