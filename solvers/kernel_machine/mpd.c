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
    .tolerance = "the largest violation of the conditions of the optimum, as LIBSVM's",
    .epsilon = 1e-3,
    .passes = 1e5,
    .offset = true,
    .regularizers = decomposition_regularizers,
    .takes_loss = loss_is_piecewise_linear,
    .is_kernel_expansion = true,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct decomposition_settings),
    .train = train,
};
