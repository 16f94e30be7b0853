/* free_set.c - Newton steps in the variables off their bounds and the multipliers. */
#include "solvers/kernel_machine/free_set.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/semidefinite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { JOINING = 16, WAITING = 32 };
enum { OUTSIDE, WITHIN, REFUSED };

static const double dependent_length = 1e-12; /* of a squared length */
static const double at_bound = 1e-12;         /* of C: as near to a bound is at it */
static const double ridge_of_diagonal =
    1e-7; /* of Q_tt: above what rounding to floats makes indefinite */

int free_set_init(struct free_set *f, int64_t count, int64_t most, int64_t functions,
                  struct error *e) {
    *f = (struct free_set){.most = most < count ? most : count};
    f->member = memory_new(2 * f->most, sizeof *f->member, "the free variables", e);
    f->state_of = memory_zeroed(count, 1, "the free variables", e);
    f->step = memory_new(f->most, (size_t)(2 + CHOLESKY_SET_TOGETHER + functions) * sizeof *f->step,
                         "a step", e);
    f->state = memory_new(2 * (count + functions), sizeof *f->state, "the free variables", e);
    f->moved = memory_zeroed(count, sizeof *f->moved, "a step", e);
    f->dual = memory_zeroed(functions, (size_t)(2 * functions + 2) * sizeof *f->dual, "a step", e);
    if (f->member == NULL || f->state_of == NULL || f->step == NULL || f->dual == NULL ||
        f->moved == NULL || f->state == NULL)
        return -1;
    f->inside = f->member + f->most;
    f->column = f->step + f->most;
    f->reduced = f->column + CHOLESKY_SET_TOGETHER * f->most;
    f->image = f->reduced + f->most;
    f->gram = f->dual + functions * functions;
    f->shift = f->gram + functions * functions;
    f->shifted = f->shift + functions;
    return cholesky_set_reserve(&f->factor, f->most, e);
}

void free_set_free(struct free_set *f) {
    free(f->member);
    free(f->state_of);
    free(f->step);
    free(f->moved);
    free(f->dual);
    free(f->state);
    cholesky_set_free(&f->factor);
    *f = (struct free_set){0};
}

/* ---- who is in */

/* column = Q_Ft; then also of those of `others` that are to join before t. */
static int load_column(struct free_set *f, const struct subproblem *s, int64_t t,
                       const int64_t *others, int64_t count, double *column, struct error *e) {
    const float *row;
    int64_t r = t % s->rows;
    if (s->get(s->opaque, &r, 1, &row, e) != 0)
        return -1;
    for (int64_t k = 0; k < f->size + count; k++) {
        int64_t u = k < f->size ? f->member[k] : others[k - f->size];
        column[k] = s->sign[t] * s->sign[u] * (double)row[u % s->rows];
    }
    return 0;
}

/* t, with L^-1 Q_Ft in the column. */
static void append(struct free_set *f, const struct subproblem *s, int64_t t,
                   const double *column) {
    double least = ridge_of_diagonal * fmax(s->diagonal[t], f->mean);
    double pivot = s->diagonal[t] + least - vector_dot_wide(column, column, f->size);
    cholesky_set_append(&f->factor, column, fmax(pivot, least));
    for (int64_t j = 0; j < s->functions; j++) {
        double *image = f->image + j * f->most;
        image[f->size] = cholesky_set_extend(&f->factor, image, s->a[t * s->functions + j]);
    }
    f->member[f->size++] = t;
    f->state_of[t] = WITHIN;
}

static int join(struct free_set *f, const struct subproblem *s, int64_t t, struct error *e) {
    if (load_column(f, s, t, NULL, 0, f->column, e) != 0)
        return -1;
    cholesky_set_forward(&f->factor, f->column);
    append(f, s, t, f->column);
    return 0;
}

