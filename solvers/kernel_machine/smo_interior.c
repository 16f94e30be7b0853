/* smo_interior.c - interior points for the dual of a kernel machine. */
#include "solvers/kernel_machine/smo_interior.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_ROWS = 5000,  /* of a whole K */
    RANK_SHARE = 4,   /* a low rank is at most this part of the rows, */
    MEMORY_SHARE = 4, /* and takes at most this part of the memory */
    MAX_ITERATIONS = 100,
    MAX_WAIT = 3, /* iterations of a low rank without a smaller gap */
    COUNT_VECTORS = 9,
    ROW_VECTORS = 5,
    REFINEMENTS = 3
};

/* Iterations that most problems need; the operations of one beside the factor, in units of n^2, or n times the rank. */
static const double typical_iterations = 30, products_of_iteration = 80;
static const double step_share = 0.995; /* of the step to the boundary */
static const double least_step = 1e-6;
static const double max_first_share = 0.99; /* of the box */
static const double gap_share = 0.5;        /* of the tolerance */
static const double low_rank_share =
    1e-5; /* of the tolerance, where K is of a low rank: the smaller the gap is, the more
                                             * variables can move to bounds; */
static const double near_share = 0.05;    /* and what this K may change of J */
static const double max_rest = 1e-4;      /* of the trace of K: what a low rank may lack */
static const double rounding_part = 0.25; /* of the tolerance: what moves to bounds may cost */
static const double least_share = 1e-8, next_share = 1e-2; /* of a step, in these moves */
static const double low_rounding_share =
    1e-2; /* of that estimate of the rounding, where K is of a low rank */
static const double rounding_share = 0.1; /* of the rounding: below that a gap is of no use */

struct interior {
    struct solution *s;
    const struct canonical *c;
    int64_t n, count, equations;
    int64_t moving; /* variables that are not fixed */
    struct interior_kernel k;
    double *memory;
    double *low, *high;             /* count: the multipliers of z >= 0 and z <= C; */
    double *dz, *dlow, *dhigh;      /* their steps and that of z; */
    double *slope, *rho;            /* G less the multipliers; the right side */
    double *inverse;                /* 1/D_t */
    double *kept;                   /* count + equations: z, beta and mu of the smallest gap */
    double *w, *q;                  /* rows */
    double *dtheta, *right;         /* rows: the step of theta; what is left of its side */
    double *product;                /* rows: K dtheta */
    double *psi;                    /* equations x rows: Psi, and A of a learned margin */
    double *columns;                /* equations x rows: M^-1 Psi */
    double *small, *small_diagonal; /* equations^2, equations: Psi' M^-1 Psi + S */
    double *dbeta, *side;           /* equations */
    double smallest;                /* the smallest gap with a K of low rank, */
    int waited;                     /* and iterations since then */
    double shared; /* S: 0, or of a learned margin's equation the coefficient of dmu */
    double *work;
};

/* ---- memory */

bool smo_interior_suits(const struct canonical *c, double bytes) {
    double n = (double)c->rows;
    return kernel_is_semidefinite(&c->kernel) && c->rows <= MAX_ROWS &&
           n * n * (2 * sizeof(double) + 2 * sizeof(float)) <= bytes;
}

double smo_interior_operations(const struct canonical *c) {
    double n = (double)c->rows;
    return typical_iterations * (n / 3 + products_of_iteration) * n * n;
}

bool smo_interior_suits_low(const struct canonical *c, int64_t rank, double bytes) {
    double n = (double)c->rows, r = (double)rank;
    return kernel_is_semidefinite(&c->kernel) && rank > 0 && RANK_SHARE * rank <= c->rows &&
           MEMORY_SHARE * (n + 2 * r) * r * sizeof(double) <= bytes;
}

double smo_interior_low_operations(const struct canonical *c, int64_t rank) {
    double r = (double)rank;
    return typical_iterations * (r + products_of_iteration) * r * (double)c->rows;
}

static double *take(double **next, int64_t count) {
    double *array = *next;
    *next += count;
    return array;
}

/* Whether variable t has no room, since its example has the weight 0. */
static bool is_fixed(const struct interior *o, int64_t t) {
    return !(o->c->upper[t] > 0);
}

