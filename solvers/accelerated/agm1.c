/* agm1.c - accelerated gradient by estimation functions, one memory (estimation.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, Algorithms 3 and 4. */
#include "solvers/accelerated/accelerated.h"

static int train(const struct solve *solve, struct error *e) {
    return accelerated_train(solve, true, e);
}

const struct solver agm1 = {
    .name = "agm1",
    .summary = "agm, but each step uses the latest gradient alone, not all gradients so far",
    .reference = "Zhang, Saha & Vishwanathan 2010, Algorithms 3 and 4",
    .train = train,
    ACCELERATED_SOLVER_FIELDS,
};
