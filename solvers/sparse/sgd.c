/* sgd.c - stochastic subgradient descent on the risk and the penalty.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w <- w - alpha_t (g_t + l1 sgn w + l2 w),   sgn 0 = 0
 *
 * With l2 > 0 alpha_t is at most 1/(2 l2). A weight closer to 0 than alpha_t l1 oscillates about 0, so
 * hardly any weight is exactly 0. See shrinking.h for alpha_t and for the corrected
 * steps, which are the default, lazy.h for the oscillations.
 *
 * Reference: Lee 2011, section 2.6.2; Nemirovski, Juditsky, Lan & Shapiro 2009, SIAM J. Optim. 19.
 * Step: O(nonzeros of the batch). A weight near 0 also costs some bisections over the steps since its last example,
 * and at most 32 of these steps, which have no closed form (lazy.h); the others are left out. The clock is read after a
 * number of such operations, between steps. Two things are not interrupted: a step, and the end of a run (with --output
 * best, of a pass), where all weights are brought up to date. This solver is here for comparison. */
#include "solvers/online/certify.h"
#include "solvers/sparse/shrinking.h"

#include <math.h>

extern const struct solver sgd;

static int train(const struct solve *solve, struct error *e) {
    static const struct shrinking_rule rule = {
        .solver = &sgd, .subgradient = true, .every = 1, .theta = INFINITY};
    return shrinking_train(solve, &rule, e);
}

static const struct option_row options[] = {SPARSE_STEP_ROW(struct sparse_settings, ),
                                            SPARSE_OPTION_ROWS(struct sparse_settings, )};

const struct solver sgd = {
    .name = "sgd",
    .summary = "stochastic subgradient steps for loss and penalty: weights near 0, but not 0",
    .reference = "Lee 2011, section 2.6.2",
    .bytes = certify_bytes_of_solver,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct sparse_settings),
    .check = shrinking_check,
    .train = train,
    SPARSE_SOLVER_FIELDS,
};
