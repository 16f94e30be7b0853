/* mpd_steps.c - the method of multipliers by coordinates. */
#include "solvers/kernel_machine/mpd_steps.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_PER_POLL = 256 }; /* steps between two polls of the limits */

static const double first_penalty = 0.1; /* rho_j at the start, times mean Q_tt / mean A_jt^2 */
static const double penalty_growth = 4,
                    imbalance_decrease =
                        0.25; /* growth of rho if |A z - b| is not below this times the last */
static const double threshold_decrease = 0.3; /* at each update of eta */
static const double min_curvature = 1e-8;     /* relative to the mean of Q_tt */

int mpd_steps_init(struct mpd_steps *m, int64_t functions, struct error *e) {
    *m = (struct mpd_steps){.mean_diagonal = 1};
    m->penalty = memory_zeroed(functions, sizeof *m->penalty, "the penalties", e);
    return m->penalty == NULL ? -1 : 0;
}

void mpd_steps_free(struct mpd_steps *m) {
    free(m->penalty);
    *m = (struct mpd_steps){0};
}

void mpd_steps_prepare(struct mpd_steps *m, const struct subproblem *s) {
    int64_t n = s->functions;
    m->mean_diagonal = subproblem_mean_diagonal(s);
    m->threshold = m->last_imbalance = INFINITY;
    for (int64_t j = 0; j < n; j++) {
        double square = 0;
        for (int64_t t = 0; t < s->count; t++)
            square += s->a[t * n + j] * s->a[t * n + j];
        m->penalty[j] =
            square > 0 ? first_penalty * m->mean_diagonal * (double)s->count / square : 0;
    }
}

/* The variable with the largest violation, which is put into *worst; -1 if there is none. */
static int64_t find_largest_violation(const struct subproblem *s, double *worst) {
    int64_t chosen = -1;
    *worst = 0;
    for (int64_t t = 0; t < s->count; t++) {
        double v = subproblem_violation(s, t);
        if (v > *worst) {
            *worst = v;
            chosen = t;
        }
    }
    return chosen;
}

static int step_primal(const struct mpd_steps *m, struct subproblem *s, int64_t t,
                       struct error *e) {
    const double *a = s->a + t * s->functions;
    const float *row;
    int64_t r = t % s->rows;
    double curvature = fmax(s->diagonal[t], min_curvature * m->mean_diagonal);
    for (int64_t j = 0; j < s->functions; j++)
        curvature += m->penalty[j] * a[j] * a[j];
    if (s->get(s->opaque, &r, 1, &row, e) != 0)
        return -1;
    double step = clip(s->z[t] - s->gradient[t] / curvature, 0, s->upper[t]) - s->z[t];
    subproblem_move(s, t, step, row);
    for (int64_t j = 0; j < s->functions; j++)
        s->shift[j] = m->penalty[j] * step * a[j];
    subproblem_shift_multipliers(s, s->shift);
    return 0;
}

/* eta <- eta + rho (A z - b) */
static void shift_by_residual(const struct mpd_steps *m, struct subproblem *s) {
    for (int64_t j = 0; j < s->functions; j++)
        s->shift[j] = m->penalty[j] * s->residual[j];
    subproblem_shift_multipliers(s, s->shift);
}

int mpd_steps_solve(struct mpd_steps *m, struct subproblem *s, double tolerance, int64_t steps,
                    int64_t *taken, struct error *e) {
    double worst;
    for (int64_t step = 0;; step++) {
        int64_t t = find_largest_violation(s, &worst);
        double imbalance = subproblem_imbalance(s);
        if (worst <= tolerance && imbalance <= tolerance)
            return 1;
        if (step >= steps ||
            (step % STEPS_PER_POLL == STEPS_PER_POLL - 1 && s->stop(s->stop_opaque)))
            return 0;
        ++*taken;
        if (isinf(m->threshold))
            m->threshold = threshold_decrease * worst;
        if (t >= 0 && worst > fmax(m->threshold, tolerance)) {
            if (step_primal(m, s, t, e) != 0)
                return -1;
            continue;
        }
        if (imbalance > imbalance_decrease * m->last_imbalance)
            for (int64_t j = 0; j < s->functions; j++)
                m->penalty[j] *= penalty_growth;
        m->last_imbalance = imbalance;
        m->threshold *= threshold_decrease;
        shift_by_residual(m, s);
    }
}
