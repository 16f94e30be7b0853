/* simplex_qp_solve.c - the outer loop of a quadratic program over simplices: who enters, with how much
 * care, and when to end.
 *
 * A solve begins in double precision. Where its rounding may decide, gradients are taken in
 * double-double; where the factor is not accurate enough to get nearer, it is, too. The objective falls
 * from round to round: what entered without making it fall is set aside until it does. */
#include "math/simplex_qp/simplex_qp_parts.h"

static bool stopped(const struct simplex_qp *qp) {
    return qp->set.stop != NULL && qp->set.stop(qp->set.matrix);
}

/* What q could fall by if the block's candidate entered, to first order and at most. */
static double promise(const struct simplex_qp *qp, int k) {
    if (qp->candidate[k] < 0)
        return 0;
    struct wide level = qp_cost(qp, qp->reference[k]);
    return qp->cap[k] * wide_subtract(level, qp_cost(qp, qp->candidate[k])).hi;
}

/* Joins, sliding as often as need be; QP_JOINED if without a slide. */
static enum qp_joined join_surely(struct simplex_qp *qp, int variable, struct error *e) {
    enum qp_joined first = qp_join(qp, variable, false, e), joined = first;
    while (joined == QP_MOVED && qp->place[variable] == PLACE_OUTSIDE &&
           qp->weight[variable].hi > 0)
        joined = qp_join(qp, variable, false, e);
    return joined == QP_FAILED ? QP_FAILED : first;
}

/* The candidate of the best promise enters, and those of other blocks if that is without a move.
 * How many were tried, or -1. */
static int enter(struct simplex_qp *qp, struct error *e) {
    int best = -1, blocks = qp->set.blocks;
    double least = qp->target / (4 * blocks);
    qp->entered_count = 0;
    for (int k = 0; k < blocks; k++)
        if (promise(qp, k) > (best < 0 ? least : promise(qp, best)))
            best = k;
    if (best < 0)
        return 0;
    if (qp->pair >= 0 && qp->banned[qp->pair] != qp->round) {
        qp->entered[qp->entered_count++] = qp->pair;
        if (join_surely(qp, qp->pair, e) == QP_FAILED)
            return -1;
    }
    for (int i = -1; i < blocks && !stopped(qp); i++) {
        int k = i < 0 ? best : i, j = qp->candidate[k];
        double noise = qp->exact ? 0 : 2 * qp->cap[k] * qp->noise;
        if (i == best || j < 0 || qp->place[j] != PLACE_OUTSIDE ||
            (i >= 0 && !(promise(qp, k) > fmax(least, noise))))
            continue;
        enum qp_joined joined = i < 0 ? join_surely(qp, j, e) : qp_join(qp, j, true, e);
        if (joined == QP_FAILED)
            return -1;
        if (i < 0 || joined == QP_JOINED)
            qp->entered[qp->entered_count++] = j;
        if (i < 0 && (joined != QP_JOINED || qp->pair >= 0))
            break;
    }
    return qp->entered_count;
}

/* More care for the rest of this solve: 1, or 0 if there is no more; -1 on failure. */
static int take_care(struct simplex_qp *qp, struct error *e) {
    qp->known = false;
    if (!qp->exact) {
        qp->exact = true;
        return 1;
    }
    if (qp->hard)
        return 0;
    return qp_harden(qp, e) != 0 ? -1 : 1;
}

/* What comes after an evaluation: 1 to go on, 0 to end, -1 on failure. */
static int go_on(struct simplex_qp *qp, struct wide *best, int *idle, struct error *e) {
    if (!(fabs(qp->objective.hi) < INFINITY && fabs(qp->gap) < INFINITY))
        return qp_overflow(e);
    if (qp->gap <= qp->target || stopped(qp))
        return 0;
    if (!qp->exact && qp->noise_sum > qp->target / 4 && qp->gap <= 16 * qp->noise_sum) {
        *best = wide_of(INFINITY);
        return take_care(qp, e);
    }
    double fall = best->hi < INFINITY ? wide_subtract(*best, qp->objective).hi : INFINITY;
    *idle = fall > 1e-3 * qp->target ? 0 : *idle + 1;
    if (fall > 0) {
        *best = qp->objective;
        qp->round++;
    } else {
        if (!qp->exact)
            *best = wide_of(INFINITY);
        if (!qp->hard)
            return take_care(qp, e);
        for (int i = 0; i < qp->entered_count; i++)
            qp->banned[qp->entered[i]] = qp->round;
    }
    if (*idle > 100 + 4 * qp->count)
        return 0;
    int entered = enter(qp, e);
    return entered != 0 ? (entered < 0 ? -1 : 1) : take_care(qp, e);
}

/* To the minimizer over the support, which ends with positive weights only: one of weight 0 would pin
 * eta, and none could enter. */
static int settle(struct simplex_qp *qp, struct error *e) {
    if (qp_descend(qp, e) != 0)
        return -1;
    int changes = qp->changes;
    qp_shed(qp, false);
    return qp->changes == changes ? 0 : qp_measure(qp, e);
}

int simplex_qp_solve(struct simplex_qp *qp, const double *f, const double *cap, double tolerance,
                     struct simplex_qp_result *result, struct error *e) {
    struct wide best = wide_of(INFINITY);
    int idle = 0, more = 1;
    qp->f = f;
    qp->cap = cap;
    qp->tolerance = tolerance;
    qp->entered_count = 0;
    if (qp_start(qp, e) != 0)
        return -1;
    while (more > 0) {
        if (settle(qp, e) != 0 || qp_evaluate(qp, e) != 0)
            return -1;
        more = go_on(qp, &best, &idle, e);
    }
    if (more < 0)
        return -1;
    result->objective = qp->objective.hi;
    result->gap = qp->gap;
    result->changes = qp->changes;
    double nothing = 0x1p-100 * qp->cap_sum * (qp->cap_sum * qp->largest_h + qp->largest_f);
    result->reached = qp->gap <= fmax(qp->target, nothing);
    return 0;
}
