/* free_set.c - Newton steps in the free variables and the multipliers. */
#include "solvers/kernel_machine/free_set.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/matrices/semidefinite.h"
#include "math/rounding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_JOIN = 16,         /* variables that join F after a full step */
    MAX_PENDING_STEPS = 32 /* cut steps before the gradient is brought up to date */
};
enum { OUTSIDE_FREE_SET, IN_FREE_SET, REFUSED_VARIABLE };

static const double zero_square_length = 1e-12; /* relative, of squared lengths: below is 0 */
static const double ridge_of_diagonal =
    1e-7; /* of Q_tt: larger than the indefiniteness that rounding K to floats can cause */

int free_set_init(struct free_set *f, int64_t count, int64_t max_size, int64_t functions,
                  struct error *e) {
    *f = (struct free_set){.capacity = max_size < count ? max_size : count};
    f->member = memory_new(2 * f->capacity, sizeof *f->member, "the free variables", e);
    f->membership = memory_zeroed(count, 1, "the free variables", e);
    f->step =
        memory_new(f->capacity, (size_t)(2 + CHOLESKY_SET_TOGETHER + functions) * sizeof *f->step,
                   "a step", e);
    f->saved_state =
        memory_new(2 * (count + functions), sizeof *f->saved_state, "the free variables", e);
    f->pending_z = memory_zeroed(count, sizeof *f->pending_z, "a step", e);
    f->gram_factor =
        memory_zeroed(functions, (size_t)(functions + 2) * sizeof *f->gram_factor, "a step", e);
    if (f->member == NULL || f->membership == NULL || f->step == NULL || f->gram_factor == NULL ||
        f->pending_z == NULL || f->saved_state == NULL)
        return -1;
    f->initial = f->member + f->capacity;
    f->column = f->step + f->capacity;
    f->reduced_gradient = f->column + CHOLESKY_SET_TOGETHER * f->capacity;
    f->reduced_a = f->reduced_gradient + f->capacity;
    f->eta_step = f->gram_factor + functions * functions;
    f->pending_eta = f->eta_step + functions;
    return cholesky_set_reserve(&f->factor, f->capacity, e);
}

void free_set_free(struct free_set *f) {
    free(f->member);
    free(f->membership);
    free(f->step);
    free(f->pending_z);
    free(f->gram_factor);
    free(f->saved_state);
    cholesky_set_free(&f->factor);
    *f = (struct free_set){0};
}

/* ---- variables that join F and leave it */

/* column = Q_Ft, and behind it Q_ut of the COUNT variables u in `others`, which will join before t. */
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

/* Appends variable t to F, to its factor and to the rows L^-1 A_F'; column = L^-1 Q_Ft. */
static void append_to_factor(struct free_set *f, const struct subproblem *s, int64_t t,
                             const double *column) {
    double ridge = ridge_of_diagonal * fmax(s->diagonal[t], f->mean_diagonal);
    double pivot = s->diagonal[t] + ridge - vector_dot_wide(column, column, f->size);
    cholesky_set_append(&f->factor, column, fmax(pivot, ridge));
    for (int64_t j = 0; j < s->functions; j++) {
        double *reduced_a = f->reduced_a + j * f->capacity;
        reduced_a[f->size] = cholesky_set_extend(&f->factor, reduced_a, s->a[t * s->functions + j]);
    }
    f->member[f->size++] = t;
    f->membership[t] = IN_FREE_SET;
}

static int add_variable(struct free_set *f, const struct subproblem *s, int64_t t,
                        struct error *e) {
    if (load_column(f, s, t, NULL, 0, f->column, e) != 0)
        return -1;
    cholesky_set_forward(&f->factor, f->column);
    append_to_factor(f, s, t, f->column);
    return 0;
}

/* Adds CHOLESKY_SET_TOGETHER variables, which reads the factor once for all of them. */
static int add_variables_together(struct free_set *f, const struct subproblem *s,
                                  const int64_t *chosen, struct error *e) {
    double *column[CHOLESKY_SET_TOGETHER];
    for (int64_t k = 0; k < CHOLESKY_SET_TOGETHER; k++) {
        column[k] = f->column + k * f->capacity;
        if (load_column(f, s, chosen[k], chosen, k, column[k], e) != 0)
            return -1;
    }
    cholesky_set_forward_together(&f->factor, column);
    for (int64_t k = 0; k < CHOLESKY_SET_TOGETHER; k++) {
        append_to_factor(f, s, chosen[k], column[k]);
        for (int64_t l = k + 1; l < CHOLESKY_SET_TOGETHER; l++)
            column[l][f->size - 1] =
                cholesky_set_extend(&f->factor, column[l], column[l][f->size - 1]);
    }
    return 0;
}

