/* kept.c - what a run leaves for the next one, in memory and as a list of numbers. */
#include "solvers/kept.h"

#include <stdlib.h>

void kept_free(struct kept *kept) {
    if (kept->state != NULL)
        kept->kind->free(kept->state);
    *kept = (struct kept){0};
}

struct listed {
    struct kept *kept;
    const struct kept_kind *const *kinds;
    const struct problem *problem;
};

/* Its number among the kinds of its solver. */
static void visit_kind(struct state *state, const struct listed *listed) {
    const struct kept_kind *const *kinds = listed->kinds;
    int64_t count = 0, number = 0;
    for (; kinds[count] != NULL; count++)
        if (kinds[count] == listed->kept->kind)
            number = count;
    listed->kept->kind = kinds[state_integer(state, number, 0, count - 1)];
}

static void visit(struct state *state, void *context) {
    const struct listed *listed = context;
    struct kept *kept = listed->kept;
    if (!state_flag(state, kept->state != NULL))
        return;
    visit_kind(state, listed);
    STATE_REALS(state, &kept->risk);
    kept->kind->visit(state, &kept->state, listed->problem);
}

int kept_pack(struct kept *kept, const struct kept_kind *const *kinds,
              const struct problem *problem, struct state_pack *pack, struct error *e) {
    struct listed listed = {.kept = kept, .kinds = kinds, .problem = problem};
    return kinds == NULL ? 0 : state_pack(pack, visit, &listed, e);
}

int kept_unpack(struct kept *kept, const struct kept_kind *const *kinds,
                const struct problem *problem, const struct state_pack *pack, struct error *e) {
    struct listed listed = {.kept = kept, .kinds = kinds, .problem = problem};
    if (kinds == NULL || pack->bytes == NULL)
        return 0;
    kept_free(kept);
    int status = state_unpack(pack, visit, &listed, e);
    if (status != 0)
        kept_free(kept);
    return status > 0
               ? error_set(e, "the checkpoint does not fit this run; remove it to begin anew")
               : status;
}
