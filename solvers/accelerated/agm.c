/* agm.c - accelerated gradient by estimation functions, infinite memory (estimation.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Algorithms 1 and 2. */
#include "solvers/accelerated/accelerated.h"

static int train(const struct solve *solve, struct error *e) {
    return accelerated_train(solve, false, e);
}

const struct solver agm = {
    .name = "agm",
    .summary = "accelerated gradient method on the smoothed risk or the dual; nothing to tune",
    .reference = "Zhang, Saha & Vishwanathan 2010, Algorithms 1 and 2",
    .train = train,
    ACCELERATED_SOLVER_FIELDS,
};
