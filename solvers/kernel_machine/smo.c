/* smo.c - the solver smo: kernel machines by pairs of variables within loosely solved working sets.
 *
 * The dual (canonical.h), in the variables beta_t = s_t z_t, is
 *
 *     minimize over beta:  1/2 beta'K beta + sum_t s_t p_t beta_t   over  sum_t beta_t psi(x_t) = 0,
 *                                                                 beta_t between 0 and s_t C_t
 *
 * With g_t = -(f_t + psi_t'eta + s_t p_t), f = K theta, beta is optimal if no g_t of a variable that can rise exceeds
 * any of one that can fall. The largest excess, the gap, is LIBSVM's measure of optimality; the coefficient of the
 * constant is between the two. An iteration:
 *
 *   1. computes g and the gap from f (smo_optimality.h); stops if it is at most -e, and so is the certified relative
 *      gap of the weights or of a multiple of them (smo_multiple.h);
 *   2. chooses q variables, half of them new ones that violate most (smo_working_set.h);
 *   3. gathers their kernel values from cached rows of K, and moves pairs until their own gap has fallen to a tenth
 *      (smo_block.h, smo_subproblem.h). Equations beside that of the constant are met by multipliers
 *      (smo_multipliers.h). Pairs that converge slowly give way to Newton steps (smo_newton.h);
 *   4. adds K times the change to f.
 *
 * Where that makes no progress, or has cost as many operations as interior points would, these end the run
 * (smo_interior.h): with all of K, if the rows are not too many, or with a K of low rank, if one is near. If they fail,
 * pairs go on from the best solution.
 *
 * A few thousand pairs on values side by side in memory cost less than one row of K. q starts at an eighth of the
 * variables, 128 to 512, and doubles, up to 6144, as long as the free variables are more than fit. Rows of K are
 * floats; once the gap is small enough, f is recomputed in doubles. A bound that is reported is of such an f, and so
 * are the gap and J at the end. Rows are computed in floats, too, until that f or the Newton steps show that floats are
 * too coarse for the data.
 *
 * Reference: Fan, Chen & Lin 2005, Working set selection using second order information for training support vector
 * machines, JMLR 6; Joachims 1999, Making large-scale SVM learning practical; Zanni, Serafini & Zanghirati 2006,
 * Parallel software for training large scale support vector machines on multiprocessor systems, JMLR 7. Cost of an
 * iteration: n kernel values for each new row, n q to update f, q numbers twice for each pair. Memory: the cache, of
 * which q^2 floats are the block's, and at most 200 bytes a row. */
#include "io/memory.h"
#include "math/vector.h"
#include "solvers/kernel_machine/smo_interior.h"
#include "solvers/kernel_machine/smo_multiple.h"
#include "solvers/kernel_machine/smo_optimality.h"
#include "solvers/kernel_machine/smo_subproblem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_SHARE = 8,       /* q at the start: a part of the variables, */
    FIRST_LEAST = 128,     /* at least this, */
    FIRST_MOST = 512,      /* and at most this */
    MAX_SIZE = 6144,       /* the largest q */
    MIN_SIZE = 10,         /* the smallest q */
    SIZE_PER_EQUATION = 2, /* and so many variables for each equation */
    FEW_ROWS = 128,        /* up to so many are solved to a part of -e */
    MIN_ROWS = 16,         /* rows that the cache holds at least */
    GROWTH_INTERVAL = 4,   /* iterations between two growths of q, */
    GROWTH_PATIENCE = 40,  /* after which it grows in any case */
    STALL_PATIENCE = 200,  /* iterations without progress that end the run; */
    SHORT_PATIENCE = 30,   /* the same if no weights were better than the first, and interior points
                            * suit; or these have failed */
    FIRST_RANK = 32        /* of K in interior points; then twice as many */
};

