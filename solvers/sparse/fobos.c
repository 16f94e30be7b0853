/* fobos.c - forward-backward splitting: a step by the loss, then the penalty's proximal step.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w <- soft(w - alpha_t g_t, alpha_t l1)/(1 + alpha_t l2)
 *
 * Reference: Duchi & Singer 2009, *Efficient online and batch learning using forward backward
 * splitting*, JMLR 10; Lee 2011, equation (2.6). Step: O(nonzeros of the batch). See lazy.h for the
 * closed form of many proximal steps, shrinking.h for alpha_t and for the corrected steps, which are the default: there
 * g_t has the mean gradient of all examples in it. */
#include "solvers/online/certify.h"
#include "solvers/sparse/shrinking.h"

#include <math.h>

extern const struct solver fobos;

static int train(const struct solve *solve, struct error *e) {
    static const struct shrinking_rule rule = {.solver = &fobos, .every = 1, .theta = INFINITY};
    return shrinking_train(solve, &rule, e);
}

static const struct option_row options[] = {SPARSE_STEP_ROW(struct sparse_settings, ),
                                            SPARSE_OPTION_ROWS(struct sparse_settings, )};

const struct solver fobos = {
    .name = "fobos",
    .summary = "a stochastic subgradient step for the loss, a proximal step for the penalty",
    .reference = "Duchi & Singer 2009; Lee 2011, equation (2.6)",
    .bytes = certify_bytes_of_solver,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct sparse_settings),
    .check = shrinking_check,
    .train = train,
    SPARSE_SOLVER_FIELDS,
};
