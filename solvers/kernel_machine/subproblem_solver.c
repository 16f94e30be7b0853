/* subproblem_solver.c - steps of the subproblem solver, and Newton steps on the free variables that end them.
 *
 * Where C Q_tt is far below the scores nothing bends: the program is nearly a linear one, in which the
 * primal-dual steps, made for curvature, take forever, and the penalties of the method of multipliers grow
 * to what is needed. It is the safeguard of what two rounds have not solved. */
#include "solvers/kernel_machine/subproblem_solver.h"

enum {
    FREE_MOST = 2000, /* variables that are factored */
    TURN = 4,         /* steps of the subproblem solver a variable between Newton steps, */
    LONG_TURN = 100,  /* and without these */
    NEWTON = 500,     /* of these at most */
    ROUNDS = 8,       /* of both */
    SAFEGUARD = 2     /* the round from which on mpd_steps.h takes the steps of pdsg_steps.h */
};

static const double newton_accuracy = 1e-2; /* of the tolerance: Newton steps reach it as easily */

int subproblem_solver_init(struct subproblem_solver *solver, enum subproblem_method kind,
                           int64_t count, int64_t functions,
                           const struct decomposition_settings *settings, struct error *e) {
    *solver = (struct subproblem_solver){.kind = kind, .newton = settings->newton};
    int64_t most = kind == SUBPROBLEM_PDSG ? settings->sub_working_set : 1;
    if (pdsg_steps_init(&solver->pdsg_steps, most, functions, e) != 0 ||
        mpd_steps_init(&solver->mpd_steps, functions, e) != 0)
        return -1;
    if (!solver->newton)
        return 0;
    return free_set_init(&solver->free_set, count, FREE_MOST, functions, e);
}

void subproblem_solver_free(struct subproblem_solver *solver) {
    pdsg_steps_free(&solver->pdsg_steps);
    mpd_steps_free(&solver->mpd_steps);
    free_set_free(&solver->free_set);
}

/* A turn of the subproblem solver, or of the safeguard. */
static int take_turn(struct subproblem_solver *solver, struct subproblem *s, double tolerance,
                     int64_t steps, int64_t *taken, struct error *e) {
    int first = solver->kind == SUBPROBLEM_PDSG ? SAFEGUARD : 0, round = solver->round++;
    if (round < first)
        return pdsg_steps_solve(&solver->pdsg_steps, s, tolerance, steps, taken, e);
    if (round == first)
        mpd_steps_prepare(&solver->mpd_steps, s);
    return mpd_steps_solve(&solver->mpd_steps, s, tolerance, steps, taken, e);
}

int subproblem_solver_solve(struct subproblem_solver *solver, struct subproblem *s,
                            double tolerance, int64_t steps, bool again, struct error *e) {
    int64_t taken = 0, turn = (solver->newton ? TURN : LONG_TURN) * s->count;
    int status = 0;
    if (!again)
        solver->round = 0;
    if (!again && solver->kind == SUBPROBLEM_PDSG)
        pdsg_steps_prepare(&solver->pdsg_steps, s);
    for (int round = 0; round < ROUNDS && status == 0 && taken < steps; round++) {
        turn = turn < steps - taken ? turn : steps - taken;
        status = take_turn(solver, s, tolerance, turn, &taken, e);
        if (status >= 0 && solver->newton)
            status = free_set_solve(&solver->free_set, s, newton_accuracy * tolerance, NEWTON, e);
        if (s->stop(s->stopper))
            break;
    }
    return status;
}
