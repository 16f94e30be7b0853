/* sdm_visit.c - steps of `sdm`: the best dual variables of one row, the others fixed.
 *
 * The dual is -||x_i||^2/2 times a square in beta_i, so that its maximizer is the projection of
 * beta_i + (e_i + s_i)/||x_i||^2 to the simplex (Keerthi et al. 2008, section 3, equation (8), which they solve by
 * sorting). */
#include "solvers/dual/sdm.h"

#include <math.h>
#include <string.h>

static const double least_change =
    1e-15; /* of the row's largest beta_ik, k != y_i: changes below are none */

/* Scratch memory of a visit, a number a class each: beta_i before the visit, the gradient e_i + s_i, the point that is
 * projected, and what the projection needs. Of the true class it has beta_iy - C_i, as minus the sum of the others: no
 * digits are lost. */
struct visit {
    double *beta, *gradient, *v, *work;
};

static struct visit visit_of(const struct sdm *s) {
    double *at = s->work;
    int64_t classes = s->rows.classes;
    return (struct visit){at, at + classes, at + 2 * classes, at + 3 * classes};
}

/* The step along the gradient: 1/||x_i||^2, and at least fixed_reach C_i where W stays fixed. */
static double step_of(const struct sdm *s, int64_t i, bool w_is_fixed) {
    static const double fixed_reach =
        10; /* classes whose margins differ by less than 1/fixed_reach share C_i */
    double step = sdm_step(&s->rows, i);
    return w_is_fixed ? fmax(step, fixed_reach * s->rows.cost[i]) : step;
}

/* The largest beta_ik before and after the visit but for the true class. */
static double largest_other(const struct visit *visit, int64_t n, int64_t own) {
    double largest = 0;
    for (int64_t k = 0; k < n; k++)
        largest = k == own ? largest : fmax(largest, fmax(visit->beta[k], visit->v[k]));
    return largest;
}

/* Row i's new list, and in `selected` and `changes` the classes that changed, by -change; how many. */
static int64_t append_changes(struct sdm *s, int64_t i, const struct visit *visit,
                              double *changes) {
    int64_t own = sdm_class(&s->rows, i), changed = 0;
    double least = least_change * largest_other(visit, s->rows.classes, own);
    sdm_duals_begin(&s->next, i);
    for (int64_t k = 0; k < s->rows.classes; k++) {
        double beta = visit->v[k], change = beta - visit->beta[k];
        if (fabs(change) > least) {
            s->selected[changed] = (int32_t)k;
            changes[changed++] = -change;
        } else {
            beta = visit->beta[k];
        }
        beta += k == own ? s->rows.cost[i] : 0;
        if (beta > 0)
            sdm_duals_append(&s->next, i, (int32_t)k, beta);
    }
    return changed;
}

static void visit_all(struct sdm *s, int64_t i, bool is_first, bool w_is_fixed) {
    const struct sdm_rows *rows = &s->rows;
    const struct visit visit = visit_of(s);
    int64_t classes = rows->classes, own = sdm_class(rows, i), first = s->duals.first[i];
    double step = step_of(s, i, w_is_fixed), nonzeros = sdm_nonzeros(rows, i), others = 0;
    if (is_first)
        memset(visit.gradient, 0, sizeof(double) * (size_t)classes);
    else
        sdm_scores(rows, i, s->w, visit.gradient);
    memset(visit.beta, 0, sizeof(double) * (size_t)classes);
    for (int64_t a = first; a < first + s->duals.count[i]; a++)
        if (s->duals.class[a] != own)
            others += visit.beta[s->duals.class[a]] = s->duals.beta[a];
    visit.beta[own] = -others;
    for (int64_t k = 0; k < classes; k++)
        visit.v[k] =
            visit.beta[k] + step * (visit.gradient[k] + (k == own ? 0 : rows->terms->margin));
    sdm_project(visit.v, classes, own, rows->cost[i], visit.work);
    int64_t changed = append_changes(s, i, &visit, visit.work);
    if (!w_is_fixed)
        sdm_add_to(rows, i, s->selected, changed, visit.work, s->w);
    s->changed |= changed > 0;
    sdm_touch(s, nonzeros * (double)((is_first ? 0 : classes) + (w_is_fixed ? 0 : changed)));
}

/* Row i's list as it was. */
static void keep_list(struct sdm *s, int64_t i) {
    const struct sdm_duals *duals = &s->duals;
    int64_t first = duals->first[i], end = first + duals->count[i];
    sdm_duals_begin(&s->next, i);
    for (int64_t a = first; a < end; a++)
        sdm_duals_append(&s->next, i, duals->class[a], duals -> beta[a]);
}

