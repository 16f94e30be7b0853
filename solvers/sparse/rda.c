/* rda.c - regularized dual averaging.
 *
 *     minimize  l1 ||w||_1 + l2/2 ||w||^2 + R(w)
 *     w_{t+1} = -soft(g-bar, l1)/(l2 + beta_t/t),   g-bar the mean of the gradients g_1 .. g_t
 *
 * with beta_t = gamma sqrt t, which for l1 alone is w_{t+1} = -(sqrt t/gamma) soft(g-bar, l1). For the
 * elastic net --beta log sets beta_t = l2 (1 + ln t). An offset is -(sqrt t/gamma) times its g-bar. gamma
 * belongs to h(w) = 1/2 ||w||^2 and is twice the thesis's. See averaging.h for the loop. The method's
 * theory requires the first iterate to minimize h and the penalty; so the start is always 0.
 *
 * --beta log is the papers' choice for strongly convex penalties. Its first steps are 1/(2 l2) long. With the logistic
 * loss on a9a, at lambda = 1e-5, --beta sqrt comes much closer to the optimum in 20 passes; on text --beta log is a
 * little better.
 *
 * --slope corrected, the default but for --output average and a --beta that is given, is not from the papers: see
 * corrected_averaging.h; nor is --slope half: see averaging.h. --slope before is the papers' method.
 *
 * Reference: Xiao 2010, *Dual averaging methods for regularized stochastic learning and online
 * optimization*, JMLR 11, Algorithm 1; Lee 2011, Algorithm 2, dual averaging, and section 2.5.2. Step:
 * O(nonzeros of the batch). The sparsest iterates of the four. */
#include "solvers/online/certify.h"
#include "solvers/sparse/averaging.h"
#include "solvers/sparse/corrected_averaging.h"

#include <math.h>
#include <string.h>

extern const struct solver rda;

/* auto, for --beta and --slope, is the corrected loop where no other option asks for the plain one. */
static enum averaging_slope slope_kind(const struct averaging_settings *settings) {
    bool plain = settings->sparse.output == OUTPUT_AVERAGE || settings->beta != AVERAGING_BETA_AUTO;
    if (settings->slope != AVERAGING_SLOPE_AUTO)
        return settings->slope;
    return plain ? AVERAGING_HALF : AVERAGING_CORRECTED;
}

double averaging_gamma(const struct solve *solve, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct averaging_settings *settings = solve->options;
    bool offset = problem->risk->dimension > problem->risk->regularized;
    if (settings->beta == AVERAGING_LOG && !offset && problem_penalty_parts(problem).l2 > 0)
        return 1;
    bool corrected = slope_kind(settings) == AVERAGING_CORRECTED;
    return sparse_gamma(&rda, solve, corrected ? sparse_corrected_growth(problem) : 0, e);
}

int averaging_check(const struct solver_request *request, int beta, struct error *e) {
    bool elastic = strcmp(request->regularizer->name, "elastic-net") == 0;
    if (beta == AVERAGING_LOG && !elastic)
        return error_usage(e, "--beta log is for -r elastic-net; drop it");
    return 0;
}

static int check(const struct solver_request *request, struct error *e) {
    const struct averaging_settings *settings = request->options;
    bool corrected = settings->slope == AVERAGING_CORRECTED;
    if (request->run->warm)
        return error_usage(e, "rda starts at 0, where its penalty is least; drop -i");
    if (corrected && settings->sparse.output == OUTPUT_AVERAGE)
        return error_usage(e, "--output average is for --slope before and half; drop it");
    if (corrected && settings->beta != AVERAGING_BETA_AUTO)
        return error_usage(e, "--beta is for --slope before and half; drop it");
    return averaging_check(request, settings->beta, e);
}

static int train(const struct solve *solve, struct error *e) {
    const struct averaging_settings *settings = solve->options;
    enum averaging_slope slope = slope_kind(settings);
    const struct averaging_plan plan = {.gamma = averaging_gamma(solve, e),
                                        .beta = settings->beta == AVERAGING_LOG ? AVERAGING_LOG
                                                                                : AVERAGING_SQRT,
                                        .slope = slope,
                                        .output = settings->sparse.output,
                                        .certifies = true};
    if (plan.gamma == 0)
        return -1;
    return slope == AVERAGING_CORRECTED ? corrected_averaging_run(solve, plan.gamma, plan.output, e)
                                        : averaging_run(solve, &plan, e);
}

static const char *const betas[] = {"sqrt", "log", "auto", NULL};
static const char *const slopes[] = {"before", "half", "corrected", "auto", NULL};

static const struct option_row options[] = {
    {.name = "beta",
     .argument = "auto|sqrt|log",
     .kind = OPTION_CHOICE,
     .choices = betas,
     .default_text = "auto",
     .help = "beta_t, the weight of the method's term ||w||^2/2: gamma sqrt(t), or log(t) with the "
             "elastic net; auto is gamma with --slope corrected, else sqrt",
     .offset = offsetof(struct averaging_settings, beta)},
    {.name = "slope",
     .argument = "auto|corrected|before|half",
     .kind = OPTION_CHOICE,
     .choices = slopes,
     .default_text = "auto",
     .help = "the slope of a loss: corrected ones need a number for each example, which takes the "
             "noise out of a step; before is that before the step, as published; half, for the "
             "squared loss and the squared hinge, that after half of it, which does not diverge; "
             "auto is corrected, with --output average or --beta half",
     .offset = offsetof(struct averaging_settings, slope)},
    SPARSE_OPTION_ROWS(struct averaging_settings, sparse.),
};

const struct solver rda = {
    .name = "rda",
    .summary = "dual averaging: sparse weights from the mean of all gradients so far",
    .reference = "Xiao 2010, Algorithm 1; Lee 2011, Algorithm 2, dual averaging",
    .bytes = certify_bytes_of_solver,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct averaging_settings),
    .check = check,
    .train = train,
    SPARSE_SOLVER_FIELDS,
};
