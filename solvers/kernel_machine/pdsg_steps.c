/* pdsg_steps.c - primal-dual scaled gradient steps. */
#include "solvers/kernel_machine/pdsg_steps.h"

#include "io/memory.h"
#include "math/matrices/semidefinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_POLL = 256 }; /* steps between two polls of the limits */

static const double min_eigenvalue = 1e-8; /* relative to Q_tt; thesis, (4.9) */
static const double dual_damping = 0.25,
                    imbalance_growth = 2; /* factor of gamma; growth of |A z - b| that lowers it */
static const double min_curvature = 1e-3; /* of Q_tt in G, relative to the mean */

int pdsg_steps_init(struct pdsg_steps *p, int64_t max_size, int64_t functions, struct error *e) {
    *p = (struct pdsg_steps){.max_size = max_size};
    p->dual = memory_zeroed(functions * functions, sizeof *p->dual, "the dual step", e);
    return p->dual == NULL ? -1 : cholesky_set_reserve(&p->factor, max_size, e);
}

void pdsg_steps_free(struct pdsg_steps *p) {
    free(p->dual);
    cholesky_set_free(&p->factor);
    *p = (struct pdsg_steps){0};
}

void pdsg_steps_prepare(struct pdsg_steps *p, const struct subproblem *s) {
    int64_t n = s->functions;
    double mean = subproblem_mean_diagonal(s), min_q = min_curvature * mean;
    p->min_diagonal = min_eigenvalue * mean;
    p->dual_step = 1;
    memset(p->dual, 0, sizeof *p->dual * (size_t)(n * n));
    for (int64_t t = 0; t < s->count; t++) {
        const double *a = s->a + t * n;
        double weight = 1 / fmax(s->diagonal[t], min_q);
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k <= j; k++)
                p->dual[j * n + k] += weight * a[j] * a[k];
    }
    semidefinite_factor(p->dual, n);
}

/* ---- the sub-working set */

/* W: the variables with the largest violations, largest first. */
static void choose_violators(struct pdsg_steps *p, const struct subproblem *s) {
    double smallest = 0;
    p->size = 0;
    for (int64_t t = 0; t < s->count; t++) {
        double v = subproblem_violation(s, t);
        if (v <= smallest)
            continue;
        int64_t k = p->size < p->max_size ? p->size++ : p->max_size - 1;
        for (; k > 0 && p->violation[k - 1] < v; k--) {
            p->violation[k] = p->violation[k - 1];
            p->chosen[k] = p->chosen[k - 1];
        }
        p->violation[k] = v;
        p->chosen[k] = t;
        smallest = p->size == p->max_size ? p->violation[p->max_size - 1] : 0;
    }
}

/* Orders W so that its free variables W' come first. */
static void put_free_first(struct pdsg_steps *p, const struct subproblem *s) {
    p->free_count = 0;
    for (int64_t k = 0; k < p->size; k++) {
        int64_t t = p->chosen[k];
        if (!subproblem_is_free(s, t))
            continue;
        p->chosen[k] = p->chosen[p->free_count];
        p->chosen[p->free_count++] = t;
    }
}

static int get_rows(struct pdsg_steps *p, const struct subproblem *s, struct error *e) {
    int64_t index[SUBPROBLEM_MAX_ROWS], distinct = 0, position[SUBPROBLEM_MAX_ROWS];
    const float *row[SUBPROBLEM_MAX_ROWS];
    for (int64_t k = 0; k < p->size; k++) {
        int64_t r = p->chosen[k] % s->rows;
        for (position[k] = 0; position[k] < distinct && index[position[k]] != r;)
            position[k]++;
        if (position[k] == distinct)
            index[distinct++] = r;
    }
    if (s->get(s->opaque, index, distinct, row, e) != 0)
        return -1;
    for (int64_t k = 0; k < p->size; k++)
        p->row[k] = row[position[k]];
    return 0;
}

/* ---- the primal step */

static double entry(const struct pdsg_steps *p, const struct subproblem *s, int64_t k, int64_t l) {
    int64_t t = p->chosen[k], u = p->chosen[l];
    return s->sign[t] * s->sign[u] * (double)p->row[k][u % s->rows];
}

