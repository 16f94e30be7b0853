/* adaptive.c - adaptive online gradient descent: each step chooses extra regularization tau_t.
 *
 *     minimize  lambda/2 ||w||^2 + R(w)
 *     f''_t = f_t + tau_t/2 ||w||^2,   w <- Project_S( w - eta_t (gradient of f''_t) )
 *     tau_t = 1/2 ( sqrt((l + T)^2 + 8 G^2/(3 D^2)) - (l + T) ),  eta_t = 1/(l + T + tau_t)
 *
 * with l = lambda t, T = sum of the earlier tau, D = radius of S, G = bound of the subgradients.
 * Reference: Bartlett, Hazan & Rakhlin 2008; Do, Le & Foo 2009, equation (4) and footnote 3. Step:
 * O(nonzeros of the batch). */
#include "solvers/online/certify.h"
#include "solvers/online/online.h"

struct adaptive_steps {
    double lambda;
    double base;   /* l + T */
    double target; /* 8 G^2/(3 D^2) */
};

static void rate(void *opaque, struct online_rates *rates) {
    struct adaptive_steps *state = opaque;
    double before = state->base;
    state->base += state->lambda;
    rates->eta = online_balance(&state->base, state->target);
    rates->curvature = state->base - before;
}

static void visit(void *opaque, struct state *list) {
    struct adaptive_steps *steps = opaque;
    STATE_REALS(list, &steps->base);
}

static int train(const struct solve *solve, struct error *e) {
    static const struct online_rule rule = {.rate = rate, .visit = visit};
    struct online_constants c;
    online_constants(solve->problem, solve->run, &c);
    online_measure_gradients(solve->problem, &c);
    double ratio = online_gradient_bound(&c, c.diameter) / c.diameter;
    struct adaptive_steps state = {.lambda = solve->problem->lambda,
                                   .target = 8 * ratio * ratio / 3};
    return online_train(solve, &c, &rule, &state, e);
}

const struct solver adaptive = {
    .name = "adaptive",
    .summary = "stochastic subgradient steps that choose extra regularization",
    .reference = "Bartlett, Hazan & Rakhlin 2008; Do, Le & Foo 2009, equation (4)",
    .bytes = certify_bytes_of_solver,
    .train = train,
    ONLINE_SOLVER_FIELDS,
};
