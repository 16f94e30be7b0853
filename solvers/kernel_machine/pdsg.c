/* pdsg.c - the solver pdsg: kernel machines by decomposition, with primal-dual scaled gradient steps.
 *
 * A subproblem gets two rounds of the steps of Algorithm 5, each ended by Newton steps (free_set.h); if these
 * do not solve it, the method of multipliers takes over (mpd_steps.h). With --newton off there are the steps of
 * Algorithm 5 alone, as in the thesis; if C is large or K has a low rank, they hardly converge. */
#include "solvers/kernel_machine/decomposition.h"
#include "solvers/kernel_machine/subproblem.h"

#include <stddef.h>

static int train(const struct solve *solve, struct error *e) {
    return decomposition_train(solve, SUBPROBLEM_PDSG, e);
}

static const struct option_row options[] = {
    DECOMPOSITION_OPTION_ROWS,
    {.name = "sub-working-set",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .low = 1,
     .high = SUBPROBLEM_MAX_ROWS,
     .default_text = "2",
     .help = "variables that a primal-dual step changes (the thesis's n_W)",
     .offset = offsetof(struct decomposition_settings, sub_working_set)},
};

const struct solver pdsg = {
    .name = "pdsg",
    .summary = "kernel machine with a parametric part: subproblems, primal-dual and Newton steps",
    .reference = "Lee 2011, Algorithms 4 and 5",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .train = train,
    DECOMPOSITION_SOLVER_FIELDS,
};