static int interior_init(struct interior *o, struct solution *s, struct error *e) {
    const struct canonical *c = &s->c;
    int64_t n = c->rows, f = c->equations;
    *o = (struct interior){
        .s = s, .c = c, .n = n, .count = c->count, .equations = f, .smallest = INFINITY};
    for (int64_t t = 0; t < o->count; t++)
        o->moving += !is_fixed(o, t);
    int64_t total = COUNT_VECTORS * c->count + ROW_VECTORS * n + 2 * f * n + f * (f + 4) +
                    cholesky_work_size(f);
    o->memory = memory_zeroed(total, sizeof *o->memory, "interior points", e);
    if (o->memory == NULL)
        return -1;
    double *next = o->memory;
    double **const of_count[] = {&o->low,   &o->high, &o->dz,      &o->dlow, &o->dhigh,
                                 &o->slope, &o->rho,  &o->inverse, &o->kept};
    for (int i = 0; i < COUNT_VECTORS; i++)
        *of_count[i] = take(&next, c->count);
    (void)take(&next, f); /* the end of kept */
    double **const of_rows[] = {&o->w, &o->q, &o->dtheta, &o->right, &o->product};
    for (int i = 0; i < ROW_VECTORS; i++)
        *of_rows[i] = take(&next, n);
    o->psi = take(&next, f * n);
    o->columns = take(&next, f * n);
    o->small = take(&next, f * f);
    o->dbeta = take(&next, f);
    o->side = take(&next, f);
    o->small_diagonal = take(&next, f);
    o->work = take(&next, cholesky_work_size(f));
    for (int64_t j = 0; j < c->functions; j++)
        for (int64_t i = 0; i < n; i++)
            o->psi[j * n + i] = is_fixed(o, i) ? 0 : c->psi[i * c->functions + j];
    return 0;
}

/* Whether there is a learned margin, whose equation is the last one. */
static bool learns(const struct interior *o) {
    return o->equations > o->c->functions;
}

/* ---- the iterate */

/* f = K theta of z, the residual of the equations, G less the multipliers, J; returns its bound. */
static double evaluate(struct interior *o) {
    struct solution *s = o->s;
    canonical_theta(o->c, s->z, s->theta);
    interior_kernel_multiply(&o->k, s->theta, s->f);
    canonical_residual(o->c, s->z, s->residual, s->residual + o->c->equations);
    canonical_scores(o->c, s->f, s->beta, s->h);
    for (int64_t t = 0; t < o->count; t++)
        o->slope[t] = o->c->sign[t] * s->h[t % o->n] + o->c->p[t] - (learns(o) ? s->margin : 0) -
                      o->low[t] + o->high[t];
    solution_evaluate(s);
    s->exact = false;
    return canonical_bound(o->c, s->z, s->f, s->h);
}

/* J of the best solution so far, whose scores may have come from rows of K in floats. */
static void evaluate_best(struct interior *o) {
    struct solution *s = o->s;
    if (s->best_objective == INFINITY)
        return;
    solution_take_best(s);
    evaluate(o);
    s->best_objective = isfinite(s->objective) ? s->objective : INFINITY;
}

/* How far up its box each variable begins: the middle, or where the learned margin's equation holds. */
static double first_share(const struct interior *o) {
    double sum = 0;
    for (int64_t t = 0; t < o->count; t++)
        sum += o->c->upper[t];
    return learns(o) ? fmin(o->c->margin_sum / sum, max_first_share) : 0.5;
}

/* Inside the box, with multipliers such that the slope is 0. */
static void begin(struct interior *o) {
    struct solution *s = o->s;
    double mean = 0, share = first_share(o);
    s->margin = 0;
    memset(o->low, 0, sizeof *o->low * (size_t)o->count);
    memset(o->high, 0, sizeof *o->high * (size_t)o->count);
    memset(s->beta, 0, sizeof *s->beta * (size_t)o->c->functions);
    for (int64_t t = 0; t < o->count; t++)
        s->z[t] = share * o->c->upper[t];
    evaluate(o);
    for (int64_t t = 0; t < o->count; t++)
        mean += is_fixed(o, t) ? 0 : fabs(o->slope[t]) / (double)o->moving;
    for (int64_t t = 0; t < o->count; t++) {
        if (is_fixed(o, t))
            continue;
        o->low[t] = mean + fmax(o->slope[t], 0);
        o->high[t] = mean + fmax(-o->slope[t], 0);
    }
}

