/* inner.h - what solves the subproblems of the decomposition, or the whole problem. */
#ifndef RRM_INNER_H
#define RRM_INNER_H

#include "solvers/kernel_machine/decomposition.h"
#include "solvers/kernel_machine/free_set.h"
#include "solvers/kernel_machine/multipliers.h"
#include "solvers/kernel_machine/primal_dual.h"

struct inner {
    enum inner_solver kind;
    bool newton; /* with the steps of free_set.h */
    int round;   /* of this subproblem */
    struct primal_dual primal_dual;
    struct multipliers multipliers;
    struct free_set free_set;
};

/* For subproblems of up to `count` variables. 0, or -1 with the error set; to be freed in either case. */
int inner_init(struct inner *inner, enum inner_solver kind, int64_t count, int64_t functions,
               const struct decomposition_settings *settings, struct error *e);
void inner_free(struct inner *inner);

/* Until no violation and no imbalance is above `tolerance`, but no more than `steps` of the inner solver's.
 * AGAIN: the subproblem is the one before, at whose state the steps go on. 1: reached, 0: not, -1 with the
 * error set. */
int inner_solve(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                bool again, struct error *e);

#endif
