/* sdm_duals.c - lists of dual variables; see sdm_duals.h. */
#include "solvers/dual/sdm_duals.h"

#include "io/memory.h"

#include <stdlib.h>

static const char what[] = "the dual variables";

int sdm_duals_init(struct sdm_duals *duals, int64_t rows, int64_t capacity, struct error *e) {
    *duals = (struct sdm_duals){0};
    duals->first = memory_zeroed(rows, sizeof *duals->first, what, e);
    duals->count = memory_zeroed(rows, sizeof *duals->count, what, e);
    if (duals->first == NULL || duals->count == NULL)
        return -1;
    return sdm_duals_reserve(duals, capacity, e);
}

void sdm_duals_free(struct sdm_duals *duals) {
    free(duals->first);
    free(duals->count);
    free(duals->beta);
    free(duals->class);
    *duals = (struct sdm_duals){0};
}

int sdm_duals_reserve(struct sdm_duals *duals, int64_t more, struct error *e) {
    int64_t needed = duals->entries + more;
    if (needed <= duals->capacity && needed <= duals->class_capacity)
        return 0;
    if (memory_reserve((void **)&duals->beta, &duals->capacity, needed, sizeof *duals->beta, what,
                       e) != 0)
        return -1;
    return memory_reserve((void **)&duals->class, &duals->class_capacity, needed,
                          sizeof *duals->class, what, e);
}

void sdm_duals_visit(struct sdm_duals *duals, int64_t rows, int64_t classes, struct state *state) {
    int64_t used = state_integer(state, duals->entries, 0, rows * classes);
    if (state_reads(state)) {
        duals->entries = 0;
        if (!state_holds(state, used, sizeof *duals->beta) ||
            sdm_duals_reserve(duals, used, state_cause(state)) != 0)
            state_fail(state);
        duals->entries = used = state_failed(state) ? 0 : used;
    }
    state_integers(state, duals->first, rows, 0, used);
    state_ints(state, duals->count, rows, 0, (int)classes);
    state_doubles(state, duals->beta, used);
    state_ints(state, duals->class, used, 0, (int)classes - 1);
    for (int64_t i = 0; state_reads(state) && i < rows; i++)
        if (duals->first[i] + duals->count[i] > used)
            state_fail(state);
}
