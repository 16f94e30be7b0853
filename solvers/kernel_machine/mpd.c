/* mpd.c - the solver mpd: kernel machines by decomposition, with the method of multipliers. */
#include "solvers/kernel_machine/decomposition.h"

#include <stddef.h>

static int train(const struct solve *solve, struct error *e) {
    return decomposition_train(solve, SUBPROBLEM_MPD, e);
}

static const struct option_row options[] = {
    DECOMPOSITION_OPTION_ROWS,
};

const struct solver mpd = {
    .name = "mpd",
    .summary = "kernel machine with a parametric part: subproblems, method of multipliers",
    .reference = "Kienzle & Schoelkopf 2005; Lee 2011, Algorithm 4",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .train = train,
    DECOMPOSITION_SOLVER_FIELDS,
};
