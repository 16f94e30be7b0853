/* working_set.h - the choice of a subproblem's variables.
 *
 * New variables: up to n_c outside the set with the largest violations of the conditions of the optimum. Half
 * of them would raise theta and half would lower it, as far as there are enough of each. The rest of the set
 * are variables of the set before: first free ones, then those at 0, then those at C; within each group the
 * newest, so that each new variable stays for some rounds and what never leaves its bound falls out. After each choice
 * n_c falls to the number of variables that were new, but not below 10 nor n_B/10.
 *
 * Reference: Lee 2011, section 4.3.2; Serafini & Zanni 2005. The thesis does not balance the two signs. Its
 * first set may then have variables of one sign alone, which the equations A z = 0 keep at 0. */
#ifndef RRM_WORKING_SET_H
#define RRM_WORKING_SET_H

#include "solvers/kernel_machine/canonical.h"

struct working_set {
    int64_t capacity;  /* n_B */
    int64_t max_new;   /* n_c */
    int64_t size;      /* variables in the set */
    int64_t *member;   /* capacity: the set, the newest first in each group */
    int64_t *next;     /* capacity: work, the next set */
    double *violation; /* capacity: work, a heap's keys */
    bool *is_member;   /* for each variable of the problem */
};

/* For `count` variables. 0, or -1 with the error set; to be freed in either case. */
int working_set_init(struct working_set *set, int64_t count, int64_t capacity, int64_t max_new,
                     struct error *e);
void working_set_free(struct working_set *set);

/* Raises n_B to `capacity`; the next choice fills the set with new variables. 0, or -1 with the error set. */
int working_set_grow(struct working_set *set, int64_t capacity, struct error *e);

/* Lists the variables in the set and n_c. */
void working_set_visit(struct working_set *set, int64_t count, struct state *state);

/* Chooses the next set from z and h = K theta + Psi beta. Returns how many of its variables are new. */
int64_t working_set_choose(struct working_set *set, const struct canonical *c, const double *z,
                           const double *h);

#endif
