/* dcd_kept.c - mixtures of what two runs of dcd have left, and the list for a checkpoint. */
#include "solvers/dual/dcd_kept.h"

#include "io/memory.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdlib.h>

enum { MIX_MOVES = 4 };

static void free_kept(void *state) {
    struct dcd_kept *kept = state;
    free(kept->a);
    free(kept->w);
    free(kept);
}

/* The slopes and lambda times w are linear in lambda. */
static void *mix_kept(const void *first, const void *second, double fraction, struct error *e) {
    const struct dcd_kept *a = first, *b = second;
    struct dcd_kept *mixed = memory_zeroed(1, sizeof *mixed, "the dual variables", e);
    if (mixed == NULL)
        return NULL;
    *mixed = (struct dcd_kept){
        .lambda = a->lambda,
        .moves = fmax(a->moves, b->moves) + MIX_MOVES,
        .rows = a->rows,
        .columns = a->columns,
        .regularized = a->regularized,
        .a = memory_new(a->rows, sizeof *mixed->a, "the dual variables", e),
        .w = memory_new(2 * a->columns, sizeof *mixed->w, "the dual variables", e),
    };
    if (mixed->a == NULL || mixed->w == NULL) {
        free_kept(mixed);
        return NULL;
    }
    for (int64_t i = 0; i < a->rows; i++)
        mixed->a[i] = a->a[i] + fraction * (b->a[i] - a->a[i]);
    for (int64_t j = 0; j < a->columns; j++)
        mixed->w[j] =
            a->w[j] +
            fraction * (b->w[j] * (j < a->regularized ? b->lambda / a->lambda : 1) - a->w[j]);
    return mixed;
}

static void visit_kept(struct state *list, void **state, const struct problem *problem) {
    struct dcd_kept *kept = *state;
    const struct design *design = problem->risk->scalar->design;
    if (!state_holds(list, design->rows, sizeof *kept->a))
        return;
    if (kept == NULL) {
        struct error *e = state_cause(list);
        *state = kept = memory_zeroed(1, sizeof *kept, "the dual variables", e);
        if (kept != NULL)
            *kept = (struct dcd_kept){
                .rows = design->rows,
                .columns = design->columns,
                .regularized = design->regularized,
                .a = memory_new(design->rows, sizeof *kept->a, "the dual variables", e),
                .w = memory_zeroed(2 * design->columns, sizeof *kept->w, "the dual variables", e),
            };
        if (kept == NULL || kept->a == NULL || kept->w == NULL) {
            state_fail(list);
            return;
        }
    }
    STATE_REALS(list, &kept->lambda, &kept->moves);
    state_doubles(list, kept->a, kept->rows);
    state_doubles(list, kept->w, kept->columns);
}

const struct kept_kind dcd_kept_kind = {.free = free_kept, .visit = visit_kept, .mix = mix_kept};
