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
    int64_t needed = duals->used + more;
    if (needed <= duals->capacity && needed <= duals->class_capacity)
        return 0;
    if (memory_reserve((void **)&duals->beta, &duals->capacity, needed, sizeof *duals->beta, what,
                       e) != 0)
        return -1;
    return memory_reserve((void **)&duals->class, &duals->class_capacity, needed,
                          sizeof *duals->class, what, e);
}
