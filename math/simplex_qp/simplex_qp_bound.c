/* simplex_qp_bound.c - gradient, multipliers and duality gap of a quadratic program over simplices.
 *
 * With the reduced costs g = Ha - f - eta o, for any eta, and a feasible a,
 *
 *     q(a) - min q <= sum over blocks k of the sum over j in k of a_j (g_j - min over k of g),
 *
 * including slacks (g = 0). */
#include "math/simplex_qp/simplex_qp_parts.h"

#include <stddef.h>

static const double unit_rounding = 0x1p-53;

struct wide qp_cost(const struct simplex_qp *qp, int variable) {
    if (qp->o[variable] == 0)
        return qp->gradient[variable];
    return wide_subtract(qp->gradient[variable], wide_scale(qp->eta, qp->o[variable]));
}

void qp_set_objective(struct simplex_qp *qp, struct wide objective) {
    qp->objective = objective;
    qp->gap_target =
        fmax(qp->tolerance * fabs(objective.hi), 0x1p-100 * qp->cap_sum * qp->magnitude);
}

/* The largest magnitude in a row, over qp->present from index BEGIN on. */
static double max_entry(const struct simplex_qp *qp, const double *row, int begin) {
    double largest = 0;
    for (int i = begin; i < qp->count; i++)
        largest = fmax(largest, fabs(row[qp->present[i] - qp->slacks]));
    return largest;
}

int qp_bound_errors(struct simplex_qp *qp, struct error *e) {
    int count = qp_list_support(qp);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        const double *row;
        int j = qp->list[i];
        bool known = qp->row_max[j] >= 0;
        if (j < qp->slacks)
            continue;
        if (!known || qp->added > 0) {
            if (qp_row(qp, j, &row, e) != 0)
                return -1;
            double largest = max_entry(qp, row, known ? qp->count - qp->added : 0);
            qp->row_max[j] = fmax(qp->row_max[j], largest);
        }
        sum += qp->weight[j].hi * qp->row_max[j];
        qp->largest_h = fmax(qp->largest_h, qp->row_max[j]);
    }
    qp->added = 0;
    qp->magnitude = sum + qp->largest_f;
    qp->gradient_error = (4 + sqrt((double)count)) * unit_rounding * qp->magnitude;
    qp->gap_error = 2 * qp->cap_sum * qp->gradient_error;
    return 0;
}

/* ha[slot] = (Ha)[slot] in double precision, for every occupied slot. */
static int multiply_all(struct simplex_qp *qp, int count, struct error *e) {
    double *sum = qp->ha;
    for (int i = 0; i < qp->count; i++)
        sum[qp->present[i] - qp->slacks] = 0;
    for (int i = 0; i < count; i++) {
        const double *row;
        double weight = qp->weight[qp->list[i]].hi;
        if (qp_row(qp, qp->list[i], &row, e) != 0)
            return -1;
        for (int r = 0; row != NULL && r < qp->ranges; r++)
            for (int slot = qp->range[2 * r]; slot < qp->range[2 * r + 1]; slot++)
                sum[slot] += weight * row[slot];
    }
    return 0;
}

/* Chooses eta if the support leaves it free. Each variable bounds eta by the demand that its cost is not below its
 * block's level; any eta between the bounds is optimal. If the bounds contradict each other, eta is the upper one,
 * and its variable is qp->partner: it must enter together with the candidate. */
static void choose_eta(struct simplex_qp *qp) {
    double lower = -INFINITY, upper = INFINITY;
    int above = -1;
    for (int i = 0; i < qp->count + qp->slacks; i++) {
        int j = i < qp->slacks ? i : qp->present[i - qp->slacks];
        double normal = qp_normal(qp, j).hi;
        if (normal == 0)
            continue;
        int reference = qp->reference[qp->block[j]];
        double ratio = wide_subtract(qp->gradient[j], qp->gradient[reference]).hi / normal;
        if (normal > 0 && ratio < upper) {
            upper = ratio;
            above = j;
        } else if (normal < 0 && ratio > lower) {
            lower = ratio;
        }
    }
    qp->partner = lower > upper ? above : -1;
    if (lower > upper)
        lower = upper;
    if (lower > -INFINITY && upper < INFINITY)
        qp->eta = wide_of(lower / 2 + upper / 2);
    else
        qp->eta = wide_of(lower > 0 ? 2 * lower : upper < 0 ? 2 * upper : 0);
}

/* min_cost[k] = the smallest cost in block k; candidate[k] = the variable of smallest cost that may enter. */
static void find_candidates(struct simplex_qp *qp) {
    for (int k = 0; k < qp->settings.blocks; k++) {
        qp->min_cost[k] = wide_of(INFINITY);
        qp->candidate[k] = -1;
    }
    qp->partner = -1;
    if (qp->settings.offset && !qp_restricted(qp))
        choose_eta(qp);
    for (int i = 0; i < qp->count + qp->slacks; i++) {
        int j = i < qp->slacks ? i : qp->present[i - qp->slacks], k = qp->block[j];
        struct wide cost = qp_cost(qp, j);
        if (wide_less(cost, qp->min_cost[k]))
            qp->min_cost[k] = cost;
        if (qp->position[j] == POSITION_OUTSIDE && qp->banned[j] != qp->round) {
            int best = qp->candidate[k];
            if (best < 0 || wide_less(cost, qp_cost(qp, best)))
                qp->candidate[k] = j;
        }
    }
}

/* Recomputes in double-double the gradient of each variable that may have the smallest cost of its block. */
static int refine_gradients(struct simplex_qp *qp, int count, struct error *e) {
    int total = count;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->present[i];
        double cost = qp_cost(qp, j).hi,
               slack = 2 * qp->gradient_error + 4 * unit_rounding * fabs(cost);
        if (qp->position[j] == POSITION_OUTSIDE && cost <= qp->min_cost[qp->block[j]].hi + slack)
            qp->list[total++] = j;
    }
    if (total == count)
        return 0;
    if (qp_multiply(qp, qp->weight, total, count, qp->gradient, e) != 0)
        return -1;
    for (int i = count; i < total; i++) {
        int j = qp->list[i];
        qp->gradient[j] = wide_subtract(qp->gradient[j], wide_of(qp_f(qp, j)));
    }
    find_candidates(qp);
    return 0;
}

int qp_evaluate(struct simplex_qp *qp, struct error *e) {
    if (qp_bound_errors(qp, e) != 0)
        return -1;
    qp_set_objective(qp, qp->objective); /* gap_target depends on qp->magnitude */
    int count = qp_list_support(qp);
    if (multiply_all(qp, count, e) != 0)
        return -1;
    for (int i = 0; i < qp->count; i++) {
        int j = qp->present[i];
        if (qp->position[j] == POSITION_OUTSIDE)
            qp->gradient[j] = wide_of(qp->ha[j - qp->slacks] - qp_f(qp, j));
    }
    for (int k = 0; k < qp->slacks; k++)
        qp->gradient[k] = wide_of(0);
    find_candidates(qp);
    if (qp->wide_gradients && refine_gradients(qp, count, e) != 0)
        return -1;
    struct wide gap = wide_of(0);
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        struct wide excess = wide_subtract(qp_cost(qp, j), qp->min_cost[qp->block[j]]);
        gap = wide_add(gap, wide_times(qp->weight[j], excess));
    }
    qp->gap = gap.hi + (qp->wide_gradients ? 0 : qp->gap_error);
    return 0;
}