static const double block_share = 0.25; /* of the cache's size: limit of the block */
static const double few_rows_share = 1e-4;
static const double float_margin = 0.9;   /* of -e: the gap at which f is recomputed in doubles */
static const double multiple_margin = 10; /* of -e: the violation below which multiples are tried */
static const double max_drift = 10; /* growth of the violation by f in doubles that refines K */
static const double progress_factor = 0.99;   /* progress: a measure below this times its best */
static const double penalty_share = 0.1;      /* of the mean of K's diagonal: rho at least */
static const double max_penalty_growth = 1e3; /* of rho */
/* Of sum theta_i^2 K_ii: theta'K theta that is 0 but for the rounding of doubles, and of floats. */
static const double zero_square = 1e-13, small_square = 1e-6;
static const float max_score = 1e-2F * SMO_PAIRS_BARRED;

struct smo_settings {
    double cache; /* MB */
    int64_t working_set;
};

struct smo {
    const struct smo_settings *settings;
    struct monitor *monitor;
    struct solution s;
    struct smo_multipliers m;
    struct smo_subproblem p;
    struct smo_optimality at;
    double certified; /* the largest bound so far that is of an f in doubles */
    double
        next_exact; /* the violation at which f is recomputed next, if it is within the tolerance */
    double best_violation, best_certified; /* the smallest violation and J - bound so far */
    double first_objective;
    int64_t rank;     /* of the next interior points with a K of low rank; 0: no more of them */
    bool tried_whole; /* whether interior points with all of K have failed, */
    bool solved;      /* or have solved the problem, with any K */
    int64_t iteration, progress_iteration, growth_iteration;
    enum verdict verdict;
};

/* ---- optimality */

/* By what a run ends: the violation alone proves little where J is nearly 0. If K may be indefinite, no bound is known;
 * then it decides alone. */
static enum criterion criterion_of(const struct kernel *kernel) {
    return kernel_is_semidefinite(kernel) ? CRITERION_BOTH : CRITERION_OPTIMALITY;
}

/* Whether an iterate with a rounded f seems optimal, so far as it can be seen at each halving of the violation; a gap
 * below 0 shows that f has drifted. */
static bool seems_reached(struct smo *o) {
    return (monitor_optimal(o->monitor, o->at.violation / float_margin) &&
            o->at.violation <= o->next_exact) ||
           o->s.objective - o->s.bound <=
               float_margin * monitor_gap_alone(o->monitor, o->s.objective);
}

/* Progress is made if the violation or J - bound falls. */
static void note_progress(struct smo *o) {
    double certified = fmax(0, o->s.best_objective - o->s.bound); /* below 0 if f has drifted */
    if (o->at.violation < progress_factor * o->best_violation ||
        certified < progress_factor * o->best_certified)
        o->progress_iteration = o->iteration;
    o->best_violation = fmin(o->best_violation, o->at.violation);
    o->best_certified = fmin(o->best_certified, certified);
}

/* Whether a multiple of the weights may have a gap within the tolerance where they themselves have not. */
static bool wants_multiple(const struct smo *o, double objective, double bound) {
    return o->s.c.learned == LEARNS_NOTHING && kernel_is_semidefinite(&o->s.c.kernel) &&
           monitor_optimal(o->monitor, o->at.violation / multiple_margin) &&
           !monitor_closes(o->monitor, objective, bound);
}

/* The violation of the iterate, the bound, and J, or that of the best multiple. */
static void evaluate(struct smo *o) {
    struct solution *s = &o->s;
    smo_optimality_evaluate(&o->at, s, &o->m);
    s->bound = fmax(s->bound, canonical_bound(&s->c, s->z, s->f, s->h));
    if (wants_multiple(o, s->objective, s->bound))
        (void)smo_multiple(&s->c, s->theta, s->f, s->h, &s->objective);
}

/* The iterate with f in doubles. If it is far from optimal, rows of K in floats are too coarse for the data. */
static int recompute(struct smo *o, struct error *e) {
    double violation = fmax(o->at.violation, o->monitor->tolerance);
    if (solution_recompute(&o->s, e) != 0)
        return -1;
    o->s.bound = o->s.c.least; /* others are of an f in floats */
    evaluate(o);
    if (monitor_optimal(o->monitor, o->at.violation))
        o->next_exact = o->at.violation / 2;
    if (o->at.violation > max_drift * violation && smo_subproblem_refine(&o->p))
        o->s.best_objective = INFINITY; /* was of an f as coarse */
    return 0;
}

