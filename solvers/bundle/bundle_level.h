/* bundle_level.h - the next point of a bundle method as a projection onto a level set of J_t. */
#ifndef RRM_BUNDLE_LEVEL_H
#define RRM_BUNDLE_LEVEL_H

#include "solvers/bundle/bundle_program.h"
#include "solvers/bundle/bundle_run.h"

struct bundle_level {
    double weight;  /* mu of the last step, where the next search begins */
    double *centre; /* c */
    double high;    /* the level's upper end, as a share of the way from the bound to the best J */
    double hoped;   /* J at or below which the last step was a success */
    bool known;     /* the products of the planes are those with the next centre */
};

/* For points of n coordinates. 0, or -1 with the error set; to be freed in either case. */
int bundle_level_init(struct bundle_level *level, int64_t n, struct error *e);
void bundle_level_free(struct bundle_level *level);

/* Moves the run's point, which is the centre and where the plane of the slot `newest` was taken, to
 * the next. Between two steps the products that stand in the planes are left alone. The
 * certificate's bound may have been raised on the way. 0, or -1 with the error set. */
int bundle_level_step(struct bundle_level *level, struct bundle_run *run, struct planes *planes,
                      int newest, struct error *e);

#endif
