/* simplex_qp_descend.c - the minimizer over the support of a quadratic program over simplices. */
#include "math/simplex_qp/simplex_qp_parts.h"

#include <stddef.h>

int qp_list_changes(struct simplex_qp *qp) {
    int count = qp_list_support(qp);
    for (int k = 0; k < qp->set.blocks; k++)
        if (qp->reference[k] >= 0)
            qp->change[qp->reference[k]] = wide_of(0);
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], own = qp->reference[qp->block[j]];
        qp->change[j] = qp->step[p];
        qp->change[own] = wide_subtract(qp->change[own], qp->step[p]);
    }
    return count;
}

struct wide qp_longest(const struct simplex_qp *qp, int count, int *limit) {
    struct wide longest = {INFINITY, 0};
    *limit = -1;
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        if (!(qp->change[j].hi < 0) || qp->weight[j].hi / -qp->change[j].hi > 1.1 * longest.hi)
            continue;
        struct wide ratio = wide_quotient(qp->weight[j], wide_negative(qp->change[j]));
        if (wide_less(ratio, longest)) {
            longest = ratio;
            *limit = j;
        }
    }
    return longest;
}

void qp_go(struct simplex_qp *qp, int count, struct wide far) {
    for (int i = 0; i < count; i++) {
        int j = qp->list[i];
        qp->weight[j] = wide_add(qp->weight[j], wide_times(far, qp->change[j]));
    }
}

/* The gradient of the support in double precision. */
static int measure_plainly(struct simplex_qp *qp, int count, struct error *e) {
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
        struct wide both = wide_subtract(qp->gradient[j], wide_of(qp_f(qp, j)));
        sum = wide_add(sum, wide_times(both, wide_scale(qp->weight[j], 0.5)));
    }
    return sum;
}

static void reduce(struct simplex_qp *qp) {
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], own = qp->reference[qp->block[j]];
        qp->reduced[p] = wide_subtract(qp->gradient[j], qp->gradient[own]);
    }
    qp->known = true;
    qp_set_objective(qp, objective(qp, qp_list_support(qp)));
}

int qp_measure(struct simplex_qp *qp, struct error *e) {
    int count = qp_list_support(qp);
    if (qp->exact ? qp_multiply(qp, qp->weight, count, 0, qp->gradient, e) != 0
                  : measure_plainly(qp, count, e) != 0)
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

struct wide qp_project(struct simplex_qp *qp, struct wide rest) {
    struct wide sum = wide_of(0);
    for (int p = 0; p < qp->size; p++)
        qp->normal[p] = qp_normal(qp, qp->member[p]);
    qp_factor_solve(qp, qp->normal);
    struct wide across = add_along(qp, wide_of(0), qp->normal);
    for (int pass = 0; pass < 2; pass++) { /* the second for what the first has left by rounding */
        struct wide factor = wide_quotient(add_along(qp, rest, qp->step), across);
        for (int p = 0; p < qp->size; p++)
            qp->step[p] = wide_subtract(qp->step[p], wide_times(factor, qp->normal[p]));
        sum = wide_add(sum, factor);
    }
    return sum;
}

/* step = the way to the minimizer over the affine hull of the support:
 * M step + multiplier c = -reduced, c'step = -o'a. Whether o'a = 0 holds well. */
static bool find_step(struct simplex_qp *qp) {
    double size;
    for (int p = 0; p < qp->size; p++)
        qp->step[p] = wide_negative(qp->reduced[p]);
    qp_factor_solve(qp, qp->step);
    if (!qp_restricted(qp))
        return true;
    struct wide rest = offset_sum(qp, qp_list_support(qp), &size);
    qp->eta = wide_negative(qp_project(qp, rest));
    return fabs(rest.hi) <= 1e-17 * size;
}

/* How much of the gap is due to the support: its reduced costs should be equal in each block. */
static double unrest(struct simplex_qp *qp) {
    double sum = 0;
    for (int k = 0; k < qp->set.blocks; k++)
        qp->scratch[k] = 0;
    for (int p = 0; p < qp->size; p++) {
        int j = qp->member[p], k = qp->block[j];
        double cost = fabs(wide_subtract(qp->reduced[p], wide_times(qp->eta, qp_normal(qp, j))).hi);
        if (cost > qp->scratch[k])
            qp->scratch[k] = cost;
    }
    for (int k = 0; k < qp->set.blocks; k++)
        sum += qp->cap[k] * qp->scratch[k];
    return sum;
}

/* Goes along the step; true if somebody was in the way, who then has left. */
static bool go(struct simplex_qp *qp) {
    int limit, count = qp_list_changes(qp);
    struct wide far = qp_longest(qp, count, &limit), one = wide_of(1);
    bool whole = limit < 0 || !wide_less(far, one);
    qp_go(qp, count, whole ? one : far);
    if (!whole) { /* M step = -(reduced - eta c), but for the rounding of o'a */
        struct wide rest = wide_subtract(one, far), shift = wide_times(far, qp->eta);
        for (int p = 0; p < qp->size; p++) {
            struct wide pull = wide_times(shift, qp_normal(qp, qp->member[p]));
            qp->reduced[p] = wide_add(wide_times(rest, qp->reduced[p]), pull);
        }
        qp_leave(qp, limit);
    }
    qp_shed(qp, true);
    return !whole;
}

int qp_descend(struct simplex_qp *qp, struct error *e) {
    bool measured = false, corrected = false;
    double before = INFINITY;
    if (!qp->known && qp_measure(qp, e) != 0)
        return -1;
    while (qp->size > 0) {
        if (qp->hard && qp_harden(qp, e) != 0)
            return -1;
        bool holds = find_step(qp);
        if (measured) {
            double now = unrest(qp), enough = fmax(qp->target / 8, qp->exact ? 0 : qp->noise_sum);
            if (now <= enough && (holds || corrected))
                return 0;
            corrected = now <= enough;
            if (!(now < before && now <= before / 4) && !corrected) {
                if (qp->hard)
                    return 0;
                if (qp_harden(qp, e) != 0 || qp_measure(qp, e) != 0)
                    return -1;
                before = INFINITY;
                continue;
            }
            before = now;
        }
        measured = !go(qp);
        if (!measured)
            before = INFINITY;
        else if (qp_measure(qp, e) != 0)
            return -1;
    }
    return measured ? 0 : qp_measure(qp, e);
}