/* step = -H^-1 g on W'. */
static void solve_free_block(struct pdsg_steps *p, const struct subproblem *s) {
    double m[SUBPROBLEM_MAX_ROWS];
    p->factor.size = 0;
    for (int64_t k = 0; k < p->free_count; k++) {
        double diagonal = s->diagonal[p->chosen[k]],
               tau = fmax(min_eigenvalue * diagonal, p->min_diagonal);
        for (int64_t l = 0; l < k; l++)
            m[l] = entry(p, s, k, l);
        double pivot = cholesky_set_pivot(&p->factor, m, diagonal + tau);
        cholesky_set_append(&p->factor, m, fmax(pivot, tau));
        p->step[k] = -s->gradient[p->chosen[k]];
    }
    cholesky_set_forward(&p->factor, p->step);
    cholesky_set_backward(&p->factor, p->step);
}

/* Finds the direction d; returns <d, g>. */
static double find_direction(struct pdsg_steps *p, const struct subproblem *s) {
    double slope = 0;
    if (p->free_count == 1)
        p->step[0] = -s->gradient[p->chosen[0]] / fmax(s->diagonal[p->chosen[0]], p->min_diagonal);
    else if (p->free_count > 1)
        solve_free_block(p, s);
    for (int64_t k = p->free_count; k < p->size; k++)
        p->step[k] = -s->gradient[p->chosen[k]] / fmax(s->diagonal[p->chosen[k]], p->min_diagonal);
    for (int64_t k = 0; k < p->size; k++) {
        int64_t t = p->chosen[k];
        p->step[k] = clip(s->z[t] + p->step[k], 0, s->upper[t]) - s->z[t];
        slope += p->step[k] * s->gradient[t];
    }
    return slope;
}

/* The exact minimizer alpha in [0, 1] of the Lagrangian along d. */
static double find_step_length(const struct pdsg_steps *p, const struct subproblem *s,
                               double slope) {
    double curvature = 0;
    for (int64_t k = 0; k < p->size; k++) {
        curvature += p->step[k] * p->step[k] * s->diagonal[p->chosen[k]];
        for (int64_t l = 0; l < k; l++)
            curvature += 2 * p->step[k] * p->step[l] * entry(p, s, k, l);
    }
    return -slope < curvature ? -slope / curvature : 1;
}

static int step_primal(struct pdsg_steps *p, struct subproblem *s, struct error *e) {
    put_free_first(p, s);
    if (get_rows(p, s, e) != 0)
        return -1;
    double slope = find_direction(p, s);
    if (!(slope < 0)) { /* a clipped step of several variables may ascend; that of one does not */
        p->size = 1;
        p->free_count = subproblem_is_free(s, p->chosen[0]);
        slope = find_direction(p, s);
    }
    double alpha = find_step_length(p, s, slope);
    for (int64_t k = 0; k < p->size; k++)
        if (p->step[k] != 0)
            subproblem_move(s, p->chosen[k], alpha * p->step[k], p->row[k]);
    return 0;
}

/* ---- the dual step */

static void step_dual(const struct pdsg_steps *p, struct subproblem *s) {
    memcpy(s->shift, s->residual, sizeof *s->shift * (size_t)s->functions);
    semidefinite_solve(p->dual, s->functions, s->shift);
    vector_scale(s->shift, p->dual_step, s->functions);
    subproblem_shift_multipliers(s, s->shift);
}

int pdsg_steps_solve(struct pdsg_steps *p, struct subproblem *s, double tolerance, int64_t steps,
                     int64_t *taken, struct error *e) {
    double largest = 0;         /* |A z - b| in a round of steps: */
    double smallest = INFINITY; /* one alone is near 0 by chance, as at the start */
    for (int64_t step = 0;; step++) {
        choose_violators(p, s);
        double worst = p->size > 0 ? p->violation[0] : 0, imbalance = subproblem_imbalance(s);
        if (worst <= tolerance && imbalance <= tolerance)
            return 1;
        largest = fmax(largest, imbalance);
        if (step > 0 && step % s->count == 0) {
            p->dual_step *= largest > imbalance_growth * smallest ? dual_damping : 1;
            smallest = fmin(smallest, fmax(largest, tolerance));
            largest = 0;
        }
        if (step == steps ||
            (step % STEPS_PER_POLL == STEPS_PER_POLL - 1 && s->stop(s->stop_opaque)))
            return 0;
        if (p->size > 0 && step_primal(p, s, e) != 0)
            return -1;
        if (s->functions > 0)
            step_dual(p, s);
        ++*taken;
    }
}
