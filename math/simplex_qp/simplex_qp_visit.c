/* simplex_qp_visit.c - what a quadratic program carries from one solve to the next. */
#include "math/simplex_qp/simplex_qp_parts.h"

static void visit_wides(struct state *state, struct wide *x, int64_t count) {
    state_doubles(state, (double *)x, 2 * count);
}

/* Whether the lists name the variables that are present, and the members, as their positions do. */
static bool is_consistent(struct simplex_qp *qp) {
    int present = 0, members = 0;
    for (int j = 0; j < qp->capacity; j++)
        qp->list[j] = 0;
    for (int i = 0; i < qp->count; i++)
        qp->list[qp->present[i]]++;
    for (int j = 0; j < qp->capacity; j++) {
        int position = qp->position[j];
        present += j >= qp->slacks && position != POSITION_EMPTY;
        members += position >= 0;
        if ((position >= 0 && (position >= qp->size || qp->member[position] != j)) ||
            (position == POSITION_REFERENCE && qp->reference[qp->block[j]] != j) ||
            qp->list[j] != (j >= qp->slacks && position != POSITION_EMPTY))
            return false;
    }
    for (int k = 0; k < qp->settings.blocks; k++)
        if (qp->reference[k] >= 0 && qp->position[qp->reference[k]] != POSITION_REFERENCE)
            return false;
    return present == qp->count && members == qp->size &&
           (qp->stale || qp->factor.size == qp->size) && qp->wide_factor.size <= qp->size;
}

/* By variable, and the lists of variables. */
static void visit_variables(struct simplex_qp *qp, struct state *state) {
    int last = qp->capacity - 1, blocks = qp->settings.blocks;
    state_ints(state, qp->block, qp->capacity, 0, blocks - 1);
    state_ints(state, qp->position, qp->capacity, POSITION_EMPTY, last);
    state_ints(state, qp->banned, qp->capacity, -1, INT32_MAX);
    state_doubles(state, qp->o, qp->capacity);
    state_doubles(state, qp->row_max, qp->capacity);
    visit_wides(state, qp->weight, qp->capacity);
    visit_wides(state, qp->gradient, qp->capacity);
    qp->count = (int)state_integer(state, qp->count, 0, last);
    qp->added = (int)state_integer(state, qp->added, 0, qp->count);
    state_ints(state, qp->present, qp->count, qp->slacks, last);
    state_ints(state, qp->reference, blocks, -1, last);
    qp->size = (int)state_integer(state, qp->size, 0, last);
    state_ints(state, qp->member, qp->size, 0, last);
    visit_wides(state, qp->reduced, qp->size);
}

void simplex_qp_visit(struct simplex_qp *qp, struct state *state) {
    static const int max_capacity = INT32_MAX / 8;
    int64_t capacity = state_integer(state, qp->capacity, qp->capacity, max_capacity);
    if (!state_holds(state, capacity, sizeof *qp->weight))
        return;
    if (capacity > qp->capacity && qp_grow(qp, (int)capacity, state_cause(state)) != 0) {
        state_fail(state);
        return;
    }
    visit_variables(qp, state);
    cholesky_set_visit(&qp->factor, qp->size, state);
    cholesky_wide_visit(&qp->wide_factor, qp->size, state);
    qp->stale = state_flag(state, qp->stale);
    qp->round = (int)state_integer(state, qp->round, 0, INT32_MAX);
    STATE_REALS(state, &qp->sigma, &qp->magnitude, &qp->gradient_error, &qp->gap_error,
                &qp->gap_target, &qp->gap);
    visit_wides(state, &qp->objective, 1);
    if (state_reads(state) && !state_failed(state) && !is_consistent(qp))
        state_fail(state);
}
