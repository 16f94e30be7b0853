/* tg.c - truncated gradient: the penalty at every K-th step, and on small weights only.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w <- w - alpha_t g_t;   then, when K divides t,
 *     w_i <- 0                                            where |w_i| <= K alpha_t l1
 *     w_i <- soft(w_i, K alpha_t l1)/(1 + K alpha_t l2)   where it is more, but |w_i| <= theta
 *
 * A weight beyond theta becomes 0 where |w_i| <= K alpha_t l1, as in the thesis; the operator of Langford
 * et al. leaves it as it is. The elastic net's squares are part of the truncation, so K = 1 and infinite
 * theta give fobos for every penalty.
 *
 * Reference: Langford, Li & Zhang 2009, *Sparse online learning via truncated gradient*, JMLR 10; Lee
 * 2011, equation (2.7), whose experiments have K = 10. Step: O(nonzeros of the batch). See lazy.h,
 * and shrinking.h for alpha_t and for the corrected steps, which are the default. */
#include "solvers/online/certify.h"
#include "solvers/sparse/shrinking.h"

#include <math.h>

struct tg_settings {
    struct sparse_settings sparse; /* first: sparse_gamma reads it */
    int64_t truncate;
    double theta; /* 0: infinite */
};

extern const struct solver tg;

static int check(const struct solver_request *request, struct error *e) {
    const struct tg_settings *settings = request->options;
    if (settings->sparse.step == SPARSE_CORRECTED && settings->theta > 0)
        return error_usage(e, "--theta is for --step anneal and sqrt; drop it");
    return shrinking_check(request, e);
}

static int train(const struct solve *solve, struct error *e) {
    const struct tg_settings *settings = solve->options;
    const struct shrinking_rule rule = {.solver = &tg,
                                        .every = settings->truncate,
                                        .theta = settings->theta > 0 ? settings->theta : INFINITY};
    return shrinking_train(solve, &rule, e);
}

static const struct option_row options[] = {
    {.name = "truncate",
     .argument = "K",
     .kind = OPTION_INTEGER,
     .low = 1,
     .high = OPTION_COUNT_MOST,
     .default_text = "10",
     .help = "shrink the weights in every K-th step only, K times as much (the papers' K)",
     .offset = offsetof(struct tg_settings, truncate)},
    {.name = "theta",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = HUGE_VAL,
     .default_text = "0",
     .help = "weights beyond X are not shrunk, unless a step makes them 0 at once (the papers' "
             "theta); 0: all weights are shrunk",
     .offset = offsetof(struct tg_settings, theta)},
    SPARSE_STEP_ROW(struct tg_settings, sparse.),
    SPARSE_OPTION_ROWS(struct tg_settings, sparse.),
};

const struct solver tg = {
    .name = "tg",
    .summary =
        "truncated gradient: every K-th stochastic step shrinks weights; small ones become 0",
    .reference = "Langford, Li & Zhang 2009; Lee 2011, equation (2.7)",
    .bytes = certify_bytes_of_solver,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct tg_settings),
    .check = check,
    .train = train,
    SPARSE_SOLVER_FIELDS,
};
