/* simplex_qp_start.c - a feasible starting point near the last solution. */
#include "math/rounding.h"
#include "math/simplex_qp/simplex_qp_parts.h"

/* Relative errors of sums up to this are rounding, and are added to a reference. */
static const double SUM_ROUNDING = 1e-25;

/* The ranges of consecutive occupied slots. */
static void find_ranges(struct simplex_qp *qp) {
    int slots = qp->capacity - qp->slacks;
    qp->ranges = 0;
    for (int slot = 0; slot < slots; slot++) {
        if (qp->position[qp->slacks + slot] == POSITION_EMPTY)
            continue;
        if (qp->ranges == 0 || qp->range[2 * qp->ranges - 1] != slot)
            qp->range[2 * qp->ranges++] = slot;
        qp->range[2 * qp->ranges - 1] = slot + 1;
    }
}

/* Checks the caps; sums and maxima of the program's numbers. */
static int set_data(struct simplex_qp *qp, struct error *e) {
    qp->cap_sum = qp->largest_f = qp->largest_o = qp->largest_h = 0;
    for (int k = 0; k < qp->settings.blocks; k++) {
        if (!(qp->cap[k] > 0 && qp->cap[k] < INFINITY))
            return error_set(e, "quadratic program: cap %d is %g", k, qp->cap[k]);
        qp->cap_sum += qp->cap[k];
    }
    for (int i = 0; i < qp->count; i++) {
        qp->largest_f = fmax(qp->largest_f, fabs(qp_f(qp, qp->present[i])));
        qp->largest_o = fmax(qp->largest_o, fabs(qp->o[qp->present[i]]));
    }
    return 0;
}

/* A block without support starts with its slack, or else with its first variable. */
static int begin_blocks(struct simplex_qp *qp, struct error *e) {
    for (int i = qp->count - 1; i >= 0 && qp->slacks == 0; i--)
        qp->candidate[qp->block[qp->present[i]]] = qp->present[i];
    for (int k = 0; k < qp->settings.blocks; k++) {
        if (qp->reference[k] >= 0)
            continue;
        int first = qp->slacks > 0 ? k : qp->candidate[k];
        if (first < 0)
            return error_set(e, "quadratic program: block %d has no variable", k);
        qp->reference[k] = first;
        qp->position[first] = POSITION_REFERENCE;
        qp->weight[first] = wide_of(qp->cap[k]);
    }
    return 0;
}

/* Scales the weights of each block so that their sum is its cap. */
static void scale_blocks(struct simplex_qp *qp) {
    int count = qp_list_support(qp);
    for (int k = 0; k < qp->settings.blocks; k++)
        qp->min_cost[k] = wide_of(0);
    for (int i = 0; i < count; i++) {
        struct wide *sum = &qp->min_cost[qp->block[qp->list[i]]];
        *sum = wide_add(*sum, qp->weight[qp->list[i]]);
    }
    for (int i = 0; i < count; i++) {
        int j = qp->list[i], k = qp->block[j];
        struct wide missing = wide_subtract(wide_of(qp->cap[k]), qp->min_cost[k]);
        if (fabs(missing.hi) > SUM_ROUNDING * qp->cap[k])
            qp->weight[j] =
                wide_times(qp->weight[j], wide_quotient(wide_of(qp->cap[k]), qp->min_cost[k]));
        else if (qp->position[j] == POSITION_REFERENCE)
            qp->weight[j] = wide_add(qp->weight[j], missing);
    }
}

/* A variable outside the support whose weight is positive joins it. */
static int join_if_positive(struct simplex_qp *qp, int variable, struct error *e) {
    while (qp->position[variable] == POSITION_OUTSIDE && qp->weight[variable].hi > 0) {
        enum qp_joined joined = qp_join(qp, variable, false, e);
        if (joined == QP_FAILED)
            return -1;
        if (joined == QP_REFUSED)
            return qp_overflow(e);
    }
    return 0;
}