/* CHOLESKY_SET_TOGETHER variables: the factor is read once for all. */
static int join_together(struct free_set *f, const struct subproblem *s, const int64_t *chosen,
                         struct error *e) {
    double *column[CHOLESKY_SET_TOGETHER];
    for (int64_t k = 0; k < CHOLESKY_SET_TOGETHER; k++) {
        column[k] = f->column + k * f->most;
        if (load_column(f, s, chosen[k], chosen, k, column[k], e) != 0)
            return -1;
    }
    cholesky_set_forward_together(&f->factor, column);
    for (int64_t k = 0; k < CHOLESKY_SET_TOGETHER; k++) {
        append(f, s, chosen[k], column[k]);
        for (int64_t l = k + 1; l < CHOLESKY_SET_TOGETHER; l++)
            column[l][f->size - 1] =
                cholesky_set_extend(&f->factor, column[l], column[l][f->size - 1]);
    }
    return 0;
}

static int join_all(struct free_set *f, const struct subproblem *s, const int64_t *chosen,
                    int64_t count, struct error *e) {
    int64_t k = 0;
    for (; k + CHOLESKY_SET_TOGETHER <= count; k += CHOLESKY_SET_TOGETHER)
        if (join_together(f, s, chosen + k, e) != 0)
            return -1;
    for (; k < count; k++)
        if (join(f, s, chosen[k], e) != 0)
            return -1;
    return 0;
}

/* gram -= x x', by its lower triangle. */
static void downdate(double *gram, const double *x, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l <= j; l++)
            gram[j * n + l] -= x[j] * x[l];
}

/* Who leaves before it could move is not to come back until others have moved. */
static void leave(struct free_set *f, const struct subproblem *s, int64_t k, bool moved) {
    int64_t n = s->functions;
    f->state_of[f->member[k]] = moved ? OUTSIDE : REFUSED;
    f->refused += !moved;
    cholesky_set_remove(&f->factor, (int)k);
    cholesky_set_rotate(&f->factor, (int)k, f->reduced);
    for (int64_t j = 0; j < n; j++)
        s->shift[j] = cholesky_set_rotate(&f->factor, (int)k, f->image + j * f->most);
    downdate(f->gram, s->shift, n);
    f->size--;
    memmove(f->member + k, f->member + k + 1, sizeof *f->member * (size_t)(f->size - k));
    memmove(f->step + k, f->step + k + 1, sizeof *f->step * (size_t)(f->size - k));
}

static void forgive(struct free_set *f, const struct subproblem *s) {
    for (int64_t t = 0; t < s->count && f->refused > 0; t++)
        if (f->state_of[t] == REFUSED) {
            f->state_of[t] = OUTSIDE;
            f->refused--;
        }
}

/* 1, 0 when there are too many, -1 with the error set. */
static int begin(struct free_set *f, const struct subproblem *s, struct error *e) {
    int64_t inside = 0;
    for (int64_t t = 0; t < s->count && inside <= f->most; t++)
        if (subproblem_inside(s, t) && inside++ < f->most)
            f->inside[inside - 1] = t;
    if (inside > f->most)
        return 0;
    f->size = f->factor.size = 0;
    f->joining = JOINING;
    f->waiting = 0;
    f->current = false;
    f->mean = subproblem_mean(s);
    f->refused = 0;
    memset(f->state_of, OUTSIDE, (size_t)s->count);
    return join_all(f, s, f->inside, inside, e) == 0 ? 1 : -1;
}

/* The violators that are not in, up to `joining`, the worst of them. 1; 0 when there is no room. */
static int join_violators(struct free_set *f, const struct subproblem *s, double tolerance,
                          struct error *e) {
    int64_t chosen[JOINING], size = 0;
    double badness[JOINING], least = tolerance;
    for (int64_t t = 0; t < s->count; t++) {
        double v = subproblem_violation(s, t);
        if (v <= least || f->state_of[t] != OUTSIDE)
            continue;
        int64_t k = size < f->joining ? size++ : f->joining - 1;
        for (; k > 0 && badness[k - 1] < v; k--) {
            badness[k] = badness[k - 1];
            chosen[k] = chosen[k - 1];
        }
        badness[k] = v;
        chosen[k] = t;
        least = size == f->joining ? badness[size - 1] : tolerance;
    }
    if (f->size + size > f->most)
        return 0;
    return join_all(f, s, chosen, size, e) == 0 ? 1 : -1;
}