/* Evaluates the iterate; one that seems optimal also with f in doubles. */
static int test_optimality(struct smo *o, struct error *e) {
    evaluate(o);
    if (!o->s.exact && seems_reached(o) && recompute(o, e) != 0)
        return -1;
    if (o->s.exact) {
        o->certified = fmax(o->certified, o->s.bound);
        o->s.proved = fmax(o->s.proved, o->s.bound - solution_rounding(&o->s));
    }
    if (o->s.exact || o->s.objective >= o->certified) /* else f has drifted */
        solution_keep_best(&o->s);
    note_progress(o);
    return 0;
}

/* Whether theta'K theta is at most SHARE of its diagonal part where a margin is learned: if it is 0 to rounding, the
 * optimum is J = 0, with the margin 0, which has no scale. */
static bool has_no_margin(const struct smo *o, double share) {
    const struct solution *s = &o->s;
    const double *diagonal = row_cache_diagonal(o->p.cache);
    double square = 0;
    if (s->c.learned != LEARNS_MARGIN && s->c.learned != LEARNS_LEVEL)
        return false;
    for (int64_t i = 0; i < s->c.rows; i++)
        square += s->theta[i] * s->theta[i] * diagonal[i];
    return -s->bound <= share * s->c.problem->lambda / 2 * square;
}

/* ---- interior points */

static bool whole_suits(const struct smo *o) {
    return !o->tried_whole && smo_interior_suits(&o->s.c, o->settings->cache * MEBIBYTE);
}

static bool low_rank_suits(const struct smo *o) {
    return smo_interior_suits_low(&o->s.c, o->rank, o->settings->cache * MEBIBYTE);
}

/* Whether interior points are the better way: these iterations have cost as much as they would from the start to the
 * end, so that both together cost at most twice the cheaper one of the two; or no weights were better than the first
 * for a while. */
static bool whole_is_due(const struct smo *o) {
    int64_t waited = o->iteration - o->progress_iteration;
    bool dear = o->p.operations > smo_interior_operations(&o->s.c);
    bool idle = waited > SHORT_PATIENCE && o->s.best_objective >= o->first_objective;
    return (dear || idle) && whole_suits(o);
}

/* The same with a K of low rank, which costs little to try. */
static bool low_rank_is_due(const struct smo *o) {
    return low_rank_suits(o) && o->p.operations > smo_interior_low_operations(&o->s.c, o->rank);
}

/* The best solution, for pairs to go on from. */
static int resume(struct smo *o, struct error *e) {
    struct solution *s = &o->s;
    solution_take_best(s);
    if (!canonical_repair(&s->c, s->z) && canonical_start(&s->c, s->z, e) != 0)
        return -1;
    smo_multipliers_take(&o->m, s->beta);
    o->certified = fmax(o->certified, s->proved);
    o->best_violation = o->best_certified = INFINITY;
    o->next_exact = INFINITY;
    o->progress_iteration = o->iteration;
    if (o->tried_whole) /* J of rows in floats could seem to be less than that of the best one */
        smo_subproblem_refine(&o->p);
    return smo_subproblem_scores(&o->p, e);
}

/* Interior points, with a K of low rank if `low`. If they have solved it the verdict says that the run is to end, with
 * the best solution; else pairs can go on. */
static int try_interior(struct smo *o, bool low, struct error *e) {
    enum interior_end end = low ? smo_interior_solve_low(&o->s, &o->rank, o->monitor, e)
                                : smo_interior_solve(&o->s, o->monitor, e);
    o->tried_whole |= !low;
    if (end == INTERIOR_ERROR || end == INTERIOR_UNTRIED)
        return end;
    o->solved = end == INTERIOR_SOLVED;
    enum verdict verdict = monitor_poll(o->monitor);
    if (o->solved)
        o->verdict = VERDICT_STALLED;
    else if (verdict != VERDICT_GO_ON)
        o->verdict = verdict;
    else
        return resume(o, e);
    return 0;
}