/* Multiplies the weights whose terms of o'a have the sign SIGN by FACTOR < 1; the slacks receive the difference. */
static int move_to_slacks(struct simplex_qp *qp, int count, double sign, struct wide factor,
                          struct error *e) {
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        if (qp->o[j] * sign <= 0)
            continue;
        struct wide smaller = wide_times(qp->weight[j], factor), *slack = &qp->weight[qp->block[j]];
        *slack = wide_add(*slack, wide_subtract(qp->weight[j], smaller));
        qp->weight[j] = smaller;
    }
    for (int k = 0; k < qp->slacks; k++)
        if (join_if_positive(qp, k, e) != 0)
            return -1;
    return 0;
}

/* candidate[k] = the variable of smallest sign * o in block k. Returns o'a at the vertex where each candidate has
 * the whole cap, and the sum of its terms' magnitudes in *size. */
static double find_vertex(struct simplex_qp *qp, double sign, double *size) {
    double sum = 0;
    for (int k = 0; k < qp->settings.blocks; k++)
        qp->candidate[k] = -1;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->present[i], *best = &qp->candidate[qp->block[j]];
        if (*best < 0 || sign * qp->o[j] < sign * qp->o[*best])
            *best = j;
    }
    *size = 0;
    for (int k = 0; k < qp->settings.blocks; k++) {
        sum += qp->cap[k] * qp->o[qp->candidate[k]];
        *size += qp->cap[k] * fabs(qp->o[qp->candidate[k]]);
    }
    return sum;
}

/* Without slacks: moves towards the vertex where o'a has the opposite sign and the largest magnitude, until
 * o'a = 0. */
static int mix_with_vertex(struct simplex_qp *qp, int count, struct wide sum, struct error *e) {
    double size, sign = sum.hi > 0 ? 1 : -1, vertex_sum = find_vertex(qp, sign, &size);
    if (sign * vertex_sum > rounding_of_terms * size)
        return error_set(e, "quadratic program: no point meets the offset constraint");
    struct wide share = wide_of(1);
    if (sign * vertex_sum < 0)
        share = wide_quotient(sum, wide_subtract(sum, wide_of(vertex_sum)));
    for (int i = 0; i < count; i++) {
        struct wide *weight = &qp->weight[qp->list[i]];
        *weight = wide_subtract(*weight, wide_times(*weight, share));
    }
    for (int k = 0; k < qp->settings.blocks; k++) {
        struct wide *weight = &qp->weight[qp->candidate[k]];
        *weight = wide_add(*weight, wide_scale(share, qp->cap[k]));
    }
    for (int k = 0; k < qp->settings.blocks; k++)
        if (join_if_positive(qp, qp->candidate[k], e) != 0)
            return -1;
    return 0;
}

/* Restores o'a = 0. */
static int balance(struct simplex_qp *qp, struct error *e) {
    int count = qp_list_support(qp);
    struct wide up = wide_of(0), down = wide_of(0);
    for (int i = 0; i < count; i++) {
        struct wide term = wide_scale(qp->weight[qp->list[i]], qp->o[qp->list[i]]);
        if (term.hi > 0)
            up = wide_add(up, term);
        else
            down = wide_subtract(down, term);
    }
    struct wide sum = wide_subtract(up, down);
    if (fabs(sum.hi) <= SUM_ROUNDING * (up.hi + down.hi))
        return 0;
    if (qp->slacks == 0)
        return mix_with_vertex(qp, count, sum, e);
    return sum.hi > 0 ? move_to_slacks(qp, count, 1, wide_quotient(down, up), e)
                      : move_to_slacks(qp, count, -1, wide_quotient(up, down), e);
}

int qp_start(struct simplex_qp *qp, struct error *e) {
    qp->gradient_valid = qp->wide_factor_used = qp->wide_gradients = false;
    qp->changes = 0;
    qp->eta = wide_of(0);
    for (int k = 0; k < qp->settings.blocks; k++)
        qp->candidate[k] = -1;
    find_ranges(qp);
    if (set_data(qp, e) != 0 || begin_blocks(qp, e) != 0)
        return -1;
    scale_blocks(qp);
    if (qp->stale && qp_rebuild(qp, e) != 0)
        return -1;
    if (qp->settings.offset && balance(qp, e) != 0)
        return -1;
    qp_drop_zeros(qp, false);
    return qp_bound_errors(qp, e);
}
