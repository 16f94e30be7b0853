/* smo_subproblem.h - a subproblem of the dual: the variables of a working set, the others fixed. Its kernel values are
 * gathered from rows of K, and after the solve K times the change is added to the scores.
 *
 * Where the equations do not hold the sum of beta fixed (the constant is not a basis function, nor in their span,
 * nor is a margin learned), one more variable without bounds, cost or kernel values makes pairs of all single
 * variables.
 *
 * Reference: Zanni, Serafini & Zanghirati 2006, section 2. */
#ifndef RRM_SMO_SUBPROBLEM_H
#define RRM_SMO_SUBPROBLEM_H

#include "kernel/row_cache.h"
#include "solvers/kernel_machine/smo_block.h"
#include "solvers/kernel_machine/smo_newton.h"
#include "solvers/kernel_machine/smo_working_set.h"
#include "solvers/kernel_machine/solution.h"

struct smo_subproblem {
    struct solution *s;
    struct smo_multipliers *m;
    struct row_cache *cache;
    struct monitor *monitor;
    struct smo_working_set set;
    struct smo_block block;
    struct smo_newton newton; /* empty until pairs converge slowly */
    const double *g;          /* count: that of the last load, less `middle` in the block */
    double middle;
    int64_t fresh;       /* variables whose kernel values are to be gathered, first in the set */
    int32_t *slot;       /* count: of a variable of the set; else -1 */
    int64_t *variable;   /* capacity: of a slot; -1: empty */
    int64_t *column;     /* capacity: the row of K of a slot's variable; 0: empty */
    int64_t *kept;       /* capacity: work, the slots whose variables stay */
    bool *is_fresh;      /* capacity: the slot's kernel values are to be gathered */
    bool stale;          /* rho or K changed: all are */
    int64_t *row;        /* capacity: the distinct rows of K that are needed, */
    int32_t *position;   /* rows: where a row is among them, or -1 */
    double *change;      /* capacity: by how much theta changes there */
    const float **value; /* ROWS_TOGETHER: the values of a part of them */
    double operations;   /* of all solves so far, about */
    float *
        part; /* ROW_CACHE_VALUES x capacity: those of rows that are gathered without being cached */
};

/* For up to `capacity` variables at a time. 0, or -1 with the error set; to be freed in either case. */
int smo_subproblem_init(struct smo_subproblem *p, int64_t capacity, struct error *e);
void smo_subproblem_free(struct smo_subproblem *p);

/* For more variables at a time. 0, or -1 with the error set. */
int smo_subproblem_grow(struct smo_subproblem *p, int64_t capacity, struct error *e);

/* Lists the set with its kernel values, and how rows of K are computed. */
void smo_subproblem_visit(struct smo_subproblem *p, struct state *state);

/* Takes rows of K that are computed in doubles from now on. Whether they were not so before. */
bool smo_subproblem_refine(struct smo_subproblem *p);

/* f = K theta of z, in floats. 0, or -1 with the error set. */
int smo_subproblem_scores(struct smo_subproblem *p, struct error *e);

/* Chooses the variables and gathers their kernel values; g must stay until they are solved. Returns 1; 0 if the monitor
 * ended it; -1 with the error set. */
int smo_subproblem_load(struct smo_subproblem *p, const double *g, const uint8_t *moves,
                        double highest, double lowest, struct error *e);

/* Solves to a gap of a tenth of the first one, but not below epsilon/2, and updates z, f and eta. Pairs that converge
 * slowly are helped by Newton steps (smo_newton.h). 0, or -1 with the error set. */
int smo_subproblem_solve(struct smo_subproblem *p, double epsilon, struct error *e);

#endif
