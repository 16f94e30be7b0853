/* solution.c - an approximate solution of the dual of a kernel machine. */
#include "solvers/kernel_machine/solution.h"

#include "io/memory.h"
#include "kernel/points.h"
#include "math/vector.h"
#include "solvers/kernel_machine/expansion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int solution_init(struct solution *s, const struct problem *problem, double max_passes,
                  struct error *e) {
    *s = (struct solution){
        .max_passes = max_passes,
        .best_objective = INFINITY,
    };
    if (canonical_init(&s->c, problem, e) != 0)
        return -1;
    int64_t rows = s->c.rows, n = s->c.equations;
    s->z = memory_zeroed(s->c.count, sizeof *s->z, "the dual variables", e);
    s->f = memory_zeroed(3 * rows, sizeof *s->f, "scores", e);
    s->beta = memory_zeroed(3 * n, sizeof *s->beta, "the multipliers", e);
    s->best = memory_new(s->c.count + n, sizeof *s->best, "the best solution", e);
    if (s->z == NULL || s->f == NULL || s->beta == NULL || s->best == NULL)
        return -1;
    s->h = s->f + rows;
    s->theta = s->h + rows;
    s->residual = s->beta + n;
    s->bound = s->c.least;
    s->proved = -INFINITY;
    canonical_fit(&s->c, s->beta);
    return 0;
}

void solution_free(struct solution *s) {
    canonical_free(&s->c);
    free(s->z);
    free(s->f);
    free(s->beta);
    free(s->best);
    *s = (struct solution){0};
}

void solution_visit(struct solution *s, struct state *state) {
    int64_t n = s->c.equations;
    state_doubles(state, s->z, s->c.count);
    state_doubles(state, s->f, 3 * s->c.rows); /* and h, theta */
    state_doubles(state, s->beta, 3 * n);      /* and the residual */
    STATE_REALS(state, &s->margin, &s->objective, &s->bound, &s->passes, &s->best_objective,
                &s->rounding, &s->proved);
    s->exact = state_flag(state, s->exact);
    if (isfinite(s->best_objective))
        state_doubles(state, s->best, s->c.count + n);
}

void solution_take(struct solution *s, const double *w) {
    double sum = 0, scale = 1;
    for (int64_t i = 0; i < s->c.rows; i++)
        sum += fabs(w[i]);
    if (s->c.learned == LEARNS_MARGIN && sum > 0) /* it was scaled to 1 */
        scale = s->c.margin_sum / sum;
    for (int64_t i = 0; i < s->c.rows; i++)
        s->theta[i] = scale * w[i];
    orthogonal_to_basis(&s->c.span, w + s->c.rows, s->beta);
    canonical_variables(&s->c, s->theta, s->z);
}

void solution_evaluate(struct solution *s) {
    canonical_theta(&s->c, s->z, s->theta);
    s->objective = canonical_objective(&s->c, s->theta, s->f, s->h, s->margin);
}

int solution_recompute(struct solution *s, struct error *e) {
    canonical_theta(&s->c, s->z, s->theta);
    if (expansion_scores(&s->c.kernel, &s->c.data, s->theta, s->f, e) != 0)
        return -1;
    bool is_zero = vector_nonzeros(s->theta, s->c.rows) == 0; /* then f = 0 took no pass */
    if (!is_zero && s->passes + 1 <= s->max_passes)           /* the final result is free */
        s->passes += 1;
    s->exact = true;
    return 0;
}

int solution_measure(struct solution *s, const struct monitor *monitor, struct error *e) {
    int64_t rows = s->c.rows, terms = rows < EXPANSION_TERMS ? rows : EXPANSION_TERMS;
    double before = monitor_seconds(monitor);
    if (!isfinite(monitor->settings.time_limit) || terms == 0)
        return 0;
    memset(s->theta, 0, sizeof *s->theta * (size_t)rows);
    for (int64_t i = 0; i < terms; i++)
        s->theta[i] = 1;
    if (expansion_scores(&s->c.kernel, &s->c.data, s->theta, s->h, e) != 0)
        return -1;
    s->term_seconds = (monitor_seconds(monitor) - before) / (double)terms;
    return 0;
}

bool solution_is_late(const struct solution *s, const struct monitor *monitor) {
    if (s->term_seconds == 0 || s->exact)
        return false;
    double last = s->term_seconds * (double)vector_nonzeros(s->theta, s->c.rows);
    return monitor_seconds(monitor) + last >= monitor->settings.time_limit;
}

void solution_keep_best(struct solution *s) {
    if (!kernel_is_semidefinite(&s->c.kernel) || !(s->objective < s->best_objective))
        return; /* where J may have no minimum, a small one is no merit */
    s->best_objective = s->objective;
    memcpy(s->best, s->z, sizeof *s->z * (size_t)s->c.count);
    memcpy(s->best + s->c.count, s->beta, sizeof *s->beta * (size_t)s->c.functions);
    if (s->c.equations > s->c.functions)
        s->best[s->c.count + s->c.functions] = s->margin;
}

