/* smo_working_set.h - the variables of a subproblem.
 *
 * The first set are those with the largest g_t of the variables that can rise, and as many with the smallest of those
 * that can fall. Later up to half of the set is new, a half of that from either side; the rest is of the set before:
 * the free ones, then those at a bound, the newest first. So each new variable stays for some rounds, and what never
 * leaves its bound falls out.
 *
 * Reference: Joachims 1999, Making large-scale SVM learning practical; Zanni, Serafini & Zanghirati 2006, Parallel
 * software for training large scale support vector machines on multiprocessor systems, JMLR 7, section 2.2. */
#ifndef RRM_SMO_WORKING_SET_H
#define RRM_SMO_WORKING_SET_H

#include "io/error.h"
#include "io/state/state.h"

#include <stdbool.h>
#include <stdint.h>

/* How a variable can move. */
enum { SMO_CAN_RISE = 1, SMO_CAN_FALL = 2 };

struct smo_working_set {
    int64_t count;    /* variables of the problem */
    int64_t capacity; /* q */
    int64_t size;
    int64_t *member;    /* capacity: the set, the newest first */
    int64_t *next;      /* capacity: work */
    uint8_t *is_member; /* count */
    double *key;        /* count: work, the caller's */
};

/* `work`, of COUNT numbers, may change between calls. 0, or -1 with the error set; to be freed in either case. */
int smo_working_set_init(struct smo_working_set *set, int64_t count, int64_t capacity, double *work,
                         struct error *e);
void smo_working_set_free(struct smo_working_set *set);

/* For a larger capacity. 0, or -1 with the error set. */
int smo_working_set_grow(struct smo_working_set *set, int64_t capacity, struct error *e);

/* Lists the set; one that is read replaces none. */
void smo_working_set_visit(struct smo_working_set *set, struct state *state);

/* Chooses the next set: g (count), `moves` how each variable can move, highest the largest g of those that can rise,
 * lowest the smallest of those that can fall. Returns how many are new: they come first. */
int64_t smo_working_set_choose(struct smo_working_set *set, const double *g, const uint8_t *moves,
                               double highest, double lowest);

#endif