/* shift = the part of the residual that no variable of F can balance, across which their slopes stay;
 * whether it is more than rounding. */
static bool find_unbalanced(struct free_set *f, const struct subproblem *s) {
    int64_t n = s->functions;
    memset(f->dual, 0, sizeof *f->dual * (size_t)(n * n));
    for (int64_t k = 0; k < f->size; k++) {
        const double *a = s->a + f->member[k] * n;
        for (int64_t j = 0; j < n; j++)
            for (int64_t l = 0; l <= j; l++)
                f->dual[j * n + l] += a[j] * a[l];
    }
    semidefinite_factor(f->dual, n);
    memcpy(s->shift, s->residual, sizeof *s->shift * (size_t)n);
    semidefinite_solve(f->dual, n, s->shift);
    memcpy(f->shift, s->residual, sizeof *f->shift * (size_t)n);
    for (int64_t k = 0; k < f->size; k++) {
        const double *a = s->a + f->member[k] * n;
        double rate = vector_dot(a, s->shift, n);
        for (int64_t j = 0; j < n; j++)
            f->shift[j] -= rate * a[j];
    }
    return vector_dot(f->shift, f->shift, n) >
           dependent_length * vector_dot(s->residual, s->residual, n);
}

/* Where F cannot balance A z: eta goes along what is left of it until the slope of a variable at its bound
 * is 0 that can, and this one joins. 1, 0 when there is none, -1 with the error set. */
static int join_balancing(struct free_set *f, struct subproblem *s, struct error *e) {
    int64_t n = s->functions, chosen = -1;
    double nearest = INFINITY;
    if (!find_unbalanced(f, s))
        return 1;
    for (int64_t t = 0; t < s->count; t++) {
        double rate = vector_dot(s->a + t * n, f->shift, n);
        bool balances = (rate < 0 && s->z[t] < s->upper[t]) || (rate > 0 && s->z[t] > 0);
        if (f->state_of[t] != OUTSIDE || !balances)
            continue;
        double way = fmax(0, -s->gradient[t] / rate);
        if (way < nearest) {
            nearest = way;
            chosen = t;
        }
    }
    if (chosen < 0 || f->size == f->most)
        return 0;
    vector_scale(f->shift, nearest, n);
    subproblem_shift(s, f->shift);
    return join(f, s, chosen, e) == 0 ? 1 : -1;
}

/* ---- a step */

/* reduced = L^-1 (-g_F), gram = image' image. */
static void reduce(struct free_set *f, const struct subproblem *s) {
    int64_t n = s->functions;
    for (int64_t k = 0; k < f->size; k++)
        f->reduced[k] = -s->gradient[f->member[k]];
    cholesky_set_forward(&f->factor, f->reduced);
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l <= j; l++)
            f->gram[j * n + l] =
                vector_dot(f->image + j * f->most, f->image + l * f->most, f->size);
    f->current = true;
}

/* shift = (A_F Q_FF^-1 A_F')^-1 (A z - b + image' reduced), step = L'^-1 (reduced - image shift). */
static void find_step(struct free_set *f, const struct subproblem *s) {
    int64_t n = s->functions;
    if (!f->current)
        reduce(f, s);
    for (int64_t j = 0; j < n; j++)
        f->shift[j] = s->residual[j] + vector_dot(f->image + j * f->most, f->reduced, f->size);
    memcpy(f->dual, f->gram, sizeof *f->dual * (size_t)(n * n));
    semidefinite_factor(f->dual, n);
    semidefinite_solve(f->dual, n, f->shift);
    memcpy(f->step, f->reduced, sizeof *f->step * (size_t)f->size);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < f->size; k++)
            f->step[k] -= f->shift[j] * f->image[j * f->most + k];
    cholesky_set_backward(&f->factor, f->step);
}