/* ---- the end */

/* Whether there was no progress for long, nor a finer K to be had. */
static bool has_stalled(struct smo *o) {
    int64_t waited = o->iteration - o->progress_iteration;
    if (waited <= (o->tried_whole ? SHORT_PATIENCE : STALL_PATIENCE))
        return false;
    o->progress_iteration = o->iteration;
    return !smo_subproblem_refine(&o->p);
}

/* Reports the iterate to the monitor; returns whether to stop. */
static bool report(struct smo *o) {
    struct solution *s = &o->s;
    bool watched = monitor_watched(o->monitor);
    struct report report = {.iteration = ++o->iteration,
                            .passes = s->passes,
                            .objective = s->objective,
                            .bound = fmin(o->certified, s->objective),
                            .nonzeros = watched ? vector_nonzeros(s->theta, s->c.rows) : -1,
                            .norm = NAN,
                            .delta = o->at.violation,
                            .inexact = !s->exact || has_no_margin(o, zero_square)};
    o->verdict = monitor_report(o->monitor, &report);
    if (!isfinite(s->objective) || !(smo_optimality_gap(&o->at, &o->s.c) < max_score))
        o->verdict = VERDICT_STALLED;
    else if (o->verdict == VERDICT_GO_ON && has_no_margin(o, zero_square))
        o->verdict = VERDICT_STALLED;
    else if (o->verdict == VERDICT_GO_ON && has_stalled(o))
        o->verdict = VERDICT_STALLED;
    else if (o->verdict == VERDICT_GO_ON && solution_is_late(s, o->monitor))
        o->verdict = VERDICT_TIME;
    return o->verdict != VERDICT_GO_ON;
}

/* ---- the loop */

/* The q at which growth ends. */
static int64_t max_size(const struct smo_settings *settings, int64_t count) {
    int64_t largest = (int64_t)sqrt(block_share * settings->cache * MEBIBYTE / sizeof(float));
    largest = largest < MAX_SIZE ? largest : MAX_SIZE;
    largest = largest > FIRST_MOST ? largest : FIRST_MOST;
    return largest < count ? largest : count;
}

/* Raises q while most of the free variables do not fit, or after a long time without an end; a given q, after a long
 * time without progress. */
static int grow(struct smo *o, struct error *e) {
    int64_t size = o->p.set.capacity, largest = max_size(o->settings, o->s.c.count);
    int64_t waited = o->iteration - o->growth_iteration;
    bool crowded = o->at.free > size && waited >= GROWTH_INTERVAL;
    bool given = o->settings->working_set > 0, late = waited >= GROWTH_PATIENCE,
         stuck = late && o->iteration - o->progress_iteration >= GROWTH_PATIENCE;
    if (size >= largest || !(given ? stuck : crowded || late))
        return 0;
    o->growth_iteration = o->iteration;
    o->progress_iteration = o->iteration;
    int64_t wanted = o->at.free + o->at.free / 4, least = size + size / 2;
    wanted = wanted < least ? least : wanted > 2 * size ? 2 * size : wanted;
    return smo_subproblem_grow(&o->p, wanted < largest ? wanted : largest, e);
}

/* Chooses a subproblem and gathers it. */
static int load(struct smo *o, struct error *e) {
    double highest = o->at.highest[0], lowest = o->at.lowest[0];
    if (canonical_has_two_sums(&o->s.c)) {
        highest = smo_optimality_level(&o->at, &o->s.c);
        lowest = -highest;
    }
    return smo_subproblem_load(&o->p, o->at.g, o->at.moves, highest, lowest, e);
}

