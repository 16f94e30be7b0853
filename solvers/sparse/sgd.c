/* sgd.c - stochastic subgradient descent on the risk and the penalty.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w <- w - alpha_t (g_t + l1 sgn w + l2 w),   alpha_t = (1/gamma) sqrt(2/t),   sgn 0 = 0
 *
 * With l2 > 0 a step is at most 1/(2 l2) long. A weight closer to 0 than alpha_t l1 swings about it:
 * as the formula says, hardly any is exactly 0. See shrinking.h for gamma, lazy.h for the swings.
 *
 * Reference: Lee 2011, section 2.6.2; Nemirovski, Juditsky, Lan & Shapiro 2009, SIAM J. Optim. 19.
 * Step: O(nonzeros of the batch), and of each feature that comes rarely and hovers at 0 the steps that
 * it missed, after the swings that lazy.h knows in closed form; on wide data these are most of it. The
 * clock is looked at by that work, between steps. Not interrupted are a step, and the end of the run
 * (as of a pass with --output best): all weights are brought up to date, each by the steps it missed,
 * at most a window's, which takes as long as O(dimension) steps of swings. Here for comparison. */
#include "solvers/sparse/shrinking.h"

#include <math.h>

extern const struct solver sgd;

static int train(const struct solve *solve, struct error *e) {
    static const struct shrinking_rule rule = {
        .solver = &sgd, .subgradient = true, .every = 1, .theta = INFINITY};
    return shrinking_train(solve, &rule, e);
}

static const struct option_row options[] = {SPARSE_OPTION_ROWS(struct sparse_settings, )};

const struct solver sgd = {
    .name = "sgd",
    .summary = "stochastic subgradient steps for loss and penalty: weights near 0, but not 0",
    .reference = "Lee 2011, section 2.6.2",
    .passes = 20,
    .offset = true,
    .needs_all_rows = true,
    .batches = true,
    .regularizers = sparse_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct sparse_settings),
    .train = train,
};
