/* simplex_qp_descend.c - the minimizer over the support of a quadratic program over simplices. */
#include "math/simplex_qp/simplex_qp_parts.h"

#include <stddef.h>

int qp_list_changes(struct simplex_qp *qp) {
    int count = qp_list_support(qp);
    for (int k = 0; k < qp->settings.blocks; k++)
        if (qp->reference[k] >= 0)
            qp->change[qp->reference[k]] = wide_of(0);
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], reference = qp->reference[qp->block[j]];
        qp->change[j] = qp->step[p];
        qp->change[reference] = wide_subtract(qp->change[reference], qp->step[p]);
    }
    return count;
}

struct wide qp_max_step(const struct simplex_qp *qp, int count, int *limit) {
    struct wide length = {INFINITY, 0};
    *limit = -1;
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        if (!(qp->change[j].hi < 0) || qp->weight[j].hi / -qp->change[j].hi > 1.1 * length.hi)
            continue;
        struct wide ratio = wide_quotient(qp->weight[j], wide_negative(qp->change[j]));
        if (wide_less(ratio, length)) {
            length = ratio;
            *limit = j;
        }
    }
    return length;
}

void qp_move(struct simplex_qp *qp, int count, struct wide length) {
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        qp->weight[j] = wide_add(qp->weight[j], wide_times(length, qp->change[j]));
    }
}

/* The gradient of the support in double precision. */
static int multiply_support(struct simplex_qp *qp, int count, struct error *e) {
    for (int i = 0; i < count; i++)
        qp->gradient[qp->list[i]] = wide_of(0);
    for (int i = 0; i < count; i++) {
        const double *row;
        double weight = qp->weight[qp->list[i]].hi;
        if (qp_row(qp, qp->list[i], &row, e) != 0)
            return -1;
        for (int j = 0; j < count && row != NULL; j++)
            qp->gradient[qp->list[j]].hi += weight * qp_entry(qp, row, qp->list[j]);
    }
    return 0;
}

/* q = sum a (gradient - f) / 2 */
static struct wide objective(const struct simplex_qp *qp, int count) {
    struct wide sum = wide_of(0);
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        struct wide term = wide_subtract(qp->gradient[j], wide_of(qp_f(qp, j)));
        sum = wide_add(sum, wide_times(term, wide_scale(qp->weight[j], 0.5)));
    }
    return sum;
}

static void reduce(struct simplex_qp *qp) {
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], reference = qp->reference[qp->block[j]];
        qp->reduced[p] = wide_subtract(qp->gradient[j], qp->gradient[reference]);
    }
    qp->gradient_valid = true;
    qp_set_objective(qp, objective(qp, qp_list_support(qp)));
}

int qp_update_gradient(struct simplex_qp *qp, struct error *e) {
    int count = qp_list_support(qp);
    if (qp->wide_gradients ? qp_multiply(qp, qp->weight, count, 0, qp->gradient, e) != 0
                           : multiply_support(qp, count, e) != 0)
        return -1;
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        qp->gradient[j] = wide_subtract(qp->gradient[j], wide_of(qp_f(qp, j)));
    }
    reduce(qp);
    return 0;
}

/* o'a, and *size the sum of its terms' magnitudes. */
static struct wide offset_sum(const struct simplex_qp *qp, int count, double *size) {
    struct wide sum = wide_of(0);
    *size = 0;
    for (int i = 0; i < count; i++) {
        struct wide term = wide_scale(qp->weight[qp->list[i]], qp->o[qp->list[i]]);
        sum = wide_add(sum, term);
        *size += fabs(term.hi);
    }
    return sum;
}

/* start + c'x */
static struct wide add_along(const struct simplex_qp *qp, struct wide start, const struct wide *x) {
    for (int p = 0; p < qp->size; p++)
        start = wide_add(start, wide_times(x[p], qp_normal(qp, qp->member[p])));
    return start;
}

