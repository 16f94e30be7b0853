/* pegasos.c - projected stochastic subgradient descent with step 1/(lambda t).
 *
 *     minimize  lambda/2 ||w||^2 + R(w)
 *     w <- Project_S( w - 1/(lambda t) (lambda w + mean over A_t of a subgradient) )
 *
 * Reference: Do, Le & Foo 2009, Algorithm 1 with lambda_t = lambda; Shalev-Shwartz, Singer & Srebro
 * 2007. Step: O(nonzeros of the batch). Good for large lambda. The first step sizes are about 1/lambda.
 * --limit-steps (online_limit) shortens those that are too long for an example. Off, many passes are needed at small
 * lambda until the objective is below that of w = 0. */
#include "solvers/online/certify.h"
#include "solvers/online/online.h"

struct pegasos_steps {
    double lambda;
    int64_t t;
};

static void rate(void *opaque, struct online_rates *rates) {
    struct pegasos_steps *state = opaque;
    state->t++;
    rates->eta = 1 / (state->lambda * (double)state->t);
    rates->curvature = state->lambda;
}

static void visit(void *opaque, struct state *list) {
    struct pegasos_steps *steps = opaque;
    steps->t = state_integer(list, steps->t, 0, INT64_MAX);
}

static int train(const struct solve *solve, struct error *e) {
    static const struct online_rule rule = {.rate = rate, .visit = visit};
    struct online_constants constants;
    struct pegasos_steps state = {.lambda = solve->problem->lambda};
    online_constants(solve->problem, solve->run, &constants);
    return online_train(solve, &constants, &rule, &state, e);
}

const struct solver pegasos = {
    .name = "pegasos",
    .summary = "stochastic subgradient steps of size 1/(lambda t), for large lambda",
    .reference = "Do, Le & Foo 2009, Algorithm 1; Shalev-Shwartz, Singer & Srebro 2007",
    .bytes = certify_bytes_of_solver,
    .train = train,
    ONLINE_SOLVER_FIELDS,
};