/* What part of the step the box allows; not-a-number when it has no numbers. */
static double allowed(const struct free_set *f, const struct subproblem *s) {
    double part = 1, sum = 0;
    for (int64_t k = 0; k < f->size; k++) {
        int64_t t = f->member[k];
        sum += f->step[k];
        double room = f->step[k] > 0 ? s->upper[t] - s->z[t] : s->z[t];
        if (fabs(f->step[k]) * part > room)
            part = room / fabs(f->step[k]);
    }
    for (int64_t j = 0; j < s->functions; j++)
        sum += f->shift[j];
    return isfinite(sum) ? part : NAN;
}

/* The slopes and eta follow what was moved since they last did. */
static int catch_up(struct free_set *f, struct subproblem *s, struct error *e) {
    for (int64_t t = 0; t < s->count && f->waiting > 0; t++) {
        const float *row;
        int64_t r = t % s->rows;
        if (f->moved[t] == 0)
            continue;
        if (s->get(s->opaque, &r, 1, &row, e) != 0)
            return -1;
        subproblem_slope(s, t, f->moved[t], row);
        f->moved[t] = 0;
    }
    if (f->waiting > 0)
        subproblem_shift(s, f->shifted);
    memset(f->shifted, 0, sizeof *f->shifted * (size_t)s->functions);
    f->waiting = 0;
    f->current = false;
    return 0;
}

static void move(struct free_set *f, struct subproblem *s, double part) {
    for (int64_t k = 0; k < f->size; k++) {
        int64_t t = f->member[k];
        double step = part * f->step[k];
        double room = step > 0 ? s->upper[t] - s->z[t] : s->z[t];
        if (fabs(step) >= room - at_bound * s->upper[t])
            step = step > 0 ? room : -room;
        subproblem_set(s, t, step);
        f->moved[t] += step;
    }
    for (int64_t j = 0; j < s->functions; j++)
        f->shifted[j] += part * f->shift[j];
    f->waiting++;
}

/* Takes the part; who meets a bound leaves. As the system says, (1 - part) g_F is left of the slopes in F. */
static int take(struct free_set *f, struct subproblem *s, double part, struct error *e) {
    if (part > 0)
        move(f, s, part);
    vector_scale(f->reduced, 1 - part, f->size);
    for (int64_t k = f->size - 1; k >= 0; k--) {
        int64_t t = f->member[k];
        bool out = f->step[k] > 0 ? s->z[t] >= s->upper[t] : s->z[t] <= 0;
        if (out && part < 1)
            leave(f, s, k, part > 0);
    }
    return part == 1 || f->waiting == WAITING ? catch_up(f, s, e) : 0;
}

/* ---- the steps */

static int take_steps(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                      struct error *e) {
    int status = begin(f, s, e);
    for (int64_t k = 0; status == 1; k++) {
        if (f->waiting == 0 && subproblem_worst(s) <= tolerance &&
            subproblem_imbalance(s) <= tolerance)
            return 1;
        if (k == steps || s->stop(s->stopper))
            return 0;
        find_step(f, s);
        double part = allowed(f, s);
        if (!isfinite(part))
            return 0;
        if (take(f, s, part, e) != 0)
            return -1;
        if (part == 0 && f->joining > 1)
            f->joining /= 2;
        if (part > 0)
            forgive(f, s);
        if (part == 1)
            status = subproblem_imbalance(s) > tolerance ? join_balancing(f, s, e)
                                                         : join_violators(f, s, tolerance, e);
    }
    return status;
}

static void copy_state(const struct subproblem *s, double *state, bool back) {
    double *const part[] = {s->z, s->gradient, s->eta, s->residual};
    for (int k = 0; k < 4; k++) {
        int64_t n = k < 2 ? s->count : s->functions;
        memcpy(back ? part[k] : state, back ? state : part[k], sizeof *state * (size_t)n);
        state += n;
    }
}

int free_set_solve(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                   struct error *e) {
    double before = fmax(subproblem_worst(s), subproblem_imbalance(s));
    copy_state(s, f->state, false);
    int status = take_steps(f, s, tolerance, steps, e);
    if (status >= 0 && f->waiting > 0 && catch_up(f, s, e) != 0)
        return -1;
    if (status == 0 && fmax(subproblem_worst(s), subproblem_imbalance(s)) > before)
        copy_state(s, f->state, true);
    return status;
}
