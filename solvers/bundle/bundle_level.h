/* bundle_level.h - the next point of a bundle method as a projection onto a level set of J_t. */
#ifndef RRM_BUNDLE_LEVEL_H
#define RRM_BUNDLE_LEVEL_H

#include "solvers/bundle/bundle_program.h"
#include "solvers/bundle/bundle_run.h"

struct bundle_level {
    double mu;      /* of the last step, where the next search begins */
    double *centre; /* c */
    double upper;   /* the highest level, as a fraction of the way from the bound to the best J */
    double target;  /* the last step succeeded if J is at most this */
    bool products_known; /* the planes' products are those with the next centre */
};

/* For points of n coordinates. 0, or -1 with the error set; to be freed in either case. */
int bundle_level_init(struct bundle_level *level, int64_t n, struct error *e);
void bundle_level_free(struct bundle_level *level);

/* Lists what the next step begins from, beside the run and its planes. */
void bundle_level_visit(struct bundle_level *level, struct state *state);

/* Moves the run's point to the next one. The point at the call is the centre; `newest` is the slot of its
 * plane. The caller must not change the planes' products between two steps. The certificate's bound may
 * rise. 0, or -1 with the error set. */
int bundle_level_step(struct bundle_level *level, struct bundle_run *run, struct planes *planes,
                      int newest, struct error *e);

#endif