void solution_take_best(struct solution *s) {
    if (s->best_objective == INFINITY)
        return;
    memcpy(s->z, s->best, sizeof *s->z * (size_t)s->c.count);
    memcpy(s->beta, s->best + s->c.count, sizeof *s->beta * (size_t)s->c.functions);
    if (s->c.equations > s->c.functions)
        s->margin = s->best[s->c.count + s->c.functions];
    s->exact = false;
}

/* Weights with the margin 1, where it is learned, as LIBSVM's; minus the level as the constant's coefficient. */
static void scale_result(const struct solution *s, double *w) {
    int64_t bases = s->c.problem->kernel->basis->count;
    if (s->c.learned == LEARNS_MARGIN && s->margin > 0)
        vector_scale(w, 1 / s->margin, s->c.rows + bases);
    if (s->c.learned == LEARNS_LEVEL)
        w[s->c.rows] = -s->margin;
}

/* Where a margin is learned, weights and margin of 0 have J = 0, which a larger J of w gives way to. */
static void prefer_zero(struct solution *s, double *w) {
    bool has_zero = s->c.learned == LEARNS_MARGIN || s->c.learned == LEARNS_LEVEL;
    if (!has_zero || !kernel_is_semidefinite(&s->c.kernel) || s->objective <= 0)
        return;
    memset(w, 0, sizeof *w * (size_t)(s->c.rows + s->c.problem->kernel->basis->count));
    s->objective = s->margin = 0;
}

/* Rows of K in floats can end at weights that are worse than theta = 0, with the beta of least squares or with none. */
static void prefer_start(struct solution *s, double *w) {
    size_t rows = sizeof *s->theta * (size_t)s->c.rows;
    if (s->c.learned != LEARNS_NOTHING || !kernel_is_semidefinite(&s->c.kernel))
        return;
    memset(s->c.work, 0, rows);
    for (int with_beta = 1; with_beta >= 0; with_beta--) {
        canonical_fit(&s->c, s->beta);
        vector_scale(s->beta, with_beta, s->c.functions);
        for (int64_t i = 0; i < s->c.rows; i++)
            s->h[i] = vector_dot(s->c.psi + i * s->c.functions, s->beta, s->c.functions);
        double objective = canonical_objective(&s->c, s->c.work, s->c.work, s->h, 0);
        if (objective < s->objective) {
            memset(w, 0, rows);
            orthogonal_to_columns(&s->c.span, s->beta, w + s->c.rows);
            memset(s->theta, 0, rows);
            s->objective = objective;
        }
    }
}

double solution_rounding(const struct solution *s) {
    double sum = 0;
    for (int64_t i = 0; i < s->c.rows; i++)
        if (s->theta[i] != 0)
            sum += fabs(s->theta[i]) * sqrt(fmax(0, points_diagonal(&s->c.kernel, &s->c.data, i)));
    return 0x1p-52 * s->c.problem->lambda * sum * sum;
}

/* Writes theta and beta to w, and evaluates J of w and the bound of z. */
static int write_result(struct solution *s, bool optimal, double *w, struct error *e) {
    if (!s->exact && solution_recompute(s, e) != 0)
        return -1;
    canonical_theta(&s->c, s->z, s->theta);
    memcpy(w, s->theta, sizeof *w * (size_t)s->c.rows);
    orthogonal_to_columns(&s->c.span, s->beta, w + s->c.rows);
    canonical_given_scores(&s->c, s->f, w + s->c.rows, s->h);
    s->objective = canonical_objective(&s->c, s->theta, s->f, s->h, s->margin);
    scale_result(s, w);
    s->rounding = fmax(s->rounding, solution_rounding(s));
    s->bound = fmax(s->bound, canonical_bound(&s->c, s->z, s->f, s->h) - s->rounding);
    prefer_zero(s, w);
    if (!optimal)
        prefer_start(s, w);
    return 0;
}

/* The better of the two is chosen before f is recomputed in doubles, which may take long. */
static int finish(struct solution *s, bool optimal, double *w, struct error *e) {
    s->bound = fmax(s->c.least, s->proved);
    if (!optimal && s->best_objective < s->objective)
        solution_take_best(s);
    return write_result(s, optimal, w, e);
}

int solution_end(struct solution *s, const struct monitor *monitor, enum verdict verdict, double *w,
                 struct outcome *outcome, struct error *e) {
    if (finish(s, verdict == VERDICT_CONVERGED, w, e) != 0)
        return -1;
    if (!isfinite(s->objective))
        return error_set(e, "the objective is beyond all numbers; scale the data or raise lambda");
    s->bound = fmin(s->bound, s->objective);
    if (verdict == VERDICT_STALLED)
        verdict = monitor_confirm(monitor, verdict, s->objective, s->bound);
    *outcome = (struct outcome){
        .objective = s->objective, .bound = s->bound, .passes = s->passes, .verdict = verdict};
    return 0;
}