static double above(const struct interior *o, int64_t t) {
    return o->c->upper[t] - o->s->z[t];
}

/* The mean product of a variable's distance from a bound and its multiplier, after a step of this length. */
static double mean_product(const struct interior *o, double length) {
    double sum = 0;
    for (int64_t t = 0; t < o->count; t++) {
        double move = length * o->dz[t];
        sum += (o->s->z[t] + move) * (o->low[t] + length * o->dlow[t]) +
               (above(o, t) - move) * (o->high[t] + length * o->dhigh[t]);
    }
    return sum / (2 * (double)o->moving);
}

/* ---- a step */

/* The inverses of the two diagonal entries of row i, over w: of the learned margin's equation
 *
 *     sum_t dz_t = -residual,   dz_t = (rho_t - s_t v + dmu)/D_t,   v = (q + e dmu - dtheta)/w,   e = sum_t s_t/D_t,
 *
 * row i has -e/w as its coefficient of dtheta, and 4/(D_1 D_2 w) as that of dmu. */
static double shared_part(const struct interior *o, int64_t i) {
    return o->count == o->n ? 0 : o->inverse[i] / o->w[i] * o->inverse[o->n + i];
}

/* The diagonal D of this iterate, w, and the learned margin's coefficients. */
static void weigh(struct interior *o) {
    int64_t n = o->n;
    memset(o->w, 0, sizeof *o->w * (size_t)n);
    for (int64_t t = 0; t < o->count; t++) {
        o->inverse[t] =
            is_fixed(o, t) ? 0 : 1 / (o->low[t] / o->s->z[t] + o->high[t] / above(o, t));
        o->w[t % n] += is_fixed(o, t) ? 1 : o->inverse[t];
    }
    if (!learns(o))
        return;
    double *coefficient = o->psi + o->c->functions * n;
    memset(coefficient, 0, sizeof *coefficient * (size_t)n);
    for (int64_t t = 0; t < o->count; t++)
        coefficient[t % n] -= o->c->sign[t] * o->inverse[t] / o->w[t % n];
}

/* The system of the equations, Psi' M^-1 Psi. -1: it has no factor. */
static int factor_equations(struct interior *o) {
    int64_t n = o->n, equations = o->equations;
    for (int64_t j = 0; j < equations; j++) {
        double *column = o->columns + j * n;
        memcpy(column, o->psi + j * n, sizeof *column * (size_t)n);
        interior_kernel_solve(&o->k, column);
        for (int64_t l = 0; l < equations; l++)
            o->small[l * equations + j] = vector_dot(o->psi + l * n, column, n);
    }
    o->shared = 0;
    for (int64_t i = 0; i < n && learns(o); i++)
        o->shared += 4 * shared_part(o, i);
    if (learns(o))
        o->small[equations * equations - 1] += o->shared;
    return equations == 0 ? 0
                          : cholesky_factor(o->small, o->small_diagonal, equations, o->work, NULL);
}

/* The systems of this iterate. -1: they have no factor. */
static int factor(struct interior *o) {
    weigh(o);
    return interior_kernel_factor(&o->k, o->w) != 0 ? -1 : factor_equations(o);
}

/* The right side of equation j. */
static double equation_side(const struct interior *o, int64_t j) {
    double side = o->s->residual[j];
    if (j < o->c->functions)
        return -side;
    for (int64_t i = 0; i < o->n && o->count > o->n; i++)
        side += 2 * (o->rho[i] + o->rho[o->n + i]) * shared_part(o, i);
    return side;
}

/* x and y of M x + Psi y = x, Psi'x - S y = y, in place. */
static void solve_system(const struct interior *o, double *x, double *y) {
    int64_t n = o->n;
    interior_kernel_solve(&o->k, x);
    for (int64_t j = 0; j < o->equations; j++)
        y[j] = vector_dot(o->psi + j * n, x, n) - y[j];
    if (o->equations > 0)
        cholesky_solve(o->small, o->small_diagonal, y, o->work, o->equations);
    for (int64_t j = 0; j < o->equations; j++)
        vector_add(x, -y[j], o->columns + j * n, n);
}