static int add_variables(struct free_set *f, const struct subproblem *s, const int64_t *chosen,
                         int64_t count, struct error *e) {
    int64_t k = 0;
    for (; k + CHOLESKY_SET_TOGETHER <= count; k += CHOLESKY_SET_TOGETHER)
        if (add_variables_together(f, s, chosen + k, e) != 0)
            return -1;
    for (; k < count; k++)
        if (add_variable(f, s, chosen[k], e) != 0)
            return -1;
    return 0;
}

/* Removes the k-th variable of F. If it has not moved, it may not join again before other variables have
 * moved (REFUSED_VARIABLE), or F could cycle. */
static void remove_variable(struct free_set *f, const struct subproblem *s, int64_t k, bool moved) {
    int64_t n = s->functions;
    f->membership[f->member[k]] = moved ? OUTSIDE_FREE_SET : REFUSED_VARIABLE;
    f->refused_count += !moved;
    cholesky_set_remove(&f->factor, (int)k);
    cholesky_set_rotate(&f->factor, (int)k, f->reduced_gradient);
    for (int64_t j = 0; j < n; j++)
        cholesky_set_rotate(&f->factor, (int)k, f->reduced_a + j * f->capacity);
    f->size--;
    memmove(f->member + k, f->member + k + 1, sizeof *f->member * (size_t)(f->size - k));
    memmove(f->step + k, f->step + k + 1, sizeof *f->step * (size_t)(f->size - k));
}

static void readmit_refused(struct free_set *f, const struct subproblem *s) {
    for (int64_t t = 0; t < s->count && f->refused_count > 0; t++)
        if (f->membership[t] == REFUSED_VARIABLE) {
            f->membership[t] = OUTSIDE_FREE_SET;
            f->refused_count--;
        }
}

/* F = all free variables. 1; 0: they are too many; -1 with the error set. */
static int start_free_set(struct free_set *f, const struct subproblem *s, struct error *e) {
    int64_t free_count = 0;
    for (int64_t t = 0; t < s->count && free_count <= f->capacity; t++)
        if (subproblem_is_free(s, t) && free_count++ < f->capacity)
            f->initial[free_count - 1] = t;
    if (free_count > f->capacity)
        return 0;
    f->size = f->factor.size = 0;
    f->max_join = MAX_JOIN;
    f->pending_steps = 0;
    f->is_reduced = false;
    f->mean_diagonal = subproblem_mean_diagonal(s);
    f->refused_count = 0;
    memset(f->membership, OUTSIDE_FREE_SET, (size_t)s->count);
    double size = (double)free_count;
    f->operations += size * size * size / 3;
    return add_variables(f, s, f->initial, free_count, e) == 0 ? 1 : -1;
}

/* Adds the variables outside F with the largest violations above the tolerance, at most max_join. 1; 0: F
 * would become too large; -1 with the error set. */
static int add_violators(struct free_set *f, const struct subproblem *s, double tolerance,
                         struct error *e) {
    int64_t chosen[MAX_JOIN], size = 0;
    double violation_of[MAX_JOIN], smallest = tolerance;
    for (int64_t t = 0; t < s->count; t++) {
        double v = subproblem_violation(s, t);
        if (v <= smallest || f->membership[t] != OUTSIDE_FREE_SET)
            continue;
        int64_t k = size < f->max_join ? size++ : f->max_join - 1;
        for (; k > 0 && violation_of[k - 1] < v; k--) {
            violation_of[k] = violation_of[k - 1];
            chosen[k] = chosen[k - 1];
        }
        violation_of[k] = v;
        chosen[k] = t;
        smallest = size == f->max_join ? violation_of[size - 1] : tolerance;
    }
    if (f->size + size > f->capacity)
        return 0;
    return add_variables(f, s, chosen, size, e) == 0 ? 1 : -1;
}

/* eta_step = the component of A z - b orthogonal to all columns A_t of F: steps in F cannot reduce it, and
 * multipliers that move along it do not change the gradient in F. Returns whether it exceeds rounding. */