/* One iteration: a subproblem. */
static int improve(struct smo *o, struct error *e) {
    if (low_rank_is_due(o))
        return try_interior(o, true, e);
    if (whole_is_due(o))
        return try_interior(o, false, e);
    if (grow(o, e) != 0)
        return -1;
    double rows = (double)o->p.set.capacity / (double)o->s.c.rows;
    if (o->s.passes + rows > o->monitor->settings.passes) {
        o->verdict = VERDICT_PASSES;
        return 0;
    }
    int status = load(o, e);
    if (status <= 0) {
        o->verdict = monitor_poll(o->monitor);
        return status;
    }
    return smo_subproblem_solve(&o->p, fmin(o->monitor->tolerance, o->at.violation), e);
}

/* After a report. */
static void visit(struct state *state, void *context) {
    struct smo *o = context;
    solution_visit(&o->s, state);
    smo_multipliers_visit(&o->m, state);
    smo_subproblem_visit(&o->p, state);
    smo_optimality_visit(&o->at, o->s.c.count, state);
    STATE_REALS(state, &o->certified, &o->next_exact, &o->best_violation, &o->best_certified,
                &o->first_objective);
    o->iteration = state_integer(state, o->iteration, 0, INT64_MAX);
    o->rank = state_integer(state, o->rank, 0, INT64_MAX);
    o->tried_whole = state_flag(state, o->tried_whole);
    o->progress_iteration = state_integer(state, o->progress_iteration, 0, INT64_MAX);
    o->growth_iteration = state_integer(state, o->growth_iteration, 0, INT64_MAX);
}

/* Reports, and saves the state where that is due; whether another iteration may begin. */
static bool goes_on(struct smo *o) {
    if (report(o))
        return false;
    if (monitor_save(o->monitor))
        o->verdict = VERDICT_INTERRUPTED;
    return o->verdict == VERDICT_GO_ON;
}

static int run_iterations(struct smo *o, struct error *e) {
    if (solution_measure(&o->s, o->monitor, e) != 0)
        return -1;
    enum checkpoint_entry entry = monitor_enter_run(o->monitor, visit, o, e);
    if (entry == CHECKPOINT_REFUSED ||
        (entry == CHECKPOINT_BEGINS &&
         (smo_subproblem_scores(&o->p, e) != 0 || test_optimality(o, e) != 0)))
        return -1;
    if (entry == CHECKPOINT_BEGINS)
        o->first_objective = o->s.objective;
    for (bool reported = entry == CHECKPOINT_GOES_ON; reported || goes_on(o); reported = false) {
        if (improve(o, e) != 0)
            return -1;
        if (o->verdict != VERDICT_GO_ON)
            return 0;
        if (test_optimality(o, e) != 0)
            return -1;
    }
    return 0;
}

/* ---- memory */

static const double bytes_of_row = 200; /* beside the cache */

/* The cache is filled as far as rows are used; it gets what the largest block would leave, and blocks begin small. */
static double bytes(const struct scalar_terms *terms, const void *options) {
    const struct smo_settings *settings = options;
    double rows = (double)terms->design->rows, whole = rows * rows * sizeof(float);
    double least = fmin(rows, MIN_ROWS) * rows * sizeof(float);
    double block = (double)max_size(settings, terms->design->rows);
    double room = settings->cache * MEBIBYTE - block * block * sizeof(float);
    return fmax(least, fmin(room, whole)) + bytes_of_row * rows;
}

/* ---- the run */

/* rho: a part of K's diagonal, or more if C is so small that K hardly matters. */
static double penalty(const struct smo *o) {
    const struct canonical *c = &o->s.c;
    const double *diagonal = row_cache_diagonal(o->p.cache);
    double sum = 0, size = 0;
    for (int64_t i = 0; i < c->rows; i++)
        sum += diagonal[i];
    for (int64_t t = 0; t < c->count; t++)
        size += c->upper[t];
    return fmax(penalty_share * sum / (double)c->rows, size > 0 ? 1 / (penalty_share * size) : 0);
}

