/* pdsg_steps.c - primal-dual scaled gradient steps. */
#include "solvers/kernel_machine/pdsg_steps.h"

#include "io/memory.h"
#include "math/semidefinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POLL = 256 }; /* steps between looks at the clock */

static const double least_eigenvalue = 1e-8; /* relative to Q_tt; thesis, (4.9) */
static const double dual_damping = 0.25,
                    imbalance_growth = 2;   /* of the dual step; of |A z - b| in a window */
static const double least_curvature = 1e-3; /* of Q_tt in G, relative to the mean */

int pdsg_steps_init(struct pdsg_steps *p, int64_t most, int64_t functions, struct error *e) {
    *p = (struct pdsg_steps){.most = most};
    p->dual = memory_zeroed(functions * functions, sizeof *p->dual, "the dual step", e);
    return p->dual == NULL ? -1 : cholesky_set_reserve(&p->factor, most, e);
}

void pdsg_steps_free(struct pdsg_steps *p) {
    free(p->dual);
    cholesky_set_free(&p->factor);
    *p = (struct pdsg_steps){0};
}

void pdsg_steps_prepare(struct pdsg_steps *p, const struct subproblem *s) {
    int64_t n = s->functions;
    double mean = subproblem_mean(s), least = least_curvature * mean;
    p->least = least_eigenvalue * mean;
    p->part = 1;
    memset(p->dual, 0, sizeof *p->dual * (size_t)(n * n));
    for (int64_t t = 0; t < s->count; t++) {
        const double *a = s->a + t * n;
        double weight = 1 / fmax(s->diagonal[t], least);
        for (int64_t j = 0; j < n; j++)
            for (int64_t k = 0; k <= j; k++)
                p->dual[j * n + k] += weight * a[j] * a[k];
    }
    semidefinite_factor(p->dual, n);
}

/* ---- the sub-working set */

/* The worst violators, worst first. */
static void choose(struct pdsg_steps *p, const struct subproblem *s) {
    double least = 0;
    p->size = 0;
    for (int64_t t = 0; t < s->count; t++) {
        double v = subproblem_violation(s, t);
        if (v <= least)
            continue;
        int64_t k = p->size < p->most ? p->size++ : p->most - 1;
        for (; k > 0 && p->badness[k - 1] < v; k--) {
            p->badness[k] = p->badness[k - 1];
            p->chosen[k] = p->chosen[k - 1];
        }
        p->badness[k] = v;
        p->chosen[k] = t;
        least = p->size == p->most ? p->badness[p->most - 1] : 0;
    }
}

/* Those off their bounds come first. */
static void split(struct pdsg_steps *p, const struct subproblem *s) {
    p->inside = 0;
    for (int64_t k = 0; k < p->size; k++) {
        int64_t t = p->chosen[k];
        if (!subproblem_inside(s, t))
            continue;
        p->chosen[k] = p->chosen[p->inside];
        p->chosen[p->inside++] = t;
    }
}

static int get_rows(struct pdsg_steps *p, const struct subproblem *s, struct error *e) {
    int64_t index[SUBPROBLEM_ROWS_MOST], distinct = 0, place[SUBPROBLEM_ROWS_MOST];
    const float *row[SUBPROBLEM_ROWS_MOST];
    for (int64_t k = 0; k < p->size; k++) {
        int64_t r = p->chosen[k] % s->rows;
        for (place[k] = 0; place[k] < distinct && index[place[k]] != r;)
            place[k]++;
        if (place[k] == distinct)
            index[distinct++] = r;
    }
    if (s->get(s->opaque, index, distinct, row, e) != 0)
        return -1;
    for (int64_t k = 0; k < p->size; k++)
        p->row[k] = row[place[k]];
    return 0;
}

/* ---- the primal step */

static double entry(const struct pdsg_steps *p, const struct subproblem *s, int64_t k, int64_t l) {
    int64_t t = p->chosen[k], u = p->chosen[l];
    return s->sign[t] * s->sign[u] * (double)p->row[k][u % s->rows];
}

