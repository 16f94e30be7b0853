/* simplex_qp_start.c - a feasible point to start from, near the last solution. */
#include "math/simplex_qp/simplex_qp_parts.h"

/* Relative errors of sums up to this are repaired without a word. */
static const double NEARLY = 1e-25;

static void find_runs(struct simplex_qp *qp) {
    int slots = qp->capacity - qp->slacks;
    qp->runs = 0;
    for (int slot = 0; slot < slots; slot++) {
        if (qp->place[qp->slacks + slot] == PLACE_EMPTY)
            continue;
        if (qp->runs == 0 || qp->run[2 * qp->runs - 1] != slot)
            qp->run[2 * qp->runs++] = slot;
        qp->run[2 * qp->runs - 1] = slot + 1;
    }
}

static int take_numbers(struct simplex_qp *qp, struct error *e) {
    qp->cap_sum = qp->largest_f = qp->largest_o = qp->largest_h = 0;
    for (int k = 0; k < qp->set.blocks; k++) {
        if (!(qp->cap[k] > 0 && qp->cap[k] < INFINITY))
            return error_set(e, "quadratic program: cap %d is %g", k, qp->cap[k]);
        qp->cap_sum += qp->cap[k];
    }
    for (int i = 0; i < qp->count; i++) {
        qp->largest_f = fmax(qp->largest_f, fabs(qp_f(qp, qp->used[i])));
        qp->largest_o = fmax(qp->largest_o, fabs(qp->o[qp->used[i]]));
    }
    return 0;
}

/* A block without support starts with its slack, or else with its first variable. */
static int begin_blocks(struct simplex_qp *qp, struct error *e) {
    for (int i = qp->count - 1; i >= 0 && qp->slacks == 0; i--)
        qp->candidate[qp->block[qp->used[i]]] = qp->used[i];
    for (int k = 0; k < qp->set.blocks; k++) {
        if (qp->reference[k] >= 0)
            continue;
        int first = qp->slacks > 0 ? k : qp->candidate[k];
        if (first < 0)
            return error_set(e, "quadratic program: block %d has no variable", k);
        qp->reference[k] = first;
        qp->place[first] = PLACE_REFERENCE;
        qp->weight[first] = wide_of(qp->cap[k]);
    }
    return 0;
}

/* The sums become the caps. */
static void scale_blocks(struct simplex_qp *qp) {
    int count = qp_list_support(qp);
    for (int k = 0; k < qp->set.blocks; k++)
        qp->lowest[k] = wide_of(0);
    for (int i = 0; i < count; i++) {
        struct wide *sum = &qp->lowest[qp->block[qp->list[i]]];
        *sum = wide_add(*sum, qp->weight[qp->list[i]]);
    }
    for (int i = 0; i < count; i++) {
        int j = qp->list[i], k = qp->block[j];
        struct wide lacks = wide_subtract(wide_of(qp->cap[k]), qp->lowest[k]);
        if (fabs(lacks.hi) > NEARLY * qp->cap[k])
            qp->weight[j] =
                wide_times(qp->weight[j], wide_quotient(wide_of(qp->cap[k]), qp->lowest[k]));
        else if (qp->place[j] == PLACE_REFERENCE)
            qp->weight[j] = wide_add(qp->weight[j], lacks);
    }
}

/* A variable outside the support whose weight is positive joins it. */
static int take_in(struct simplex_qp *qp, int variable, struct error *e) {
    while (qp->place[variable] == PLACE_OUTSIDE && qp->weight[variable].hi > 0) {
        enum qp_joined joined = qp_join(qp, variable, false, e);
        if (joined == QP_FAILED)
            return -1;
        if (joined == QP_REFUSED)
            return qp_overflow(e);
    }
    return 0;
}

/* The side of o'a that is too heavy gives weight to the slacks. */
static int lighten(struct simplex_qp *qp, int count, double sign, struct wide factor,
                   struct error *e) {
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        if (qp->o[j] * sign <= 0)
            continue;
        struct wide less = wide_times(qp->weight[j], factor), *slack = &qp->weight[qp->block[j]];
        *slack = wide_add(*slack, wide_subtract(qp->weight[j], less));
        qp->weight[j] = less;
    }
    for (int k = 0; k < qp->slacks; k++)
        if (take_in(qp, k, e) != 0)
            return -1;
    return 0;
}

/* candidate[k] = who has the least sign o in block k; the sum of o'a at that vertex. */
static double find_vertex(struct simplex_qp *qp, double sign, double *size) {
    double sum = 0;
    for (int k = 0; k < qp->set.blocks; k++)
        qp->candidate[k] = -1;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->used[i], *best = &qp->candidate[qp->block[j]];
        if (*best < 0 || sign * qp->o[j] < sign * qp->o[*best])
            *best = j;
    }
    *size = 0;
    for (int k = 0; k < qp->set.blocks; k++) {
        sum += qp->cap[k] * qp->o[qp->candidate[k]];
        *size += qp->cap[k] * fabs(qp->o[qp->candidate[k]]);
    }
    return sum;
}

/* Goes towards the vertex where o'a is farthest on the other side. */
static int blend(struct simplex_qp *qp, int count, struct wide sum, struct error *e) {
    double size, sign = sum.hi > 0 ? 1 : -1, other = find_vertex(qp, sign, &size);
    if (sign * other > 1e-15 * size)
        return error_set(e, "quadratic program: no point meets the offset constraint");
    struct wide share = wide_of(1);
    if (sign * other < 0)
        share = wide_quotient(sum, wide_subtract(sum, wide_of(other)));
    for (int i = 0; i < count; i++) {
        struct wide *weight = &qp->weight[qp->list[i]];
        *weight = wide_subtract(*weight, wide_times(*weight, share));
    }
    for (int k = 0; k < qp->set.blocks; k++) {
        struct wide *weight = &qp->weight[qp->candidate[k]];
        *weight = wide_add(*weight, wide_scale(share, qp->cap[k]));
    }
    for (int k = 0; k < qp->set.blocks; k++)
        if (take_in(qp, qp->candidate[k], e) != 0)
            return -1;
    return 0;
}

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
    if (fabs(sum.hi) <= NEARLY * (up.hi + down.hi))
        return 0;
    if (qp->slacks == 0)
        return blend(qp, count, sum, e);
    return sum.hi > 0 ? lighten(qp, count, 1, wide_quotient(down, up), e)
                      : lighten(qp, count, -1, wide_quotient(up, down), e);
}

int qp_start(struct simplex_qp *qp, struct error *e) {
    qp->known = qp->hard = qp->exact = false;
    qp->changes = 0;
    qp->eta = wide_of(0);
    for (int k = 0; k < qp->set.blocks; k++)
        qp->candidate[k] = -1;
    find_runs(qp);
    if (take_numbers(qp, e) != 0 || begin_blocks(qp, e) != 0)
        return -1;
    scale_blocks(qp);
    if (qp->stale && qp_rebuild(qp, e) != 0)
        return -1;
    if (qp->set.offset && balance(qp, e) != 0)
        return -1;
    qp_shed(qp, false);
    return qp_bound_noise(qp, e);
}