/* The right sides of that system, from rho, less what dtheta and dbeta make of it. */
static void find_sides(struct interior *o, double *x, double *y) {
    int64_t n = o->n, functions = o->c->functions;
    interior_kernel_multiply(&o->k, o->dtheta, o->product);
    for (int64_t i = 0; i < n; i++) {
        x[i] = (o->q[i] - o->dtheta[i]) / o->w[i] - o->product[i];
        for (int64_t j = 0; j < o->equations; j++)
            x[i] -= o->psi[j * n + i] * o->dbeta[j];
    }
    for (int64_t j = 0; j < o->equations; j++)
        y[j] = equation_side(o, j) - vector_dot_wide(o->psi + j * n, o->dtheta, n) +
               (j == functions ? o->shared * o->dbeta[j] : 0);
}

/* dtheta and dbeta, whose last number may be dmu, from rho. M is often nearly singular: each round solves for what the
 * one before has left. */
static void solve_rows(struct interior *o) {
    int64_t n = o->n, equations = o->equations;
    memset(o->q, 0, sizeof *o->q * (size_t)n);
    memset(o->dtheta, 0, sizeof *o->dtheta * (size_t)n);
    memset(o->dbeta, 0, sizeof *o->dbeta * (size_t)equations);
    for (int64_t t = 0; t < o->count; t++)
        o->q[t % n] += o->c->sign[t] * o->rho[t] * o->inverse[t];
    for (int k = 0; k < REFINEMENTS; k++) {
        find_sides(o, o->right, o->side);
        solve_system(o, o->right, o->side);
        vector_add(o->dtheta, 1, o->right, n);
        vector_add(o->dbeta, 1, o->side, equations);
    }
}

/* dz of dtheta: of a row with two variables, that of the one nearer to a bound by its own equation. */
static void split_rows(struct interior *o) {
    int64_t n = o->n;
    const int8_t *sign = o->c->sign;
    double dmu = learns(o) ? o->dbeta[o->c->functions] : 0;
    if (o->count == n) {
        for (int64_t i = 0; i < n; i++)
            o->dz[i] = sign[i] * o->dtheta[i];
        return;
    }
    interior_kernel_multiply(&o->k, o->dtheta, o->product);
    for (int64_t i = 0; i < n; i++) {
        double v = o->product[i];
        for (int64_t j = 0; j < o->c->functions; j++)
            v += o->psi[j * n + i] * o->dbeta[j];
        int64_t near = o->inverse[i] < o->inverse[n + i] ? i : n + i, other = n + 2 * i - near;
        o->dz[near] = (o->rho[near] - sign[near] * v + dmu) * o->inverse[near];
        o->dz[other] = sign[other] * (o->dtheta[i] - sign[near] * o->dz[near]);
    }
}

/* The direction towards products TARGET, corrected by the products of the last direction's parts. */
static void find_direction(struct interior *o, double target, bool corrects) {
    for (int64_t t = 0; t < o->count; t++) {
        if (is_fixed(o, t)) /* all stay 0 */
            continue;
        double z = o->s->z[t], x = above(o, t);
        double low = corrects ? o->dz[t] * o->dlow[t] : 0,
               high = corrects ? o->dz[t] * o->dhigh[t] : 0;
        o->dlow[t] = (target - low) / z - o->low[t];
        o->dhigh[t] = (target + high) / x - o->high[t];
        o->rho[t] = o->dlow[t] - o->dhigh[t] - o->slope[t];
    }
    solve_rows(o);
    split_rows(o);
    for (int64_t t = 0; t < o->count; t++) {
        if (is_fixed(o, t))
            continue;
        o->dlow[t] -= o->low[t] / o->s->z[t] * o->dz[t];
        o->dhigh[t] += o->high[t] / above(o, t) * o->dz[t];
    }
}

static double to_zero(double length, double x, double step) {
    return step < 0 ? fmin(length, -x / step) : length;
}

/* The longest step, at most 1, that leaves all inside. */
static double longest_step(const struct interior *o) {
    double length = 1;
    for (int64_t t = 0; t < o->count; t++) {
        length = to_zero(length, o->s->z[t], o->dz[t]);
        length = to_zero(length, above(o, t), -o->dz[t]);
        length = to_zero(length, o->low[t], o->dlow[t]);
        length = to_zero(length, o->high[t], o->dhigh[t]);
    }
    return length;
}

