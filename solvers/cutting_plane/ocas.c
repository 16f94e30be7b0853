/* ocas.c - optimized cutting planes for the linear support vector machine.
 *
 *     minimize  lambda/2 ||w||^2 + mean of max(0, 1 - y_i <w,x_i>)
 *     repeat: w_r minimizes the relaxed problem over the cuts of D; w moves along the line through
 *     w_r to where J is least; the cut at (1 - s) w + s w_r joins D
 *
 * J falls at every iteration that moves. Reference: Lee 2011, Algorithm 7; Franc & Sonnenburg 2008.
 * Iteration: one pass, another over the rows whose u_i changed, a line search in O(rows),
 * the program, a Gram row. */
#include "solvers/cutting_plane/cutting_plane.h"

static int train(const struct solve *solve, struct error *e) {
    return cutting_train(solve, true, true, e);
}

static const struct option_row options[] = {CUTTING_SAFEGUARD_ROWS("always"), CUTTING_OPTION_ROWS};

const struct solver ocas = {
    .name = "ocas",
    .summary = "cutting planes with an exact line search, for many features",
    .reference = "Lee 2011, Algorithm 7; Franc & Sonnenburg 2008",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_loss = cutting_takes,
    .train = train,
    CUTTING_SOLVER_FIELDS,
};
