/* subproblem_solver.h - what solves the subproblems of the decomposition, or the whole problem. */
#ifndef RRM_SUBPROBLEM_SOLVER_H
#define RRM_SUBPROBLEM_SOLVER_H

#include "solvers/kernel_machine/decomposition.h"
#include "solvers/kernel_machine/free_set.h"
#include "solvers/kernel_machine/mpd_steps.h"
#include "solvers/kernel_machine/pdsg_steps.h"

struct subproblem_solver {
    enum subproblem_method kind;
    bool newton; /* with the steps of free_set.h */
    int round;   /* of this subproblem */
    struct pdsg_steps pdsg_steps;
    struct mpd_steps mpd_steps;
    struct free_set free_set;
};

/* For subproblems of up to `count` variables. 0, or -1 with the error set; to be freed in either case. */
int subproblem_solver_init(struct subproblem_solver *solver, enum subproblem_method kind,
                           int64_t count, int64_t functions,
                           const struct decomposition_settings *settings, struct error *e);
void subproblem_solver_free(struct subproblem_solver *solver);

/* Until no violation and no imbalance is above `tolerance`, but no more than `steps` of the subproblem solver's.
 * AGAIN: the subproblem is the one before, at whose state the steps go on. 1: reached, 0: not, -1 with the
 * error set. */
int subproblem_solver_solve(struct subproblem_solver *solver, struct subproblem *s,
                            double tolerance, int64_t steps, bool again, struct error *e);

#endif
