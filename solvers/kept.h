/* kept.h - what a run leaves for the next one, of the same solver and risk, at another lambda: planes, dual variables
 * and the like. */
#ifndef RRM_KEPT_H
#define RRM_KEPT_H

#include "io/error.h"
#include "io/state/state.h"

#include <stdbool.h>

struct problem;

/* A kind of state that a solver leaves. */
struct kept_kind {
    void (*free)(void *state);

    /* Lists a state of this problem but for lambda. One that is read is new: *STATE is NULL before, and what
     * kept_free takes after that, or NULL, also where LIST has failed. */
    void (*visit)(struct state *list, void **state, const struct problem *problem);

    /* A state of one lambda: a new one, (1 - FRACTION) A + FRACTION B, of what is linear in lambda; NULL with the error
     * set. NULL: the state of the last run serves any lambda. */
    void *(*mix)(const void *a, const void *b, double fraction, struct error *e);

    /* Of a mixed state: its point comes into W; R there, without a pass. NULL: it has none. */
    double (*place)(const void *state, const struct problem *problem, double *w);

    /* The lower bound of min J that it proves, which is offered to the problem's linearization; *passes grows by those
     * that it takes. */
    double (*bound)(const void *state, const struct problem *problem, double *passes);

    bool
        single_pass; /* the next run takes a pass to the minimizer: a mixture of two results is no cheaper */
};

struct kept {
    void *state;                  /* NULL: nothing */
    const struct kept_kind *kind; /* of the state */
    double risk;                  /* R of the next run's start */
    bool mixed;                   /* that start is a mixture of two results, not the last one */
};

/* Frees the state, if there is one. */
void kept_free(struct kept *kept);

/* Writes it to a pack (io/state/state.h), which the caller frees; or takes it from there. KINDS: those of the
 * solver, NULL at the end; NULL: it leaves nothing. 0,
 * or -1 with the error set. */
int kept_pack(struct kept *kept, const struct kept_kind *const *kinds,
              const struct problem *problem, struct state_pack *pack, struct error *e);
int kept_unpack(struct kept *kept, const struct kept_kind *const *kinds,
                const struct problem *problem, const struct state_pack *pack, struct error *e);

#endif