/* Moves the iterate; false if it cannot move. */
static bool advance(struct interior *o) {
    if (factor(o) != 0)
        return false;
    find_direction(o, 0, false);
    double mean = mean_product(o, 0), ratio = mean_product(o, longest_step(o)) / mean;
    find_direction(o, ratio * ratio * ratio * mean, true);
    double length = step_share * longest_step(o);
    if (!(length > least_step))
        return false;
    for (int64_t t = 0; t < o->count; t++) {
        o->s->z[t] += length * o->dz[t];
        o->low[t] += length * o->dlow[t];
        o->high[t] += length * o->dhigh[t];
    }
    for (int64_t j = 0; j < o->c->functions; j++)
        o->s->beta[j] += length * o->dbeta[j];
    if (learns(o))
        o->s->margin += length * o->dbeta[o->c->functions];
    return true;
}

/* Keeps the iterate as the best of an inexact K. */
static void keep(struct interior *o) {
    const struct solution *s = o->s;
    memcpy(o->kept, s->z, sizeof *s->z * (size_t)o->count);
    memcpy(o->kept + o->count, s->beta, sizeof *s->beta * (size_t)o->c->functions);
    if (learns(o))
        o->kept[o->count + o->c->functions] = s->margin;
}

/* With a whole K: keeps the best solution and the bound. Returns what is left of the gap, less what is enough. */
static double note_whole(struct interior *o, const struct monitor *monitor, double bound) {
    struct solution *s = o->s;
    double rounding = solution_rounding(s);
    s->rounding = fmax(s->rounding, rounding);
    s->proved = fmax(s->proved, bound - rounding);
    solution_keep_best(s);
    double wanted = gap_share * monitor_gap_alone(monitor, s->best_objective);
    return s->best_objective - s->proved - fmax(wanted, (1 + rounding_share) * rounding);
}

/* The same with a K of low rank, whose bound is none of J: keeps the iterate of the smallest gap. It is enough if that
 * has not fallen for long. */
static double note_low(struct interior *o, const struct monitor *monitor, double bound) {
    double left = o->s->objective - bound;
    if (left <= 0) /* nothing but rounding */
        return 0;
    o->waited = left < o->smallest ? 0 : o->waited + 1;
    if (o->waited == 0)
        keep(o);
    o->smallest = fmin(o->smallest, left);
    double wanted = low_rank_share * monitor_gap_alone(monitor, o->s->objective);
    return o->waited > MAX_WAIT ? 0
                                : left - fmax(wanted, low_rounding_share * solution_rounding(o->s));
}

/* Whether the gap fell to what is enough. */
static bool run(struct interior *o, struct monitor *monitor) {
    struct solution *s = o->s;
    begin(o);
    keep(o);
    for (int k = 0; k < MAX_ITERATIONS && monitor_poll(monitor) == VERDICT_GO_ON; k++) {
        if (!advance(o))
            break;
        double bound = evaluate(o);
        if (!isfinite(s->objective) ||
            isnan(bound)) {          /* J of scores that are no numbers may be 0 */
            s->objective = INFINITY; /* the best one stays */
            break;
        }
        double left = o->k.rank > 0 ? note_low(o, monitor, bound) : note_whole(o, monitor, bound);
        if (left <= 0)
            return true;
    }
    return false;
}

/* Whether the gap is within -e. The monitor may seek a part of it, which rounding can forbid. */
static bool is_within_epsilon(const struct solution *s, const struct monitor *monitor) {
    return isfinite(s->best_objective) &&
           s->best_objective - s->proved <= monitor_epsilon(monitor) * fabs(s->best_objective);
}

enum interior_end smo_interior_solve(struct solution *s, struct monitor *monitor, struct error *e) {
    struct interior o;
    bool solved = false;
    int status = interior_init(&o, s, e);
    if (status == 0)
        status = interior_kernel_init(&o.k, &s->c, e);
    if (status == 0) {
        evaluate_best(&o);
        solved = run(&o, monitor) || is_within_epsilon(s, monitor);
    }
    interior_kernel_free(&o.k);
    free(o.memory);
    return status != 0 ? INTERIOR_ERROR : solved ? INTERIOR_SOLVED : INTERIOR_UNSOLVED;
}