/* q at the start. Fewer variables than two for each equation could not move at all. */
static int64_t first_size(const struct smo *o) {
    const struct canonical *c = &o->s.c;
    int64_t size = c->count / FIRST_SHARE;
    size = size < FIRST_LEAST ? FIRST_LEAST : size > FIRST_MOST ? FIRST_MOST : size;
    size = o->settings->working_set > 0 ? o->settings->working_set : size;
    int64_t least = SIZE_PER_EQUATION * (c->functions + 1);
    least = least > MIN_SIZE ? least : MIN_SIZE;
    size = size > least ? size : least;
    size = size < c->count ? size : c->count;
    return size > 2 ? size : 2;
}

/* Rows of K are left for the next run over the same rows of data, unless these are a copy of this run's, or a run that
 * goes on from a checkpoint could not have them. They get what the largest block leaves of the memory. */
static bool shares_rows(const struct smo *o) {
    return o->s.c.problem->kernel->rows != NULL && !o->s.c.owns_data &&
           o->monitor->settings.checkpoint == NULL;
}

static struct row_cache *take_cache(struct smo *o, struct error *e) {
    const struct canonical *c = &o->s.c;
    struct row_cache *cache = shares_rows(o) ? *c->problem->kernel->rows : NULL;
    if (cache != NULL) {
        *c->problem->kernel->rows = NULL;
        return cache;
    }
    double size = fmax((double)max_size(o->settings, o->s.c.count), (double)first_size(o));
    double bytes = o->settings->cache * MEBIBYTE - size * size * sizeof(float);
    return row_cache_new(&c->kernel, &c->data, fmax(0, bytes), MIN_ROWS, ROWS_FAST, e);
}

static void leave_cache(struct smo *o) {
    if (o->p.cache == NULL)
        return;
    if (shares_rows(o))
        *o->s.c.problem->kernel->rows = o->p.cache;
    else
        row_cache_free(o->p.cache);
}

/* The caller's start; pairs keep the sums of beta as they are. */
static int take_start(struct smo *o, const double *w, struct error *e) {
    solution_take(&o->s, w);
    return canonical_repair(&o->s.c, o->s.z) ? 0 : canonical_start(&o->s.c, o->s.z, e);
}

static int smo_init(struct smo *o, const struct solve *solve, struct error *e) {
    if (solution_init(&o->s, solve->problem, solve->monitor->settings.passes, e) != 0)
        return -1;
    struct canonical *c = &o->s.c;
    o->p.cache = take_cache(o, e);
    if (o->p.cache == NULL || smo_optimality_init(&o->at, c->count, e) != 0 ||
        smo_multipliers_init(&o->m, c, e) != 0)
        return -1;
    o->p.s = &o->s;
    o->p.m = &o->m;
    o->p.monitor = o->monitor;
    o->m.rho = penalty(o);
    o->m.max_rho = max_penalty_growth * o->m.rho;
    if (canonical_start(c, o->s.z, e) != 0 || (solve->run->warm && take_start(o, solve->w, e) != 0))
        return -1;
    smo_multipliers_take(&o->m, o->s.beta);
    o->certified = c->least;
    return smo_subproblem_init(&o->p, first_size(o), e);
}

static void smo_free(struct smo *o) {
    leave_cache(o);
    smo_subproblem_free(&o->p);
    smo_multipliers_free(&o->m);
    solution_free(&o->s);
    smo_optimality_free(&o->at);
}

/* The reason why progress ended, and a remedy. */
static struct obstacle find_obstacle(const struct smo *o) {
    const char *linear = canonical_linear_remedy(&o->s.c);
    if (has_no_margin(o, small_square))
        return (struct obstacle){"a margin of 0", "raise --nu, or gamma of the Gaussian kernel"};
    if (o->s.c.learned != LEARNS_NOTHING && o->s.c.functions > 1 && o->s.bound == -INFINITY)
        return (struct obstacle){"an objective without a minimum",
                                 "lower --nu, or leave basis functions out"};
    if (o->s.c.learned != LEARNS_NOTHING)
        return (struct obstacle){"slow convergence", "scale the features, or raise --nu or -e"};
    return obstacle_of("slow convergence",
                       linear != NULL ? linear : "scale the features, or raise lambda or -e");
}