struct wide qp_project(struct simplex_qp *qp, struct wide residual) {
    struct wide sum = wide_of(0);
    for (int p = 0; p < qp->size; p++)
        qp->inverse_normal[p] = qp_normal(qp, qp->member[p]);
    qp_factor_solve(qp, qp->inverse_normal);
    struct wide curvature = add_along(qp, wide_of(0), qp->inverse_normal);
    for (int pass = 0; pass < 2; pass++) { /* the second removes rounding errors of the first */
        struct wide factor = wide_quotient(add_along(qp, residual, qp->step), curvature);
        for (int p = 0; p < qp->size; p++)
            qp->step[p] = wide_subtract(qp->step[p], wide_times(factor, qp->inverse_normal[p]));
        sum = wide_add(sum, factor);
    }
    return sum;
}

/* step = the Newton step to the minimizer over the affine hull of the support, M step - eta c = -reduced,
 * c'step = -o'a. Returns whether o'a = 0 holds to 1e-17 of its terms. */
static bool find_step(struct simplex_qp *qp) {
    double size;
    for (int p = 0; p < qp->size; p++)
        qp->step[p] = wide_negative(qp->reduced[p]);
    qp_factor_solve(qp, qp->step);
    if (!qp_restricted(qp))
        return true;
    struct wide residual = offset_sum(qp, qp_list_support(qp), &size);
    qp->eta = wide_negative(qp_project(qp, residual));
    return fabs(residual.hi) <= 1e-17 * size;
}

/* The part of the gap due to the support, whose costs should be equal in each block. */
static double support_gap(struct simplex_qp *qp) {
    double sum = 0;
    for (int k = 0; k < qp->settings.blocks; k++)
        qp->scratch[k] = 0;
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], k = qp->block[j];
        double cost = fabs(wide_subtract(qp->reduced[p], wide_times(qp->eta, qp_normal(qp, j))).hi);
        if (cost > qp->scratch[k])
            qp->scratch[k] = cost;
    }
    for (int k = 0; k < qp->settings.blocks; k++)
        sum += qp->cap[k] * qp->scratch[k];
    return sum;
}

/* Moves along the step. Returns true if a weight became 0 before its end; its variable has then left the support. */
static bool take_step(struct simplex_qp *qp) {
    int limit, count = qp_list_changes(qp);
    struct wide length = qp_max_step(qp, count, &limit), one = wide_of(1);
    bool full_step = limit < 0 || !wide_less(length, one);
    qp_move(qp, count, full_step ? one : length);
    if (!full_step) { /* update reduced by M step = -(reduced - eta c), up to the rounding of o'a */
        struct wide residual = wide_subtract(one, length), shift = wide_times(length, qp->eta);
        for (int p = 0; p < qp->size; p++) {
            struct wide offset_part = wide_times(shift, qp_normal(qp, qp->member[p]));
            qp->reduced[p] = wide_add(wide_times(residual, qp->reduced[p]), offset_part);
        }
        qp_leave(qp, limit);
    }
    qp_drop_zeros(qp, true);
    return !full_step;
}

/* Newton steps until a full one leaves support_gap below a fraction of the target. If the steps do not converge,
 * the factor changes to double-double. */
int qp_descend(struct simplex_qp *qp, struct error *e) {
    bool measured = false, corrected = false;
    double last_gap = INFINITY;
    if (!qp->gradient_valid && qp_update_gradient(qp, e) != 0)
        return -1;
    while (qp->size > 0) {
        if (qp->wide_factor_used && qp_use_wide_factor(qp, e) != 0)
            return -1;
        bool feasible = find_step(qp);
        if (measured) {
            double gap = support_gap(qp),
                   small = fmax(qp->gap_target / 8, qp->wide_gradients ? 0 : qp->gap_error);
            if (gap <= small && (feasible || corrected))
                return 0;
            corrected = gap <= small;
            if (!(gap < last_gap && gap <= last_gap / 4) && !corrected) {
                if (qp->wide_factor_used)
                    return 0;
                if (qp_use_wide_factor(qp, e) != 0 || qp_update_gradient(qp, e) != 0)
                    return -1;
                last_gap = INFINITY;
                continue;
            }
            last_gap = gap;
        }
        measured = !take_step(qp);
        if (!measured)
            last_gap = INFINITY;
        else if (qp_update_gradient(qp, e) != 0)
            return -1;
    }
    return measured ? 0 : qp_update_gradient(qp, e);
}