/* step = -H^-1 g over the part of W off its bounds. */
static void solve_block(struct pdsg_steps *p, const struct subproblem *s) {
    double m[SUBPROBLEM_ROWS_MOST];
    p->factor.size = 0;
    for (int64_t k = 0; k < p->inside; k++) {
        double diagonal = s->diagonal[p->chosen[k]],
               least = fmax(least_eigenvalue * diagonal, p->least);
        for (int64_t l = 0; l < k; l++)
            m[l] = entry(p, s, k, l);
        double pivot = cholesky_set_pivot(&p->factor, m, diagonal + least);
        cholesky_set_append(&p->factor, m, fmax(pivot, least));
        p->step[k] = -s->gradient[p->chosen[k]];
    }
    cholesky_set_forward(&p->factor, p->step);
    cholesky_set_backward(&p->factor, p->step);
}

/* d, and its slope. */
static double find_direction(struct pdsg_steps *p, const struct subproblem *s) {
    double slope = 0;
    if (p->inside == 1)
        p->step[0] = -s->gradient[p->chosen[0]] / fmax(s->diagonal[p->chosen[0]], p->least);
    else if (p->inside > 1)
        solve_block(p, s);
    for (int64_t k = p->inside; k < p->size; k++)
        p->step[k] = -s->gradient[p->chosen[k]] / fmax(s->diagonal[p->chosen[k]], p->least);
    for (int64_t k = 0; k < p->size; k++) {
        int64_t t = p->chosen[k];
        p->step[k] = clip(s->z[t] + p->step[k], 0, s->upper[t]) - s->z[t];
        slope += p->step[k] * s->gradient[t];
    }
    return slope;
}

/* alpha in [0, 1] that is best along d. */
static double search(const struct pdsg_steps *p, const struct subproblem *s, double slope) {
    double curvature = 0;
    for (int64_t k = 0; k < p->size; k++) {
        curvature += p->step[k] * p->step[k] * s->diagonal[p->chosen[k]];
        for (int64_t l = 0; l < k; l++)
            curvature += 2 * p->step[k] * p->step[l] * entry(p, s, k, l);
    }
    return -slope < curvature ? -slope / curvature : 1;
}

static int step_primal(struct pdsg_steps *p, struct subproblem *s, struct error *e) {
    split(p, s);
    if (get_rows(p, s, e) != 0)
        return -1;
    double slope = find_direction(p, s);
    if (!(slope < 0)) { /* the clipped step of several need not descend; that of one does */
        p->size = 1;
        p->inside = subproblem_inside(s, p->chosen[0]);
        slope = find_direction(p, s);
    }
    double alpha = search(p, s, slope);
    for (int64_t k = 0; k < p->size; k++)
        if (p->step[k] != 0)
            subproblem_move(s, p->chosen[k], alpha * p->step[k], p->row[k]);
    return 0;
}

/* ---- the dual step */

static void step_dual(const struct pdsg_steps *p, struct subproblem *s) {
    memcpy(s->shift, s->residual, sizeof *s->shift * (size_t)s->functions);
    semidefinite_solve(p->dual, s->functions, s->shift);
    vector_scale(s->shift, p->part, s->functions);
    subproblem_shift(s, s->shift);
}

int pdsg_steps_solve(struct pdsg_steps *p, struct subproblem *s, double tolerance, int64_t steps,
                     int64_t *taken, struct error *e) {
    double before = INFINITY;
    for (int64_t step = 0;; step++) {
        choose(p, s);
        double worst = p->size > 0 ? p->badness[0] : 0, imbalance = subproblem_imbalance(s);
        if (worst <= tolerance && imbalance <= tolerance)
            return 1;
        if (step % s->count == 0) {
            p->part *= imbalance > imbalance_growth * before ? dual_damping : 1;
            before = fmin(before, fmax(imbalance, tolerance));
        }
        if (step == steps || (step % POLL == POLL - 1 && s->stop(s->stopper)))
            return 0;
        if (p->size > 0 && step_primal(p, s, e) != 0)
            return -1;
        if (s->functions > 0)
            step_dual(p, s);
        ++*taken;
    }
}
