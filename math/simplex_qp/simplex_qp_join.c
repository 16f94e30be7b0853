/* simplex_qp_join.c - a variable enters the support of a quadratic program over simplices. */
#include "math/simplex_qp/simplex_qp_parts.h"

/* qp->m = L^-1 (row of M of the variable). Returns 1 if the pivot is large enough, 0 if not, -1 on failure. */
static int find_pivot(struct simplex_qp *qp, int variable, struct wide *pivot, struct error *e) {
    struct wide diagonal;
    if (qp_differences(qp, variable, qp->size, qp->m, &diagonal, e) != 0)
        return -1;
    double min_pivot = QP_MIN_PIVOT;
    if (qp->wide_factor_used) {
        *pivot = cholesky_wide_pivot(&qp->wide_factor, qp->m, diagonal);
        min_pivot = QP_MIN_WIDE_PIVOT;
    } else {
        for (int p = 0; p < qp->size; p++)
            qp->plain[p] = qp->m[p].hi;
        *pivot = wide_of(cholesky_set_pivot(&qp->factor, qp->plain, diagonal.hi));
        for (int p = 0; p < qp->size; p++)
            qp->m[p] = wide_of(qp->plain[p]);
    }
    double normal = qp_normal(qp, variable).hi;
    if (normal != 0 &&
        !qp_restricted(qp)) { /* the only member with c != 0: M gains sigma c^2 exactly */
        double reference = qp->sigma * normal * normal;
        if (pivot->hi < reference)
            *pivot = wide_of(reference);
        return 1;
    }
    return pivot->hi > min_pivot * diagonal.hi;
}

/* qp->step = the null direction with 1 for the variable: -M^-1 m, projected to keep o'a. */
static void find_direction(struct simplex_qp *qp, int variable) {
    if (qp->wide_factor_used) {
        cholesky_wide_backward(&qp->wide_factor, qp->m);
    } else {
        for (int p = 0; p < qp->size; p++)
            qp->plain[p] = qp->m[p].hi;
        cholesky_set_backward(&qp->factor, qp->plain);
        for (int p = 0; p < qp->size; p++)
            qp->m[p] = wide_of(qp->plain[p]);
    }
    for (int p = 0; p < qp->size; p++)
        qp->step[p] = wide_negative(qp->m[p]);
    if (qp_restricted(qp))
        qp_project(qp, qp_normal(qp, variable));
}

/* Fills qp->change, and qp->list with the variable at its end. Returns the length of the list. */
static int find_changes(struct simplex_qp *qp, int variable) {
    int count = qp_list_changes(qp), reference = qp->reference[qp->block[variable]];
    qp->list[count] = variable;
    qp->change[variable] = wide_of(1);
    qp->change[reference] = wide_subtract(qp->change[reference], wide_of(1));
    return count + 1;
}

static struct wide sum_over(const struct simplex_qp *qp, const struct wide *x, int count) {
    struct wide sum = wide_of(0);
    for (int i = 0; i < count; i++)
        sum = wide_add(sum, wide_times(qp->change[qp->list[i]], x[qp->list[i]]));
    return sum;
}

/* Updates the support after a move to the point where the weight of `limit` is 0. */
static void leave_support(struct simplex_qp *qp, int variable, int limit) {
    int k = qp->block[variable], reference = qp->reference[k];
    if (limit == variable || qp->weight[variable].hi <= 0) {
        qp->weight[reference] = wide_add(qp->weight[reference], qp->weight[variable]);
        qp->weight[variable] = wide_of(0);
    }
    if (limit != variable)
        qp_leave(qp, limit);
    if (qp->reference[k] < 0) { /* the block's only variable has left */
        qp->reference[k] = variable;
        qp->position[variable] = POSITION_REFERENCE;
        qp->changes++;
    }
    qp_drop_zeros(qp, true);
}

static void finish_move(struct simplex_qp *qp, int variable, int count, struct wide length,
                        int limit) {
    qp_move(qp, count, length);
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        qp->gradient[j] = wide_add(qp->gradient[j], wide_times(length, qp->product[j]));
    }
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p];
        qp->reduced[p] = wide_subtract(qp->gradient[j], qp->gradient[qp->reference[qp->block[j]]]);
    }
    leave_support(qp, variable, limit);
}

/* Moves along the null direction until a weight is 0. There q(t) = q + slope t + curvature t^2 / 2 with a curvature
 * of about 0. */
static enum qp_joined move_to_zero(struct simplex_qp *qp, int variable, struct error *e) {
    int limit;
    bool weightless = qp->weight[variable].hi == 0;
    find_direction(qp, variable);
    int count = find_changes(qp, variable);
    if (qp_multiply(qp, qp->change, count, 0, qp->product, e) != 0)
        return QP_FAILED;
    struct wide slope = qp->gradient_valid ? sum_over(qp, qp->gradient, count) : wide_of(0);
    struct wide curvature = sum_over(qp, qp->product, count);
    if (slope.hi >= 0 && weightless)
        return QP_REFUSED;
    if (slope.hi > 0) {
        slope = wide_negative(slope);
        for (int i = 0; i < count; i++) {
            int j = qp->list[i];
            qp->change[j] = wide_negative(qp->change[j]);
            qp->product[j] = wide_negative(qp->product[j]);
        }
    }
    struct wide length = qp_max_step(qp, count, &limit);
    if (limit < 0)
        return QP_REFUSED;
    if (qp->gradient_valid &&
        slope.hi + length.hi * curvature.hi > 0) { /* the minimum lies before the end */
        if (!qp->wide_factor_used)
            return qp_use_wide_factor(qp, e) != 0 ? QP_FAILED : qp_join(qp, variable, false, e);
        if (weightless)
            return QP_REFUSED;
    }
    finish_move(qp, variable, count, length, limit);
    return QP_MOVED;
}

static int reserve(struct simplex_qp *qp, struct error *e) {
    if (qp->wide_factor_used)
        return qp_use_wide_factor(qp, e);
    return cholesky_set_reserve(&qp->factor, qp->size + 1, e);
}

enum qp_joined qp_join(struct simplex_qp *qp, int variable, bool simple, struct error *e) {
    struct wide pivot;
    if (reserve(qp, e) != 0)
        return QP_FAILED;
    int sound = find_pivot(qp, variable, &pivot, e);
    if (sound < 0)
        return QP_FAILED;
    if (sound) {
        qp_append(qp, variable, pivot);
        return QP_JOINED;
    }
    return simple ? QP_REFUSED : move_to_zero(qp, variable, e);
}
