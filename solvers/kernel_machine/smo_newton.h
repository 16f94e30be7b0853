/* smo_newton.h - Newton steps (free_set.h) for a subproblem of smo whose pairs converge slowly.
 *
 * Where C is large for the curvature of K, or K has a low rank, pairs of variables need a number of steps that grows
 * with C. Newton steps on the free variables do not, and meet all equations together.
 *
 * Each slot of the block (smo_block.h) is a variable of the subproblem; the equations are that of the constant, if the
 * pairs keep it, and those of the multipliers (smo_multipliers.h), whose penalty is in the block's values already.
 *
 * Reference: Nocedal & Wright 2006, section 16.5. Memory, from the first subproblem that needs it: the factor, F^2/2
 * doubles for F free variables. */
#ifndef RRM_SMO_NEWTON_H
#define RRM_SMO_NEWTON_H

#include "solvers/kernel_machine/free_set.h"
#include "solvers/kernel_machine/smo_block.h"
#include "solvers/kernel_machine/smo_multipliers.h"

struct smo_newton {
    struct subproblem program;
    struct free_set free_set;
    const struct smo_block *block;
    double *moved; /* slots: beta, less that of the start */
};

/* For the first `slots` slots of BLOCK, which must outlive it. 0, or -1 with the error set; to be freed in either
 * case. All slots are empty. */
int smo_newton_init(struct smo_newton *n, const struct smo_block *block, int64_t slots,
                    const struct smo_multipliers *m, struct error *e);
void smo_newton_free(struct smo_newton *n);

/* Empties all slots. */
void smo_newton_clear(struct smo_newton *n);

/* Makes the variable of slot s, with row `row` of the data, a variable of the program: its sign in beta = sign z, its
 * beta at the start of the solve, and g there. */
void smo_newton_load(struct smo_newton *n, const struct smo_multipliers *m, int64_t s, int64_t row,
                     double sign, double start, double g);

/* Whether the free variables are not too many. */
bool smo_newton_fits(const struct smo_newton *n);

/* Solves from the block's beta until no variable violates the conditions of the optimum by more than `tolerance`, and
 * no equation by more than `tolerance` of its unit (smo_multipliers.h). m->change and m->shift are those of the block's
 * beta and g. Returns 1; 0 if this was not reached; -1 with the error set. */
int smo_newton_solve(struct smo_newton *n, const struct smo_multipliers *m, double tolerance,
                     struct error *e);

/* Writes beta and g to BLOCK, and eta with its shift to M. */
void smo_newton_store(const struct smo_newton *n, struct smo_block *block,
                      struct smo_multipliers *m);

#endif
