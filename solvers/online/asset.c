/* asset.c - stochastic subgradient steps for an objective that is not strongly convex: with an offset,
 * or a small lambda; see asset.h. Step: O(nonzeros of the batch). */
#include "solvers/online/asset.h"

#include "io/memory.h"
#include "solvers/online/certify.h"
#include "solvers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int asset_check(const struct solver_request *request, struct error *e) {
    const struct asset_settings *settings = request->options;
    if (settings->average_from > 0 && settings->online.output != OUTPUT_AVERAGE)
        return error_usage(e, "--average-from is for --output average; drop one of them");
    if (settings->bound != 0 && settings->bound != ASSET_BOUND_OFFSET && !request->intercept)
        return error_usage(e, "--bound-offset needs --intercept: there is no offset without it");
    return 0;
}

double asset_step(struct asset_steps *steps, bool *restart) {
    int64_t j = ++steps->j;
    *restart = j == steps->average_from || (j < steps->average_from && j == steps->next_restart);
    if (*restart) {
        steps->average_start = j;
        steps->clipped_steps = 0;
    }
    if (j == steps->next_restart)
        steps->next_restart *= 2;
    return steps->strong ? 1 / (steps->lambda * (double)j) : steps->step_scale / sqrt((double)j);
}

void asset_visit(struct asset_steps *steps, struct state *list) {
    steps->j = state_integer(list, steps->j, 0, INT64_MAX);
    steps->next_restart = state_integer(list, steps->next_restart, 0, INT64_MAX);
    steps->average_start = state_integer(list, steps->average_start, 0, INT64_MAX);
    steps->clipped_steps = state_integer(list, steps->clipped_steps, 0, INT64_MAX);
}

void asset_note(const struct asset_steps *steps, double bound, char *text, size_t size) {
    double latest = (double)(steps->j - steps->average_start + 1);
    size_t used = strlen(text);
    if ((double)steps->clipped_steps > latest / 100)
        snprintf(text + used, size - used,
                 "%sthe offset was held at its bound, %.10g, in %.0f%% of the latest steps; raise "
                 "--bound-offset",
                 used > 0 ? "; " : "", bound, 100 * (double)steps->clipped_steps / latest);
}

enum { EXAMPLES_BETWEEN_POLLS = 1024 }; /* of the clock */

/* The mean of ||G||^2 at w = 0 over `sample` examples, drawn as the steps draw them; over fewer if a limit
 * comes first. -1 with the error set. */
static double mean_square(const struct risk *risk, int64_t sample, const struct run_settings *run,
                          const struct monitor *monitor, struct error *e) {
    double *zero = memory_zeroed(risk->dimension, sizeof *zero, "a point", e), sum = 0;
    struct sampler sampler;
    int status = sampler_init(&sampler, risk, false, 1, run->seed, run->stream, e);
    int64_t drawn = 0;
    for (; status == 0 && zero != NULL && drawn < sample; drawn++) {
        struct risk_item item = {0};
        if (drawn % EXAMPLES_BETWEEN_POLLS == EXAMPLES_BETWEEN_POLLS - 1 &&
            monitor_poll(monitor) != VERDICT_GO_ON)
            break;
        risk->kind->item(risk, sampler_next(&sampler), zero, 1, &item);
        sum += risk_item_square(&item);
    }
    sampler_free(&sampler);
    free(zero);
    return status == 0 && zero != NULL ? sum / (double)drawn : -1;
}

static void clipped(void *opaque) {
    struct asset_steps *steps = opaque;
    steps->clipped_steps++;
}

static void rate(void *opaque, struct online_rates *rates) {
    struct asset_steps *steps = opaque;
    rates->eta = rates->offset = rates->weight = asset_step(steps, &rates->restart);
    rates->curvature = steps->lambda;
}

static void visit(void *opaque, struct state *list) {
    asset_visit(opaque, list);
}

/* K, the step at which averaging begins: by default in the middle of the steps that -p allows. */
static int64_t first_averaged(const struct problem *problem, const struct run_settings *run,
                              const struct asset_settings *options) {
    double steps = run->passes * (double)passes_steps(problem, run);
    if (options->average_from > 0)
        return options->average_from;
    return steps < 0x1p62 ? 1 + (int64_t)(steps / 2) : INT64_MAX;
}

static int train_asset(const struct solve *solve, bool strong, struct error *e) {
    static const struct online_rule rule = {.rate = rate, .visit = visit, .clipped = clipped};
    const struct asset_settings *options = solve->options;
    const struct problem *problem = solve->problem;
    const struct risk *risk = problem->risk;
    bool offset = risk->regularized < risk->dimension;
    struct online_constants c;
    struct asset_steps steps = {.strong = strong,
                                .lambda = problem->lambda,
                                .average_from = first_averaged(problem, solve->run, options),
                                .next_restart = 1};
    online_constants(problem, solve->run, &c);
    if (offset)
        c.offset_bound = options->bound;
    if (!strong) {
        double square = mean_square(risk, options->sample, solve->run, solve->monitor, e);
        double diameter = offset ? hypot(c.diameter, options->bound) : c.diameter;
        if (square < 0 || !isfinite(square))
            return square < 0 ? -1 : passes_overflow(e);
        steps.step_scale =
            diameter / (square > 0 ? sqrt(square) : 1); /* 1: where there is no loss at 0 */
    }
    int status = online_train(solve, &c, &rule, &steps, e);
    if (status == 0 && offset)
        asset_note(&steps, options->bound, solve->outcome->note, sizeof solve->outcome->note);
    return status;
}

static int train(const struct solve *solve, struct error *e) {
    return train_asset(solve, false, e);
}

static int train_strong(const struct solve *solve, struct error *e) {
    return train_asset(solve, true, e);
}

static const struct option_row options[] = {
    ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"), ONLINE_LIMIT_ROW,
    ASSET_AVERAGE_ROW("half of the steps that -p allows"), ASSET_STEP_ROWS};

static const struct option_row strong_options[] = {
    ONLINE_PROJECT_ROW, ONLINE_OUTPUT_ROW("average"), ONLINE_LIMIT_ROW,
    ASSET_AVERAGE_ROW("half of the steps that -p allows")};

const struct solver asset = {
    .name = "asset",
    .summary = "averaged stochastic subgradient steps of size c/sqrt(t)",
    .reference = "Lee 2011, Algorithm 3 (ASSET); Nemirovski, Juditsky, Lan & Shapiro 2009",
    .passes = 100,
    .offset = true,
    .batches = true,
    .judged = true,
    .goes_on = true,
    .regularizers = online_regularizers,
    .bytes = certify_bytes_of_solver,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct asset_settings),
    .check = asset_check,
    .train = train,
};

const struct solver asset_strong = {
    .name = "asset*",
    .summary = "averaged stochastic subgradient steps of size 1/(lambda t), no offset",
    .reference = "Lee 2011, section 3.3.3 (ASSET*)",
    .passes = 100,
    .batches = true,
    .judged = true,
    .goes_on = true,
    .regularizers = online_regularizers,
    .bytes = certify_bytes_of_solver,
    .options = strong_options,
    .option_count = sizeof strong_options / sizeof *strong_options,
    .settings_size = sizeof(struct asset_settings),
    .check = asset_check,
    .train = train_strong,
};
