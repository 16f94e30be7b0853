/* agm1.c - accelerated gradient by estimation functions, one memory (estimation.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Algorithms 3 and 4. */
#include "solvers/accelerated/accelerated.h"

static int train(const struct solve *solve, struct error *e) {
    return accelerated_train(solve, true, e);
}

const struct solver agm1 = {
    .name = "agm1",
    .summary = "agm with a model of the latest gradient alone, not of all gradients",
    .reference = "Zhang, Saha & Vishwanathan 2010, Algorithms 3 and 4",
    .tolerance = "certified relative gap (J - bound)/J at which the run ends",
    .epsilon = 1e-3,
    .passes = 100000,
    .offset = true,
    .needs = SOLVER_NEEDS_SMOOTHED,
    .regularizers = accelerated_regularizers,
    .options = accelerated_options,
    .option_count = ACCELERATED_OPTIONS,
    .settings_size = sizeof(struct accelerated_settings),
    .check = form_check,
    .train = train,
};
