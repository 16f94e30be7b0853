/* inner.c - steps of the inner solver, and Newton steps on the free variables that end them. */
#include "solvers/inner.h"

enum {
    FREE_MOST = 1000, /* variables that are factored */
    TURN = 4,         /* steps of the inner solver a variable between Newton steps, */
    LONG_TURN = 100,  /* and without these */
    NEWTON = 500,     /* of these at most */
    ROUNDS = 8        /* of both */
};

static const double finer = 1e-2; /* of the tolerance: Newton steps reach it as easily */

int inner_init(struct inner *inner, enum inner_solver kind, int64_t count, int64_t functions,
               const struct decomposition_settings *settings, struct error *e) {
    *inner = (struct inner){.kind = kind, .newton = settings->newton};
    int status =
        kind == INNER_MULTIPLIERS
            ? multipliers_init(&inner->multipliers, functions, e)
            : primal_dual_init(&inner->primal_dual, settings->sub_working_set, functions, e);
    if (status != 0 || !inner->newton)
        return status;
    return free_set_init(&inner->free_set, count, FREE_MOST, functions, e);
}

void inner_free(struct inner *inner) {
    primal_dual_free(&inner->primal_dual);
    multipliers_free(&inner->multipliers);
    free_set_free(&inner->free_set);
}

static int take_steps(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                      int64_t *taken, struct error *e) {
    if (inner->kind == INNER_MULTIPLIERS)
        return multipliers_solve(&inner->multipliers, s, tolerance, steps, taken, e);
    return primal_dual_solve(&inner->primal_dual, s, tolerance, steps, taken, e);
}

int inner_solve(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                struct error *e) {
    int64_t taken = 0, turn = (inner->newton ? TURN : LONG_TURN) * s->count;
    int status = 0;
    if (inner->kind == INNER_MULTIPLIERS)
        multipliers_prepare(&inner->multipliers, s);
    else
        primal_dual_prepare(&inner->primal_dual, s);
    for (int round = 0; round < ROUNDS && status == 0 && taken < steps; round++) {
        turn = turn < steps - taken ? turn : steps - taken;
        status = take_steps(inner, s, tolerance, turn, &taken, e);
        if (status >= 0 && inner->newton)
            status = free_set_solve(&inner->free_set, s, finer * tolerance, NEWTON, e);
        if (s->stop(s->monitor))
            break;
    }
    return status;
}