/* A run that ended too early, but not after interior points, goes on by these, where they suit. */
static int finish(struct smo *o, struct error *e) {
    if (o->verdict != VERDICT_STALLED || o->solved || !whole_suits(o))
        return 0;
    return smo_interior_solve(&o->s, o->monitor, e) == INTERIOR_ERROR ? -1 : 0;
}

/* The best multiple of the result. A run without progress may have converged by it. */
static void multiply_result(const struct smo *o, double *w, struct outcome *outcome) {
    const struct solution *s = &o->s;
    if (!wants_multiple(o, outcome->objective, outcome->bound))
        return;
    double factor = smo_multiple(&s->c, s->theta, s->f, s->h, &outcome->objective);
    vector_scale(w, factor, s->c.rows + s->c.problem->kernel->basis->count);
    if (outcome->verdict == VERDICT_STALLED)
        outcome->verdict =
            monitor_confirm(o->monitor, VERDICT_STALLED, outcome->objective, outcome->bound);
}

/* Few examples are solved to a part of -e, at hardly any cost: then models hardly depend on the order of the examples.
 * A run that ends between the two has converged. */
static double share_of_epsilon(const struct canonical *c) {
    bool certified = kernel_is_semidefinite(&c->kernel);
    return c->rows <= FEW_ROWS && certified ? few_rows_share : 1;
}

static int train(const struct solve *solve, struct error *e) {
    struct smo o = {.settings = solve->options,
                    .monitor = solve->monitor,
                    .rank = FIRST_RANK,
                    .next_exact = INFINITY,
                    .best_violation = INFINITY,
                    .best_certified = INFINITY};
    int status = smo_init(&o, solve, e);
    if (status == 0) {
        double epsilon = monitor_epsilon(o.monitor);
        monitor_seek(o.monitor, criterion_of(&o.s.c.kernel), share_of_epsilon(&o.s.c) * epsilon);
        status = run_iterations(&o, e);
        if (status == 0)
            status = finish(&o, e);
        monitor_seek(o.monitor, criterion_of(&o.s.c.kernel), epsilon);
    }
    if (status == 0)
        status = solution_end(&o.s, o.monitor, o.verdict, solve->w, solve->outcome, e);
    if (status == 0) {
        multiply_result(&o, solve->w, solve->outcome);
        solve->outcome->margin = o.s.margin;
        solve->outcome->iterations = o.iteration;
        if (has_no_margin(&o, zero_square) && solve->outcome->verdict == VERDICT_CONVERGED)
            solve->outcome->verdict = VERDICT_STALLED;
        if (solve->outcome->verdict != VERDICT_CONVERGED)
            solve->outcome->obstacle = find_obstacle(&o);
    }
    smo_free(&o);
    return status;
}

static const char *const regularizers[] = {"l2", NULL};

static const struct option_row options[] = {
    {.name = "kernel-cache",
     .argument = "MB",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1e7,
     .default_text = "400",
     .help = "memory for rows of the kernel matrix and the values of a subproblem",
     .offset = offsetof(struct smo_settings, cache)},
    {.name = "working-set",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .low = 0,
     .high = 20000,
     .default_text = "0",
     .help = "variables of a subproblem, at least 10 and 2 (K + 1), more when progress ends; 0: an "
             "eighth of all, 128 to 512, and up to 6144 if the free variables do not fit",
     .offset = offsetof(struct smo_settings, working_set)},
};

const struct solver smo = {
    .name = "smo",
    .summary = "kernel machine, as LIBSVM's: pairs of variables within working sets",
    .reference = "Fan, Chen & Lin 2005; Joachims 1999; Zanni, Serafini & Zanghirati 2006",
    .tolerance = "the largest violation of the conditions of the optimum, as LIBSVM's, and the "
                 "certified relative gap",
    .epsilon = 1e-3,
    .passes = 1e5,
    .offset = true,
    .regularizers = regularizers,
    .takes_loss = loss_is_piecewise_linear,
    .bytes = bytes,
    .is_kernel_expansion = true,
    .goes_on = true,
    .learns_margins = true,
    .indefinite_kernels = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct smo_settings),
    .train = train,
};
