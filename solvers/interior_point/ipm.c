/* ipm.c - second-order methods for few features: certified optima at any lambda.
 *
 *     minimize  lambda Omega(w) + R(w),   lambda Omega = l2/2 ||w||^2 + l1 ||w||_1
 *
 * Piecewise-linear losses (hinge, absolute, epsilon, quantile) and Huber's: a primal-dual interior
 * point method (ipm_dual.c), with a 1-norm as well. Squared hinge, logistic, squared: damped Newton
 * (ipm_newton.c), without one. Both solve systems with H = X' diag(d) X + a diagonal, n x n for n
 * features, so that their cost hardly depends on lambda; and both end at a certified relative gap, the
 * bound from their dual variables (dual.h).
 *
 * A given start (-i) is where Newton starts. The primal-dual method always starts at w = 0, with the
 * dual variables in the middle of their boxes, and a given start is a point to beat: as a start it
 * would make more iterations, for it is far from the central path.
 *
 * Reference: Fine & Scheinberg 2001, JMLR 2; Lee 2011, section 1.3.1. Iteration: H (its products of
 * nonzeros, or m n^2/2), n^3/3 for the factor, some passes. Memory: n^2 doubles at least twice. */
#include "solvers/interior_point/ipm.h"

#include "io/memory.h"
#include "math/cholesky.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double own_limit = 2048; /* MB: matrices that factor within a minute or so */

struct ipm_settings {
    double memory; /* MB; 0: the default */
};

/* Whether a dense copy of the rows fits as well comes out in *dense. */
static int check_memory(const struct problem *problem, const struct ipm_settings *own, bool newton,
                        bool *dense, struct error *e) {
    const struct scalar_parts *parts = problem->risk->scalar;
    double limit = own->memory > 0 ? own->memory : memory_of_machine() / 2e6;
    double matrices = gram_bytes(parts->design) / 1e6;
    *dense = matrices + ipm_dual_bytes(parts, true) / 1e6 <= limit;
    double rows = (newton ? ipm_newton_bytes(parts) : ipm_dual_bytes(parts, *dense)) / 1e6;
    bool slow = own->memory == 0 && matrices > own_limit;
    long long n = problem->risk->dimension, m = parts->design->rows;
    if (matrices + rows <= limit && !slow)
        return 0;
    const char *others =
        problem_penalty_parts(problem).l1 > 0 ? "-s agm" : "-s bundle, or -s ocas (hinge)";
    return error_set(
        e,
        "ipm needs %.0f MB for matrices of %lld x %lld and %.0f MB for %lld rows, more "
        "than --memory %.10g; use %s",
        matrices, n, n, rows, m, slow ? own_limit : limit, others);
}

/* The best constant prediction that is known without work, for data that have nothing else. */
static double constant(const struct scalar_parts *parts) {
    double sum = 0, first = 0;
    for (int64_t i = parts->design->rows - 1; i >= 0; i--) {
        sum += scalar_weight(parts, i) * parts->target[i];
        first = scalar_weight(parts, i) > 0 ? parts->target[i] : first;
    }
    return parts->loss->task == TASK_REGRESSION ? first : sum >= 0 ? 1 : -1;
}

/* 0 is a bound, and w = 0 with a constant offset is optimal where one class or target is all. */
static void offer_constant(struct batch *batch, double *w) {
    const struct risk *risk = batch->problem->risk;
    memset(w, 0, sizeof *w * (size_t)risk->dimension);
    if (risk->dimension > risk->regularized)
        w[risk->regularized] = constant(risk->scalar);
    batch_offer(batch, w, problem_objective(batch->problem, w));
    batch_raise(batch, 0);
    batch->passes++;
}

static int train(const struct solve *solve, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct scalar_parts *parts = problem->risk->scalar;
    bool newton = !loss_has_box(parts->loss);
    struct batch batch;
    bool dense;
    if (check_memory(problem, solve->options, newton, &dense, e) != 0)
        return -1;
    int64_t n = problem->risk->dimension;
    double *start = memory_new(2 * n, sizeof *start, "the start", e);
    if (start == NULL)
        return -1;
    memcpy(start, solve->w, sizeof *start * (size_t)n);
    batch_begin(&batch, problem, solve->monitor, solve->w);
    offer_constant(&batch, start + n);
    int status =
        newton ? ipm_newton_train(&batch, start, e) : ipm_dual_train(&batch, start, dense, e);
    free(start);
    if (status != 0)
        return -1;
    batch.objective = problem_objective(problem, solve->w); /* without the rounding of many steps */
    if (!batch_is_over(&batch))
        batch_stall(&batch);
    return batch_finish(&batch, solve->outcome, e);
}

/* Losses with a box, and those that Newton's method takes. */
static bool takes_loss(const struct loss *loss) {
    return loss->second != NULL || loss_has_box(loss);
}

/* The 1-norm is for the method with boxes. */
static bool takes_pair(const struct loss *loss, const struct regularizer *regularizer) {
    static const struct regularizer_parameters some = {.elastic = 0.5};
    return regularizer->penalty(1, &some).l1 == 0 || loss_has_box(loss);
}

static const char *const regularizers[] = {"l2", "l1", "elastic-net", NULL};

static const struct option_row options[] = {
    {.name = "memory",
     .argument = "MB",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1e7,
     .default_text = "0",
     .help = "limit of the memory; 0 means half of the machine's, at most 2048 for matrices",
     .offset = offsetof(struct ipm_settings, memory)},
};

const struct solver ipm = {
    .name = "ipm",
    .summary = "interior point or Newton method, for up to some thousand features, any lambda",
    .reference = "Fine & Scheinberg 2001; Lee 2011, section 1.3.1",
    .tolerance = "the certified relative gap (J - bound)/J to reach",
    .epsilon = 1e-3,
    .passes = 10000,
    .offset = true,
    .needs_all_rows = true,
    .regularizers = regularizers,
    .takes_loss = takes_loss,
    .takes_pair = takes_pair,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct ipm_settings),
    .train = train,
};
