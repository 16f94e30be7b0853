/* simplex_qp_join.c - how a variable enters the support of a quadratic program over simplices. */
#include "math/simplex_qp/simplex_qp_parts.h"

/* qp->m = L^-1 (row of M of the variable), by the factor in use. Whether the pivot is sound. */
static int find_pivot(struct simplex_qp *qp, int variable, struct wide *pivot, struct error *e) {
    struct wide diagonal;
    if (qp_differences(qp, variable, qp->size, qp->m, &diagonal, e) != 0)
        return -1;
    double least = QP_SOUND_PIVOT;
    if (qp->hard) {
        *pivot = cholesky_wide_pivot(&qp->wide_factor, qp->m, diagonal);
        least = QP_SOUND_WIDE_PIVOT;
    } else {
        for (int p = 0; p < qp->size; p++)
            qp->plain[p] = qp->m[p].hi;
        *pivot = wide_of(cholesky_set_pivot(&qp->factor, qp->plain, diagonal.hi));
        for (int p = 0; p < qp->size; p++)
            qp->m[p] = wide_of(qp->plain[p]);
    }
    double normal = qp_normal(qp, variable).hi;
    if (normal != 0 && !qp_restricted(qp)) { /* the first to be restricted: sigma cc' is its own */
        double own = qp->sigma * normal * normal;
        if (pivot->hi < own)
            *pivot = wide_of(own);
        return 1;
    }
    return pivot->hi > least * diagonal.hi;
}

/* qp->step = the null direction, 1 for the variable: -M^-1 m, made to keep o'a. */
static void find_direction(struct simplex_qp *qp, int variable) {
    if (qp->hard) {
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

/* Fills qp->change; with the variable, at the end of qp->list, their number. */
static int find_changes(struct simplex_qp *qp, int variable) {
    int count = qp_list_changes(qp), own = qp->reference[qp->block[variable]];
    qp->list[count] = variable;
    qp->change[variable] = wide_of(1);
    qp->change[own] = wide_subtract(qp->change[own], wide_of(1));
    return count + 1;
}

static struct wide sum_over(const struct simplex_qp *qp, const struct wide *x, int count) {
    struct wide sum = wide_of(0);
    for (int i = 0; i < count; i++)
        sum = wide_add(sum, wide_times(qp->change[qp->list[i]], x[qp->list[i]]));
    return sum;
}

/* After a move that `limit` ended. */
static void settle(struct simplex_qp *qp, int variable, int limit) {
    int k = qp->block[variable], own = qp->reference[k];
    if (limit == variable || qp->weight[variable].hi <= 0) {
        qp->weight[own] = wide_add(qp->weight[own], qp->weight[variable]);
        qp->weight[variable] = wide_of(0);
    }
    if (limit != variable)
        qp_leave(qp, limit);
    if (qp->reference[k] < 0) { /* they were the block's only ones */
        qp->reference[k] = variable;
        qp->place[variable] = PLACE_REFERENCE;
        qp->changes++;
    }
    qp_shed(qp, true);
}

static void go_to_end(struct simplex_qp *qp, int variable, int count, struct wide far, int limit) {
    qp_go(qp, count, far);
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        qp->gradient[j] = wide_add(qp->gradient[j], wide_times(far, qp->product[j]));
    }
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p];
        qp->reduced[p] = wide_subtract(qp->gradient[j], qp->gradient[qp->reference[qp->block[j]]]);
    }
    settle(qp, variable, limit);
}

/* Along the null direction: q is a + slope t + curvature t^2 / 2, curvature next to nothing. */
static enum qp_joined slide(struct simplex_qp *qp, int variable, struct error *e) {
    int limit;
    bool weightless = qp->weight[variable].hi == 0;
    find_direction(qp, variable);
    int count = find_changes(qp, variable);
    if (qp_multiply(qp, qp->change, count, 0, qp->product, e) != 0)
        return QP_FAILED;
    struct wide slope = qp->known ? sum_over(qp, qp->gradient, count) : wide_of(0);
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
    struct wide far = qp_longest(qp, count, &limit);
    if (limit < 0)
        return QP_REFUSED;
    if (qp->known && slope.hi + far.hi * curvature.hi > 0) { /* the minimum is on the way */
        if (!qp->hard)
            return qp_harden(qp, e) != 0 ? QP_FAILED : qp_join(qp, variable, false, e);
        if (weightless)
            return QP_REFUSED;
    }
    go_to_end(qp, variable, count, far, limit);
    return QP_MOVED;
}

static int reserve(struct simplex_qp *qp, struct error *e) {
    if (qp->hard)
        return qp_harden(qp, e);
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
    return simple ? QP_REFUSED : slide(qp, variable, e);
}
