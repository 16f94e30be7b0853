/* working_set.h - which variables a subproblem is over.
 *
 * Fresh ones: up to n_c of those that violate the conditions of the optimum most, as many that would raise
 * theta as would lower it, as far as there are. The other places go to variables of the set before: first
 * those off their bounds, then those at 0, then those at C, in each group the ones that came first. n_c
 * falls to the number of variables that were new in the set, but not below 10 nor a tenth of n_B.
 *
 * Reference: Lee 2011, section 4.3.2; Serafini & Zanni 2005. The thesis takes the largest violations of
 * both kinds together: all of the first set are then of one kind, and its equalities hold them at 0. */
#ifndef RRM_WORKING_SET_H
#define RRM_WORKING_SET_H

#include "solvers/kernel_machine/canonical.h"

struct working_set {
    int64_t most;  /* n_B */
    int64_t fresh; /* n_c */
    int64_t size;
    int64_t *member; /* most: the set, oldest first in each group */
    int64_t *next;   /* most: room */
    double *badness; /* most */
    bool *within;    /* for each variable */
};

/* For `count` variables. 0, or -1 with the error set; to be freed in either case. */
int working_set_init(struct working_set *set, int64_t count, int64_t most, int64_t fresh,
                     struct error *e);
void working_set_free(struct working_set *set);

/* n_B = `most`, above what it was; the next set is to fill it with new variables. 0, or -1 with the error set. */
int working_set_grow(struct working_set *set, int64_t most, struct error *e);

/* The next set, by z and h = K theta + Psi beta. Returns how many of its variables are new. */
int64_t working_set_choose(struct working_set *set, const struct canonical *c, const double *z,
                           const double *h);

#endif
