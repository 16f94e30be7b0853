/* subproblem_solver.c - rounds of first-order steps, each followed by Newton steps on the free variables.
 *
 * If C Q_tt is far below the scores, the program is nearly linear. The primal-dual steps rely on curvature and
 * then hardly converge, while the method of multipliers raises its penalties as needed. So pdsg changes to the
 * method of multipliers after two rounds without success; with --newton off it does not. */
#include "solvers/kernel_machine/subproblem_solver.h"

#include <limits.h>

enum {
    MAX_FREE_VARIABLES = 2000, /* the largest |F| of free_set.h */
    ROUND_STEPS = 4,           /* first-order steps a variable in a round with Newton steps, */
    LONG_ROUND_STEPS = 100,    /* and in one without */
    MAX_NEWTON_STEPS = 500,    /* Newton steps in a round */
    MAX_ROUNDS = 8,            /* rounds of first-order and Newton steps */
    SAFEGUARD_ROUND = 2        /* the round from which mpd_steps.h replaces pdsg_steps.h */
};

static const double newton_accuracy = 1e-2; /* of the tolerance; Newton steps reach it as easily */

int subproblem_solver_init(struct subproblem_solver *solver, enum subproblem_method kind,
                           int64_t count, int64_t functions,
                           const struct decomposition_settings *settings, struct error *e) {
    *solver = (struct subproblem_solver){.kind = kind, .newton = settings->newton};
    int64_t block_size = kind == SUBPROBLEM_PDSG ? settings->sub_working_set : 1;
    if (pdsg_steps_init(&solver->pdsg_steps, block_size, functions, e) != 0 ||
        mpd_steps_init(&solver->mpd_steps, functions, e) != 0)
        return -1;
    if (!solver->newton)
        return 0;
    return free_set_init(&solver->free_set, count, MAX_FREE_VARIABLES, functions, e);
}

void subproblem_solver_free(struct subproblem_solver *solver) {
    pdsg_steps_free(&solver->pdsg_steps);
    mpd_steps_free(&solver->mpd_steps);
    free_set_free(&solver->free_set);
}

void subproblem_solver_visit(struct subproblem_solver *solver, int64_t functions,
                             struct state *state) {
    struct pdsg_steps *p = &solver->pdsg_steps;
    struct mpd_steps *m = &solver->mpd_steps;
    solver->round = (int)state_integer(state, solver->round, 0, INT_MAX);
    state_doubles(state, p->dual, functions * functions);
    state_doubles(state, m->penalty, functions);
    STATE_REALS(state, &p->dual_step, &p->min_diagonal, &m->mean_diagonal, &m->threshold,
                &m->last_imbalance);
}

/* One round of first-order steps. */
static int take_first_order_steps(struct subproblem_solver *solver, struct subproblem *s,
                                  double tolerance, int64_t steps, int64_t *taken,
                                  struct error *e) {
    int safeguard = solver->newton ? SAFEGUARD_ROUND : INT_MAX;
    int first_mpd_round = solver->kind == SUBPROBLEM_PDSG ? safeguard : 0;
    int round = solver->round++;
    if (round < first_mpd_round)
        return pdsg_steps_solve(&solver->pdsg_steps, s, tolerance, steps, taken, e);
    if (round == first_mpd_round)
        mpd_steps_prepare(&solver->mpd_steps, s);
    return mpd_steps_solve(&solver->mpd_steps, s, tolerance, steps, taken, e);
}

int subproblem_solver_solve(struct subproblem_solver *solver, struct subproblem *s,
                            double tolerance, int64_t steps, bool again, struct error *e) {
    int64_t taken = 0, round_steps = (solver->newton ? ROUND_STEPS : LONG_ROUND_STEPS) * s->count;
    int status = 0;
    if (!again)
        solver->round = 0;
    if (!again && solver->kind == SUBPROBLEM_PDSG)
        pdsg_steps_prepare(&solver->pdsg_steps, s);
    for (int round = 0; round < MAX_ROUNDS && status == 0 && taken < steps; round++) {
        round_steps = round_steps < steps - taken ? round_steps : steps - taken;
        status = take_first_order_steps(solver, s, tolerance, round_steps, &taken, e);
        if (status >= 0 && solver->newton)
            status = free_set_solve(&solver->free_set, s, newton_accuracy * tolerance,
                                    MAX_NEWTON_STEPS, e);
        if (s->stop(s->stop_opaque))
            break;
    }
    return status;
}