static bool find_unbalanced(struct free_set *f, const struct subproblem *s) {
    int64_t n = s->functions;
    memset(f->gram_factor, 0, sizeof *f->gram_factor * (size_t)(n * n));
    for (int64_t k = 0; k < f->size; k++) {
        const double *a = s->a + f->member[k] * n;
        for (int64_t j = 0; j < n; j++)
            for (int64_t l = 0; l <= j; l++)
                f->gram_factor[j * n + l] += a[j] * a[l];
    }
    semidefinite_factor(f->gram_factor, n);
    memcpy(s->shift, s->residual, sizeof *s->shift * (size_t)n);
    semidefinite_solve(f->gram_factor, n, s->shift);
    memcpy(f->eta_step, s->residual, sizeof *f->eta_step * (size_t)n);
    for (int64_t k = 0; k < f->size; k++) {
        const double *a = s->a + f->member[k] * n;
        double rate = vector_dot(a, s->shift, n);
        for (int64_t j = 0; j < n; j++)
            f->eta_step[j] -= rate * a[j];
    }
    return vector_dot(f->eta_step, f->eta_step, n) >
           zero_square_length * vector_dot(s->residual, s->residual, n);
}

/* If steps in F cannot make A z - b zero, moves eta along the component that is left, until the gradient of a
 * variable at a bound is 0 whose move would reduce it; this variable joins F. 1; 0: there is no such variable;
 * -1 with the error set. */
static int add_balancing_variable(struct free_set *f, struct subproblem *s, struct error *e) {
    int64_t n = s->functions, chosen = -1;
    double nearest = INFINITY;
    if (!find_unbalanced(f, s))
        return 1;
    for (int64_t t = 0; t < s->count; t++) {
        double rate = vector_dot(s->a + t * n, f->eta_step, n);
        bool balances = (rate < 0 && s->z[t] < s->upper[t]) || (rate > 0 && s->z[t] > 0);
        if (f->membership[t] != OUTSIDE_FREE_SET || !balances)
            continue;
        double distance = fmax(0, -s->gradient[t] / rate);
        if (distance < nearest) {
            nearest = distance;
            chosen = t;
        }
    }
    if (chosen < 0 || f->size == f->capacity)
        return 0;
    vector_scale(f->eta_step, nearest, n);
    subproblem_shift_multipliers(s, f->eta_step);
    return add_variable(f, s, chosen, e) == 0 ? 1 : -1;
}

/* ---- one step */

/* reduced_gradient = L^-1 (-g_F) */
static void compute_reduced(struct free_set *f, const struct subproblem *s) {
    for (int64_t k = 0; k < f->size; k++)
        f->reduced_gradient[k] = -s->gradient[f->member[k]];
    cholesky_set_forward(&f->factor, f->reduced_gradient);
    f->is_reduced = true;
}

/* The factor of A_F Q_FF^-1 A_F'. It is summed anew for each F: subtracting what leaves F would turn equations that F
 * does not tell apart into rounding, and their multipliers into that rounding's inverse. */
static void factor_gram(struct free_set *f, int64_t n) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t l = 0; l <= j; l++)
            f->gram_factor[j * n + l] =
                vector_dot(f->reduced_a + j * f->capacity, f->reduced_a + l * f->capacity, f->size);
    semidefinite_factor(f->gram_factor, n);
}

/* Solves the system of free_set.h by its Schur complement:
 *     eta_step = (A_F Q_FF^-1 A_F')^-1 (A z - b + reduced_a reduced_gradient),
 *     step = L'^-1 (reduced_gradient - reduced_a' eta_step) */
static void find_step(struct free_set *f, const struct subproblem *s) {
    int64_t n = s->functions;
    if (!f->is_reduced)
        compute_reduced(f, s);
    for (int64_t j = 0; j < n; j++)
        f->eta_step[j] = s->residual[j] +
                         vector_dot(f->reduced_a + j * f->capacity, f->reduced_gradient, f->size);
    factor_gram(f, n);
    semidefinite_solve(f->gram_factor, n, f->eta_step);
    memcpy(f->step, f->reduced_gradient, sizeof *f->step * (size_t)f->size);
    for (int64_t j = 0; j < n; j++)
        for (int64_t k = 0; k < f->size; k++)
            f->step[k] -= f->eta_step[j] * f->reduced_a[j * f->capacity + k];
    cholesky_set_backward(&f->factor, f->step);
}

/* The longest step length in [0, 1] that stays in the box; NAN if the step is not finite. */
static double max_step_length(const struct free_set *f, const struct subproblem *s) {
    double length = 1, sum = 0;
    for (int64_t k = 0; k < f->size; k++) {
        int64_t t = f->member[k];
        sum += f->step[k];
        double slack = f->step[k] > 0 ? s->upper[t] - s->z[t] : s->z[t];
        if (fabs(f->step[k]) * length > slack)
            length = slack / fabs(f->step[k]);
    }
    for (int64_t j = 0; j < s->functions; j++)
        sum += f->eta_step[j];
    return isfinite(sum) ? length : NAN;
}

