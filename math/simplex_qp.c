/* simplex_qp.c - convex quadratic programs over products of simplices: variables and the outer loop. */
#include "math/simplex_qp_parts.h"

#include "io/memory.h"

#include <stdlib.h>

static int grow(struct simplex_qp *qp, int capacity, struct error *e);

struct simplex_qp *simplex_qp_new(const struct simplex_qp_settings *settings, struct error *e) {
    struct simplex_qp *qp = memory_zeroed(1, sizeof *qp, "a quadratic program", e);
    int blocks = settings->blocks;
    if (qp == NULL)
        return NULL;
    qp->set = *settings;
    qp->slacks = settings->equal ? 0 : blocks;
    qp->reference = memory_new(blocks, sizeof *qp->reference, "a quadratic program", e);
    qp->candidate = memory_new(blocks, sizeof *qp->candidate, "a quadratic program", e);
    qp->lowest = memory_new(blocks, sizeof *qp->lowest, "a quadratic program", e);
    qp->scratch = memory_new(blocks, sizeof *qp->scratch, "a quadratic program", e);
    qp->entered = memory_new((int64_t)blocks + 1, sizeof *qp->entered, "a quadratic program", e);
    if (qp->reference == NULL || qp->candidate == NULL || qp->lowest == NULL ||
        qp->scratch == NULL || qp->entered == NULL || grow(qp, qp->slacks + 16, e) != 0)
        return simplex_qp_free(qp);
    for (int k = 0; k < blocks; k++)
        qp->reference[k] = -1;
    for (int k = 0; k < qp->slacks; k++) {
        qp->block[k] = k;
        qp->place[k] = PLACE_OUTSIDE;
    }
    return qp;
}

struct simplex_qp *simplex_qp_free(struct simplex_qp *qp) {
    if (qp == NULL)
        return NULL;
    void *all[] = {qp->reference, qp->candidate, qp->lowest,  qp->scratch, qp->entered, qp->block,
                   qp->place,     qp->banned,    qp->list,    qp->run,     qp->used,    qp->member,
                   qp->o,         qp->largest,   qp->sum,     qp->plain,   qp->weight,  qp->change,
                   qp->gradient,  qp->product,   qp->reduced, qp->step,    qp->normal,  qp->m};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    cholesky_set_free(&qp->factor);
    cholesky_wide_free(&qp->wide_factor);
    free(qp);
    return NULL;
}

static int grow_ints(int **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

static int grow_doubles(double **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

static int grow_wides(struct wide **array, int capacity, struct error *e) {
    void *pointer = *array;
    int status = memory_resize(&pointer, capacity, sizeof **array, "a quadratic program", e);
    *array = pointer;
    return status;
}

/* Room for so many variables; the new ones are empty. */
static int grow(struct simplex_qp *qp, int capacity, struct error *e) {
    int **ints[] = {&qp->block, &qp->place, &qp->banned, &qp->list, &qp->used, &qp->member};
    double **doubles[] = {&qp->o, &qp->largest, &qp->sum, &qp->plain};
    struct wide **wides[] = {&qp->weight,  &qp->change, &qp->gradient, &qp->product,
                             &qp->reduced, &qp->step,   &qp->normal,   &qp->m};
    int status = grow_ints(&qp->run, 2 * capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof ints / sizeof *ints; i++)
        status = grow_ints(ints[i], capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof doubles / sizeof *doubles; i++)
        status = grow_doubles(doubles[i], capacity, e);
    for (size_t i = 0; status == 0 && i < sizeof wides / sizeof *wides; i++)
        status = grow_wides(wides[i], capacity, e);
    if (status != 0)
        return -1;
    for (int j = qp->capacity; j < capacity; j++) {
        qp->block[j] = 0;
        qp->place[j] = PLACE_EMPTY;
        qp->banned[j] = -1;
        qp->o[j] = qp->largest[j] = 0;
        qp->weight[j] = qp->gradient[j] = wide_of(0);
    }
    qp->capacity = capacity;
    return 0;
}

int simplex_qp_add(struct simplex_qp *qp, int slot, int block, double o, struct error *e) {
    if (slot > INT32_MAX / 8 - qp->slacks)
        return error_set(e, "quadratic program: slot %d is too large", slot);
    int j = qp->slacks + slot;
    if (j >= qp->capacity && grow(qp, j + j / 2 + 16, e) != 0)
        return -1;
    qp->block[j] = block;
    qp->place[j] = PLACE_OUTSIDE;
    qp->o[j] = qp->set.offset ? o : 0;
    qp->weight[j] = wide_of(0);
    qp->largest[j] = -1;
    qp->banned[j] = -1;
    qp->used[qp->count++] = j;
    qp->fresh++;
    return 0;
}

void simplex_qp_drop(struct simplex_qp *qp, int slot) {
    int j = qp->slacks + slot, at = 0;
    qp->weight[j] = wide_of(0);
    if (qp->place[j] >= PLACE_REFERENCE)
        qp_leave(qp, j);
    qp->place[j] = PLACE_EMPTY;
    while (qp->used[at] != j)
        at++;
    if (at >= qp->count - qp->fresh)
        qp->fresh--;
    qp->count--;
    for (; at < qp->count; at++)
        qp->used[at] = qp->used[at + 1];
}

struct wide simplex_qp_weight_wide(const struct simplex_qp *qp, int slot) {
    int j = qp->slacks + slot;
    return j < qp->capacity ? qp->weight[j] : wide_of(0);
}

double simplex_qp_weight(const struct simplex_qp *qp, int slot) {
    return simplex_qp_weight_wide(qp, slot).hi;
}

int simplex_qp_support(const struct simplex_qp *qp, int *slot) {
    int count = 0;
    for (int k = 0; k < qp->set.blocks; k++)
        if (qp->reference[k] >= qp->slacks)
            slot[count++] = qp->reference[k] - qp->slacks;
    for (int p = 0; p < qp->size; p++)
        if (qp->member[p] >= qp->slacks)
            slot[count++] = qp->member[p] - qp->slacks;
    return count;
}

double simplex_qp_level(const struct simplex_qp *qp, int block) {
    int slack = qp->slacks > 0 ? qp->place[block] : PLACE_OUTSIDE;
    return slack == PLACE_OUTSIDE ? qp_cost(qp, qp->reference[block]).hi : 0;
}

struct wide simplex_qp_offset(const struct simplex_qp *qp) {
    return qp->eta;
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
    for (int i = -1; i < blocks; i++) {
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
        return error_set(e, "quadratic program: the numbers are not finite");
    if (qp->gap <= qp->target)
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