int sdm_sweep_all(struct sdm *s, bool w_is_fixed, struct error *e) {
    enum { VISITS_BETWEEN_LOOKS = 256 }; /* between looks at the clock */
    const struct sdm_rows *rows = &s->rows;
    bool is_first = !w_is_fixed && s->touched == 0, stopped = false;
    random_permutation(&s->random, s->order, rows->count);
    s->next.entries = 0;
    for (int64_t a = 0; a < rows->count; a++) {
        int64_t i = s->order[a];
        stopped = stopped || (a % VISITS_BETWEEN_LOOKS == 0 && sdm_is_stopped(s)) ||
                  !sdm_affords(s, 2 * sdm_nonzeros(rows, i) * (double)rows->classes, true);
        if (sdm_duals_reserve(&s->next, rows->classes, e) != 0)
            return -1;
        if (rows->cost[i] == 0 || stopped) {
            keep_list(s, i);
        } else {
            visit_all(s, i, is_first, w_is_fixed);
            is_first = is_first && !s->changed;
        }
    }
    sdm_swap(s);
    return 0;
}

/* Loads the row's active classes into the visit: beta, the gradient, the point to project. Returns where the true class
 * is among them, -1 where it is not. */
static int64_t load_active(const struct sdm *s, int64_t i, const struct visit *visit) {
    const struct sdm_rows *rows = &s->rows;
    int64_t count = s->duals.count[i], own = -1;
    const int32_t *class = s->duals.class + s->duals.first[i];
    double step = sdm_step(rows, i), others = 0;
    sdm_scores_of(rows, i, s->w, class, count, visit->gradient);
    for (int64_t a = 0; a < count; a++) {
        visit->beta[a] = s->duals.beta[s->duals.first[i] + a];
        if (class[a] == sdm_class(rows, i)) {
            own = a;
        } else {
            visit->gradient[a] += rows->terms->margin;
            others += visit->beta[a];
        }
    }
    if (own >= 0)
        visit->beta[own] = -others;
    for (int64_t a = 0; a < count; a++)
        visit->v[a] = visit->beta[a] + step * visit->gradient[a];
    return own;
}

static void project_active(const struct visit *visit, int64_t count, int64_t own, double total) {
    if (own >= 0) {
        sdm_project(visit->v, count, own, total, visit->work);
        return;
    }
    double level = sdm_multiplier(visit->v, count, total, visit->work);
    for (int64_t a = 0; a < count; a++)
        visit->v[a] = fmax(visit->v[a] - level, 0);
}

/* The row's gap over its active classes before the step. */
static double gap_of_active(const struct visit *visit, int64_t count, int64_t own, double total) {
    double base = own >= 0 ? visit->gradient[own] : 0, top = -INFINITY, mean = 0;
    for (int64_t a = 0; a < count; a++) {
        double gradient = visit->gradient[a] - base;
        top = fmax(top, gradient);
        mean += visit->beta[a] * gradient;
    }
    return total * top - mean;
}

/* Returns the row's gap over its active classes before the step. */
static double visit_active(struct sdm *s, int64_t i) {
    const struct sdm_rows *rows = &s->rows;
    const struct visit visit = visit_of(s);
    int64_t count = s->duals.count[i], changed = 0, own = load_active(s, i, &visit);
    double *beta = s->duals.beta + s->duals.first[i], total = rows->cost[i];
    double gap = gap_of_active(&visit, count, own, total);
    project_active(&visit, count, own, total);
    double least = least_change * largest_other(&visit, count, own);
    for (int64_t a = 0; a < count; a++) {
        double change = visit.v[a] - visit.beta[a];
        if (fabs(change) > least) {
            s->selected[changed] = s->duals.class[s->duals.first[i] + a];
            visit.work[changed++] = -change;
            beta[a] = fmax(visit.v[a] + (a == own ? total : 0), 0);
        }
    }
    sdm_add_to(rows, i, s->selected, changed, visit.work, s->w);
    s->changed |= changed > 0;
    sdm_touch(s, sdm_nonzeros(rows, i) * (double)(count + changed));
    return gap;
}

double sdm_sweep_active(struct sdm *s, int64_t count) {
    enum { VISITS_BETWEEN_LOOKS = 1024 }; /* between looks at the clock */
    double gap = 0;
    for (int64_t a = 0; a < count; a++) {
        if (a % VISITS_BETWEEN_LOOKS == 0 && sdm_is_stopped(s))
            break;
        int64_t i = random_draw(&s->random, s->order, a, count);
        if (!sdm_affords(s, 2 * sdm_nonzeros(&s->rows, i) * (double)s->duals.count[i], true))
            break;
        gap += visit_active(s, i);
    }
    return gap;
}

int64_t sdm_list_active(struct sdm *s) {
    int64_t count = 0;
    for (int64_t i = 0; i < s->rows.count; i++)
        if (s->duals.count[i] > 1)
            s->order[count++] = i;
    return count;
}
