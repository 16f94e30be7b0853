/* inner.c - steps of the inner solver, and Newton steps on the free variables that end them.
 *
 * Where C Q_tt is far below the scores nothing bends: the program is nearly a linear one, in which the
 * primal-dual steps, made for curvature, take forever, and the penalties of the method of multipliers grow
 * to what is needed. It is the safeguard of what two rounds have not solved. */
#include "solvers/kernel_machine/inner.h"

enum {
    FREE_MOST = 2000, /* variables that are factored */
    TURN = 4,         /* steps of the inner solver a variable between Newton steps, */
    LONG_TURN = 100,  /* and without these */
    NEWTON = 500,     /* of these at most */
    ROUNDS = 8,       /* of both */
    SAFEGUARD = 2     /* the round from which on multipliers.h takes the steps of primal_dual.h */
};

static const double finer = 1e-2; /* of the tolerance: Newton steps reach it as easily */

int inner_init(struct inner *inner, enum inner_solver kind, int64_t count, int64_t functions,
               const struct decomposition_settings *settings, struct error *e) {
    *inner = (struct inner){.kind = kind, .newton = settings->newton};
    int64_t most = kind == INNER_PRIMAL_DUAL ? settings->sub_working_set : 1;
    if (primal_dual_init(&inner->primal_dual, most, functions, e) != 0 ||
        multipliers_init(&inner->multipliers, functions, e) != 0)
        return -1;
    if (!inner->newton)
        return 0;
    return free_set_init(&inner->free_set, count, FREE_MOST, functions, e);
}

void inner_free(struct inner *inner) {
    primal_dual_free(&inner->primal_dual);
    multipliers_free(&inner->multipliers);
    free_set_free(&inner->free_set);
}

/* A turn of the inner solver, or of the safeguard. */
static int take_turn(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                     int64_t *taken, struct error *e) {
    int first = inner->kind == INNER_PRIMAL_DUAL ? SAFEGUARD : 0, round = inner->round++;
    if (round < first)
        return primal_dual_solve(&inner->primal_dual, s, tolerance, steps, taken, e);
    if (round == first)
        multipliers_prepare(&inner->multipliers, s);
    return multipliers_solve(&inner->multipliers, s, tolerance, steps, taken, e);
}

int inner_solve(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                bool again, struct error *e) {
    int64_t taken = 0, turn = (inner->newton ? TURN : LONG_TURN) * s->count;
    int status = 0;
    if (!again)
        inner->round = 0;
    if (!again && inner->kind == INNER_PRIMAL_DUAL)
        primal_dual_prepare(&inner->primal_dual, s);
    for (int round = 0; round < ROUNDS && status == 0 && taken < steps; round++) {
        turn = turn < steps - taken ? turn : steps - taken;
        status = take_turn(inner, s, tolerance, turn, &taken, e);
        if (status >= 0 && inner->newton)
            status = free_set_solve(&inner->free_set, s, finer * tolerance, NEWTON, e);
        if (s->stop(s->stopper))
            break;
    }
    return status;
}
