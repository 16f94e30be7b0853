/* simplex_qp_solve.c - the main loop of a quadratic program over simplices: which variables enter the support, in
 * which precision, and when to stop.
 *
 * A solve begins in double precision. If rounding errors may exceed the gap, gradients are computed in
 * double-double; if then the factor is too inaccurate for progress, it is, too. The objective falls from round to
 * round: variables whose entering did not decrease it are banned until it falls. */
#include "math/simplex_qp/simplex_qp_parts.h"

static bool stopped(const struct simplex_qp *qp) {
    return qp->settings.stop != NULL && qp->settings.stop(qp->settings.matrix);
}

/* An upper bound of the first-order decrease of q if the candidate of block k enters. */
static double possible_decrease(const struct simplex_qp *qp, int k) {
    if (qp->candidate[k] < 0)
        return 0;
    struct wide reference_cost = qp_cost(qp, qp->reference[k]);
    return qp->cap[k] * wide_subtract(reference_cost, qp_cost(qp, qp->candidate[k])).hi;
}

/* Adds the variable to the support, with as many moves as needed; returns QP_JOINED if none was. */
static enum qp_joined join_with_moves(struct simplex_qp *qp, int variable, struct error *e) {
    enum qp_joined first = qp_join(qp, variable, false, e), joined = first;
    while (joined == QP_MOVED && qp->position[variable] == POSITION_OUTSIDE &&
           qp->weight[variable].hi > 0)
        joined = qp_join(qp, variable, false, e);
    return joined == QP_FAILED ? QP_FAILED : first;
}

/* Adds the candidate of the largest possible decrease to the support, and candidates of other blocks that need no
 * move. Returns how many it tried, or -1. */
static int enter_candidates(struct simplex_qp *qp, struct error *e) {
    int best = -1, blocks = qp->settings.blocks;
    double min_decrease = qp->gap_target / (4 * blocks);
    qp->entered_count = 0;
    for (int k = 0; k < blocks; k++)
        if (possible_decrease(qp, k) > (best < 0 ? min_decrease : possible_decrease(qp, best)))
            best = k;
    if (best < 0)
        return 0;
    if (qp->partner >= 0 && qp->banned[qp->partner] != qp->round) {
        qp->entered[qp->entered_count++] = qp->partner;
        if (join_with_moves(qp, qp->partner, e) == QP_FAILED)
            return -1;
    }
    for (int i = -1; i < blocks && !stopped(qp); i++) {
        int k = i < 0 ? best : i, j = qp->candidate[k];
        double noise = qp->wide_gradients ? 0 : 2 * qp->cap[k] * qp->gradient_error;
        if (i == best || j < 0 || qp->position[j] != POSITION_OUTSIDE ||
            (i >= 0 && !(possible_decrease(qp, k) > fmax(min_decrease, noise))))
            continue;
        enum qp_joined joined = i < 0 ? join_with_moves(qp, j, e) : qp_join(qp, j, true, e);
        if (joined == QP_FAILED)
            return -1;
        if (i < 0 || joined == QP_JOINED)
            qp->entered[qp->entered_count++] = j;
        if (i < 0 && (joined != QP_JOINED || qp->partner >= 0))
            break;
    }
    return qp->entered_count;
}

/* Raises the precision for the rest of this solve: 1, or 0 if it is the highest; -1 on failure. */
static int raise_precision(struct simplex_qp *qp, struct error *e) {
    qp->gradient_valid = false;
    if (!qp->wide_gradients) {
        qp->wide_gradients = true;
        return 1;
    }
    if (qp->wide_factor_used)
        return 0;
    return qp_use_wide_factor(qp, e) != 0 ? -1 : 1;
}

/* Decides after an evaluation: 1 to continue (with more variables or a higher precision), 0 to end, -1 on failure.
 * *best: the lowest objective so far; *idle: rounds without progress. */
static int next_round(struct simplex_qp *qp, struct wide *best, int *idle, struct error *e) {
    if (!(fabs(qp->objective.hi) < INFINITY && fabs(qp->gap) < INFINITY))
        return qp_overflow(e);
    if (qp->gap <= qp->gap_target || stopped(qp))
        return 0;
    if (!qp->wide_gradients && qp->gap_error > qp->gap_target / 4 &&
        qp->gap <= 16 * qp->gap_error) {
        *best = wide_of(INFINITY);
        return raise_precision(qp, e);
    }
    double decrease = best->hi < INFINITY ? wide_subtract(*best, qp->objective).hi : INFINITY;
    *idle = decrease > 1e-3 * qp->gap_target ? 0 : *idle + 1;
    if (decrease > 0) {
        *best = qp->objective;
        qp->round++;
    } else {
        if (!qp->wide_gradients)
            *best = wide_of(INFINITY);
        if (!qp->wide_factor_used)
            return raise_precision(qp, e);
        for (int i = 0; i < qp->entered_count; i++)
            qp->banned[qp->entered[i]] = qp->round;
    }
    if (*idle > 100 + 4 * qp->count)
        return 0;
    int entered = enter_candidates(qp, e);
    return entered != 0 ? (entered < 0 ? -1 : 1) : raise_precision(qp, e);
}

/* Moves to the minimizer over the support and removes zero weights: a variable of weight 0 in the support could
 * fix eta so that no other may enter. */
static int minimize_on_support(struct simplex_qp *qp, struct error *e) {
    if (qp_descend(qp, e) != 0)
        return -1;
    int changes = qp->changes;
    qp_drop_zeros(qp, false);
    return qp->changes == changes ? 0 : qp_update_gradient(qp, e);
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
        /* minimize over the support; compute the gap; let variables enter */
        if (minimize_on_support(qp, e) != 0 || qp_evaluate(qp, e) != 0)
            return -1;
        more = next_round(qp, &best, &idle, e);
    }
    if (more < 0)
        return -1;
    result->objective = qp->objective.hi;
    result->gap = qp->gap;
    result->changes = qp->changes;
    double rounding_error = 0x1p-100 * qp->cap_sum * (qp->cap_sum * qp->largest_h + qp->largest_f);
    result->reached = qp->gap <= fmax(qp->gap_target, rounding_error);
    return 0;
}
