/* cpa.c - the cutting-plane method for the linear support vector machine.
 *
 *     minimize  lambda/2 ||w||^2 + mean of max(0, 1 - y_i <w,x_i>)
 *     D <- {}; repeat: w minimizes lambda/2 ||w||^2 + max(0, max over the cuts of D); the most
 *     violated cut at w joins D
 *
 * Reference: Lee 2011, Algorithm 6; Joachims 2006 (SVM-Perf). The tolerance is that of the certified gap
 * between J of the best w so far and the relaxed optimum, not of the violation. Iteration: one pass, another
 * over the rows whose u_i changed, the program, a Gram row. */
#include "solvers/cutting_plane/cutting_plane.h"

static int train(const struct solve *solve, struct error *e) {
    return cutting_train(solve, true, false, e);
}

static const struct option_row options[] = {CUTTING_OPTION_ROWS};

const struct solver cpa = {
    .name = "cpa",
    .summary = "cutting planes, the basic method; ocas is faster",
    .reference = "Lee 2011, Algorithm 6; Joachims 2006",
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .takes_loss = cutting_takes,
    .train = train,
    CUTTING_SOLVER_FIELDS,
};
