/* simplex_qp_bound.c - gradient, multipliers and duality gap of a quadratic program over simplices.
 *
 * With costs g = Ha - f - eta o, for any eta, and a feasible a,
 *
 *     q(a) - min q <= sum over blocks k of the sum over j in k of a_j (g_j - min over k of g),
 *
 * slacks (g = 0) included. */
#include "math/simplex_qp/simplex_qp_parts.h"

#include <stddef.h>

static const double ROUNDING = 0x1p-53;

struct wide qp_cost(const struct simplex_qp *qp, int variable) {
    if (qp->o[variable] == 0)
        return qp->gradient[variable];
    return wide_subtract(qp->gradient[variable], wide_scale(qp->eta, qp->o[variable]));
}

void qp_set_objective(struct simplex_qp *qp, struct wide objective) {
    qp->objective = objective;
    qp->target = fmax(qp->tolerance * fabs(objective.hi), 0x1p-100 * qp->cap_sum * qp->magnitude);
}

/* The largest magnitude among some of the taken slots of a row. */
static double largest_of(const struct simplex_qp *qp, const double *row, int begin) {
    double largest = 0;
    for (int i = begin; i < qp->count; i++)
        largest = fmax(largest, fabs(row[qp->used[i] - qp->slacks]));
    return largest;
}

int qp_bound_noise(struct simplex_qp *qp, struct error *e) {
    int count = qp_list_support(qp);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double *row;
        int j = qp->list[i];
        bool known = qp->largest[j] >= 0;
        if (j < qp->slacks)
            continue;
        if (!known || qp->fresh > 0) {
            if (qp_row(qp, j, &row, e) != 0)
                return -1;
            double largest = largest_of(qp, row, known ? qp->count - qp->fresh : 0);
            qp->largest[j] = fmax(qp->largest[j], largest);
        }
        sum += qp->weight[j].hi * qp->largest[j];
        qp->largest_h = fmax(qp->largest_h, qp->largest[j]);
    }
    qp->fresh = 0;
    qp->magnitude = sum + qp->largest_f;
    qp->noise = (4 + sqrt((double)count)) * ROUNDING * qp->magnitude;
    qp->noise_sum = 2 * qp->cap_sum * qp->noise;
    return 0;
}

/* sum[slot] = (Ha)[slot] in double precision, for every slot that is taken. */
static int multiply_all(struct simplex_qp *qp, int count, struct error *e) {
    double *sum = qp->sum;
    for (int i = 0; i < qp->count; i++)
        sum[qp->used[i] - qp->slacks] = 0;
    for (int i = 0; i < count; i++) {
        const double *row;
        double weight = qp->weight[qp->list[i]].hi;
        if (qp_row(qp, qp->list[i], &row, e) != 0)
            return -1;
        for (int r = 0; row != NULL && r < qp->runs; r++)
            for (int slot = qp->run[2 * r]; slot < qp->run[2 * r + 1]; slot++)
                sum[slot] += weight * row[slot];
    }
    return 0;
}

/* When the support leaves eta free: where no cost is below its block's level, or, when there is no
 * such eta, where two are that pull it apart; the one is put to its level and is qp->pair. */
static void choose_eta(struct simplex_qp *qp) {
    double lower = -INFINITY, upper = INFINITY;
    int above = -1;
    for (int i = 0; i < qp->count + qp->slacks; i++) {
        int j = i < qp->slacks ? i : qp->used[i - qp->slacks];
        double normal = qp_normal(qp, j).hi;
        if (normal == 0)
            continue;
        int own = qp->reference[qp->block[j]];
        double ratio = wide_subtract(qp->gradient[j], qp->gradient[own]).hi / normal;
        if (normal > 0 && ratio < upper) {
            upper = ratio;
            above = j;
        } else if (normal < 0 && ratio > lower) {
            lower = ratio;
        }
    }
    qp->pair = lower > upper ? above : -1;
    if (lower > upper)
        lower = upper;
    if (lower > -INFINITY && upper < INFINITY)
        qp->eta = wide_of(lower / 2 + upper / 2);
    else
        qp->eta = wide_of(lower > 0 ? 2 * lower : upper < 0 ? 2 * upper : 0);
}

/* lowest[k] = the least cost in block k; candidate[k] = who has it among those that may enter. */
static void find_lowest(struct simplex_qp *qp) {
    for (int k = 0; k < qp->set.blocks; k++) {
        qp->lowest[k] = wide_of(INFINITY);
        qp->candidate[k] = -1;
    }
    qp->pair = -1;
    if (qp->set.offset && !qp_restricted(qp))
        choose_eta(qp);
    for (int i = 0; i < qp->count + qp->slacks; i++) {
        int j = i < qp->slacks ? i : qp->used[i - qp->slacks], k = qp->block[j];
        struct wide cost = qp_cost(qp, j);
        if (wide_less(cost, qp->lowest[k]))
            qp->lowest[k] = cost;
        if (qp->place[j] == PLACE_OUTSIDE && qp->banned[j] != qp->round) {
            int best = qp->candidate[k];
            if (best < 0 || wide_less(cost, qp_cost(qp, best)))
                qp->candidate[k] = j;
        }
    }
}

/* The gradient in double-double of whoever might have the least cost in its block. */
static int sharpen(struct simplex_qp *qp, int count, struct error *e) {
    int all = count;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->used[i];
        double cost = qp_cost(qp, j).hi, slack = 2 * qp->noise + 4 * ROUNDING * fabs(cost);
        if (qp->place[j] == PLACE_OUTSIDE && cost <= qp->lowest[qp->block[j]].hi + slack)
            qp->list[all++] = j;
    }
    if (all == count)
        return 0;
    if (qp_multiply(qp, qp->weight, all, count, qp->gradient, e) != 0)
        return -1;
    for (int i = count; i < all; i++) {
        int j = qp->list[i];
        qp->gradient[j] = wide_subtract(qp->gradient[j], wide_of(qp_f(qp, j)));
    }
    find_lowest(qp);
    return 0;
}

int qp_evaluate(struct simplex_qp *qp, struct error *e) {
    if (qp_bound_noise(qp, e) != 0)
        return -1;
    qp_set_objective(qp, qp->objective); /* the target depends on the magnitudes */
    int count = qp_list_support(qp);
    if (multiply_all(qp, count, e) != 0)
        return -1;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->used[i];
        if (qp->place[j] == PLACE_OUTSIDE)
            qp->gradient[j] = wide_of(qp->sum[j - qp->slacks] - qp_f(qp, j));
    }
    for (int k = 0; k < qp->slacks; k++)
        qp->gradient[k] = wide_of(0);
    find_lowest(qp);
    if (qp->exact && sharpen(qp, count, e) != 0)
        return -1;
    struct wide gap = wide_of(0);
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        struct wide excess = wide_subtract(qp_cost(qp, j), qp->lowest[qp->block[j]]);
        gap = wide_add(gap, wide_times(qp->weight[j], excess));
    }
    qp->gap = gap.hi + (qp->exact ? 0 : qp->noise_sum);
    return 0;
}
