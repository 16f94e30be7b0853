/* subproblem_solver.h - solves a subproblem, or with --alone the whole problem, by rounds of first-order steps
 * (pdsg_steps.h or mpd_steps.h) and Newton steps (free_set.h). */
#ifndef RRM_SUBPROBLEM_SOLVER_H
#define RRM_SUBPROBLEM_SOLVER_H

#include "solvers/kernel_machine/decomposition_settings.h"
#include "solvers/kernel_machine/free_set.h"
#include "solvers/kernel_machine/mpd_steps.h"
#include "solvers/kernel_machine/pdsg_steps.h"

struct subproblem_solver {
    enum subproblem_method kind;
    bool newton; /* Newton steps of free_set.h end each round */
    int round;   /* rounds of first-order steps on this subproblem so far */
    struct pdsg_steps pdsg_steps;
    struct mpd_steps mpd_steps;
    struct free_set free_set;
};

/* For subproblems of up to `count` variables. 0, or -1 with the error set; to be freed in either case. */
int subproblem_solver_init(struct subproblem_solver *solver, enum subproblem_method kind,
                           int64_t count, int64_t functions,
                           const struct decomposition_settings *settings, struct error *e);
void subproblem_solver_free(struct subproblem_solver *solver);

/* Lists what a call with AGAIN depends on. */
void subproblem_solver_visit(struct subproblem_solver *solver, int64_t functions,
                             struct state *state);

/* Solves until no violation and no imbalance is above `tolerance`, by at most `steps` first-order steps. AGAIN:
 * the subproblem and its state are those of the last call, and the method goes on. 1: reached; 0: not reached;
 * -1 with the error set. */
int subproblem_solver_solve(struct subproblem_solver *solver, struct subproblem *s,
                            double tolerance, int64_t steps, bool again, struct error *e);

#endif
