/* inner.c - steps of the inner solver, and Newton steps on the free variables that end them. */
#include "solvers/inner.h"

enum {
    FREE_MOST = 1000, /* variables that are factored */
    TURN = 4,         /* steps of the inner solver a variable between Newton steps */
    NEWTON = 500,     /* of these at most */
    ROUNDS = 8        /* of both */
};

static const double finer = 1e-2; /* of the tolerance: Newton steps reach it as easily */

int inner_init(struct inner *inner, enum inner_solver kind, int64_t count, int64_t functions,
               int64_t sub_working_set, struct error *e) {
    *inner = (struct inner){.kind = kind};
    if (primal_dual_init(&inner->primal_dual, sub_working_set, functions, e) != 0)
        return -1;
    return free_set_init(&inner->free_set, count, FREE_MOST, functions, e);
}

void inner_free(struct inner *inner) {
    primal_dual_free(&inner->primal_dual);
    free_set_free(&inner->free_set);
}

int inner_solve(struct inner *inner, struct subproblem *s, double tolerance, int64_t steps,
                struct error *e) {
    int64_t taken = 0, turn = TURN * s->count;
    int status = 0;
    primal_dual_prepare(&inner->primal_dual, s);
    for (int round = 0; round < ROUNDS && status == 0 && taken < steps; round++) {
        turn = turn < steps - taken ? turn : steps - taken;
        status = primal_dual_solve(&inner->primal_dual, s, tolerance, turn, &taken, e);
        if (status >= 0)
            status = free_set_solve(&inner->free_set, s, finer * tolerance, NEWTON, e);
        if (s->stop(s->monitor))
            break;
    }
    inner->taken += taken;
    return status;
}