/* Brings the gradient and eta up to date with all steps since the last call. */
static int apply_pending(struct free_set *f, struct subproblem *s, struct error *e) {
    for (int64_t t = 0; t < s->count && f->pending_steps > 0; t++) {
        const float *row;
        int64_t r = t % s->rows;
        if (f->pending_z[t] == 0)
            continue;
        if (s->get(s->opaque, &r, 1, &row, e) != 0)
            return -1;
        subproblem_update_gradient(s, t, f->pending_z[t], row);
        f->pending_z[t] = 0;
    }
    if (f->pending_steps > 0)
        subproblem_shift_multipliers(s, f->pending_eta);
    memset(f->pending_eta, 0, sizeof *f->pending_eta * (size_t)s->functions);
    f->pending_steps = 0;
    f->is_reduced = false;
    return 0;
}

static void move_variables(struct free_set *f, struct subproblem *s, double length) {
    for (int64_t k = 0; k < f->size; k++) {
        int64_t t = f->member[k];
        double step = length * f->step[k];
        double slack = step > 0 ? s->upper[t] - s->z[t] : s->z[t];
        if (fabs(step) >= slack - rounding_of_results * s->upper[t])
            step = step > 0 ? slack : -slack;
        subproblem_move_variable(s, t, step);
        f->pending_z[t] += step;
    }
    for (int64_t j = 0; j < s->functions; j++)
        f->pending_eta[j] += length * f->eta_step[j];
    f->pending_steps++;
}

/* Takes a step of this length and removes the variables that meet a bound from F. By the Newton system the
 * gradient in F becomes (1 - length) g_F. */
static int take_step(struct free_set *f, struct subproblem *s, double length, struct error *e) {
    if (length > 0)
        move_variables(f, s, length);
    vector_scale(f->reduced_gradient, 1 - length, f->size);
    for (int64_t k = f->size - 1; k >= 0; k--) {
        int64_t t = f->member[k];
        bool out = f->step[k] > 0 ? s->z[t] >= s->upper[t] : s->z[t] <= 0;
        if (out && length < 1)
            remove_variable(f, s, k, length > 0);
    }
    return length == 1 || f->pending_steps == MAX_PENDING_STEPS ? apply_pending(f, s, e) : 0;
}

/* ---- the method */

/* Of a step: a triangular solve, an update of the factor, and the gradient. */
static double operations_of_step(const struct free_set *f, const struct subproblem *s) {
    double size = (double)f->size;
    return size * (4 * size + 2 * (double)s->count);
}

/* 1: the tolerance is reached; 0: it is not; -1 with the error set. */
static int take_steps(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                      struct error *e) {
    int status = start_free_set(f, s, e);
    for (int64_t k = 0; status == 1; k++) {
        if (f->pending_steps == 0 && subproblem_max_violation(s) <= tolerance &&
            subproblem_imbalance(s) <= tolerance)
            return 1;
        if (k == steps || s->stop(s->stop_opaque))
            return 0;
        f->operations += operations_of_step(f, s);
        find_step(f, s);
        double length = max_step_length(f, s);
        if (!isfinite(length))
            return 0;
        if (take_step(f, s, length, e) != 0)
            return -1;
        if (length == 0 && f->max_join > 1)
            f->max_join /= 2;
        if (length > 0)
            readmit_refused(f, s);
        if (length == 1)
            status = subproblem_imbalance(s) > tolerance ? add_balancing_variable(f, s, e)
                                                         : add_violators(f, s, tolerance, e);
    }
    return status;
}

/* Copies z, the gradient, eta and the residual to `state`, or back from it. */
static void copy_state(const struct subproblem *s, double *state, bool back) {
    double *const array[] = {s->z, s->gradient, s->eta, s->residual};
    for (int k = 0; k < 4; k++) {
        int64_t n = k < 2 ? s->count : s->functions;
        memcpy(back ? array[k] : state, back ? state : array[k], sizeof *state * (size_t)n);
        state += n;
    }
}

int free_set_solve(struct free_set *f, struct subproblem *s, double tolerance, int64_t steps,
                   struct error *e) {
    double before = fmax(subproblem_max_violation(s), subproblem_imbalance(s));
    copy_state(s, f->saved_state, false);
    int status = take_steps(f, s, tolerance, steps, e);
    if (status >= 0 && f->pending_steps > 0 && apply_pending(f, s, e) != 0)
        return -1;
    if (status == 0 && fmax(subproblem_max_violation(s), subproblem_imbalance(s)) > before)
        copy_state(s, f->saved_state, true);
    return status;
}