/* ---- a low rank */

/* Whether L L' lacks too little of K to matter for these theta. */
static bool is_near(const struct interior *o, const struct monitor *monitor) {
    const struct solution *s = o->s;
    double rest = 0, trace = 0, square = 0;
    canonical_theta(o->c, s->z, s->theta);
    for (int64_t i = 0; i < o->n; i++) {
        rest += o->k.rest[i];
        trace += o->k.diagonal[i];
        square += s->theta[i] * s->theta[i] * o->k.rest[i];
    }
    double wanted = near_share * monitor_gap_alone(monitor, s->objective);
    return rest <= max_rest * trace && o->c->problem->lambda / 2 * square <= wanted;
}

/* The kept iterate, with f and J of L L'. */
static void take_kept(struct interior *o) {
    struct solution *s = o->s;
    memcpy(s->z, o->kept, sizeof *s->z * (size_t)o->count);
    memcpy(s->beta, o->kept + o->count, sizeof *s->beta * (size_t)o->c->functions);
    if (learns(o))
        s->margin = o->kept[o->count + o->c->functions];
    evaluate(o);
}

/* Variables that SHARE of a step of their own, of the slope over K_ii, would bring to a bound go there. */
static void move_to_bounds(struct interior *o, double share) {
    struct solution *s = o->s;
    canonical_scores(o->c, s->f, s->beta, s->h);
    for (int64_t t = 0; t < o->count; t++) {
        int64_t i = t % o->n;
        double slope = o->c->sign[t] * s->h[i] + o->c->p[t] - (learns(o) ? s->margin : 0);
        double step = share * slope / fmax(o->k.diagonal[i], DBL_MIN);
        s->z[t] = step >= s->z[t] ? 0 : -step >= above(o, t) ? o->c->upper[t] : s->z[t];
    }
}

/* The kept iterate with as many variables at bounds as leave J within the tolerance: interior points leave all of them
 * inside. */
static void round_to_bounds(struct interior *o, const struct monitor *monitor) {
    struct solution *s = o->s;
    take_kept(o);
    double most = s->objective + rounding_part * monitor_gap_alone(monitor, s->objective);
    for (double share = 1; share >= least_share; share *= next_share) {
        move_to_bounds(o, share);
        if (canonical_repair(o->c, s->z)) {
            evaluate(o);
            if (s->objective <= most)
                return;
        }
        take_kept(o);
    }
}

/* The result, with f in doubles of K itself: J and its bound. */
static enum interior_end settle(struct interior *o, const struct monitor *monitor,
                                struct error *e) {
    struct solution *s = o->s;
    round_to_bounds(o, monitor);
    if (solution_recompute(s, e) != 0)
        return INTERIOR_ERROR;
    canonical_scores(o->c, s->f, s->beta, s->h);
    solution_evaluate(s);
    s->rounding = solution_rounding(s);
    s->proved = fmax(s->proved, canonical_bound(o->c, s->z, s->f, s->h) - s->rounding);
    double enough =
        fmax(monitor_gap_alone(monitor, s->objective), (1 + rounding_share) * s->rounding);
    bool solved = s->objective - s->proved <= enough;
    if (solved)
        s->best_objective = INFINITY; /* whose f may have been of rows in floats */
    solution_keep_best(s);
    return solved ? INTERIOR_SOLVED : INTERIOR_UNSOLVED;
}

enum interior_end smo_interior_solve_low(struct solution *s, int64_t *rank, struct monitor *monitor,
                                         struct error *e) {
    struct interior o;
    int status = interior_init(&o, s, e);
    if (status == 0)
        status = interior_kernel_init_low(&o.k, &s->c, *rank, e);
    enum interior_end end = status != 0 ? INTERIOR_ERROR : INTERIOR_UNTRIED;
    if (status == 0 && is_near(&o, monitor)) {
        end = INTERIOR_UNSOLVED;
        (void)run(&o, monitor);
        if (monitor_poll(monitor) == VERDICT_GO_ON)
            end = settle(&o, monitor, e);
    }
    *rank = o.k.complete ? 0 : 2 * *rank;
    interior_kernel_free(&o.k);
    free(o.memory);
    return end;
}
