/* rda.c - regularized dual averaging.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w_{t+1} = -(sqrt t/gamma) soft(g-bar, l1)                   for l2 = 0
 *     w_{t+1} = -soft(g-bar, l1)/(l2 + l2 (1 + ln t)/t)           for l2 > 0
 *
 * with g-bar the mean of all gradients so far; an offset is -(sqrt t/gamma) times its g-bar. gamma is
 * that of h(w) = 1/2 ||w||^2, twice the thesis's. See averaging.h. An iterate begins at w_1 = 0, the
 * minimizer of h and of the penalty, as the method's theory wants it: there is no other start.
 *
 * Reference: Xiao 2010, Algorithm 1; Lee 2011, Algorithm 2, dual averaging, and section 2.5.2. Step:
 * O(nonzeros of the batch). The sparsest iterates of the four. */
#include "solvers/averaging.h"
#include "solvers/sparse.h"

#include <math.h>

struct rda_settings {
    struct sparse_settings sparse; /* first: sparse_gamma reads it */
};

extern const struct solver rda;

static int check(const struct run_settings *run, bool intercept, const void *own, struct error *e) {
    (void)intercept, (void)own;
    if (run->warm)
        return error_usage(e, "rda starts at 0, where its penalty is least; drop -i");
    return 0;
}

static int train(const struct problem *problem, const struct run_settings *run, const void *own,
                 struct monitor *monitor, double *w, struct outcome *outcome, struct error *e) {
    const struct rda_settings *settings = own;
    struct averaging_plan plan = {.gamma = 1, .output = settings->sparse.output};
    if (problem_shares(problem).l2 == 0 || problem->risk->dimension > problem->risk->regularized)
        plan.gamma = sparse_gamma(&rda, problem, run, own);
    return averaging_run(problem, run, &plan, monitor, w, outcome, e);
}

static const struct option_row options[] = {SPARSE_OPTION_ROWS(struct rda_settings, sparse)};

const struct solver rda = {
    .name = "rda",
    .summary = "regularized dual averaging: sparse weights from mean gradients",
    .reference = "Xiao 2010, Algorithm 1; Lee 2011, Algorithm 2, dual averaging",
    .tolerance = "not used: the run ends after -p passes",
    .passes = 20,
    .offset = true,
    .batches = true,
    .regularizers = sparse_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct rda_settings),
    .check = check,
    .train = train,
};
