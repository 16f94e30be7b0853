/* proximal.c - proximal projected subgradient descent, with the optimistic radius.
 *
 *     minimize  lambda/2 ||w||^2 + R(w)
 *     f'_t = f_t + tau_t/2 ||w - w_t||^2,   w <- Project_S( w - eta_t (subgradient of f_t) )
 *     tau_t = 1/2 ( sqrt((l + T)^2 + G^2/R^2) - (l + T) ),  eta_t = 1/(l + T + tau_t)
 *
 * with l = lambda t, T = sum of the earlier tau, G = bound of the subgradients, R = a guess of
 * ||w*||: fixed (--radius), or raised by sqrt 2 whenever ||w|| reaches it less sqrt(2
 * epsilon/lambda).
 * --restart says what happens to l and T then. With epsilon > 0 each phase is as long as the bound
 * asks for a failure probability --delta, and a random iterate of the last one is returned.
 *
 * Reference: Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2 (--tau bound). Step: O(nonzeros of
 * the batch). */
#include "solvers/online.h"

#include "math/random.h"

#include <math.h>

enum restart { RESTART_NONE, RESTART_SCALE, RESTART_SUMS, RESTART_FULL };
enum tau { TAU_BALANCE, TAU_BOUND };

static const char *const restarts[] = {"none", "scale", "sums", "full", NULL};
static const char *const taus[] = {"balance", "bound", NULL};

struct proximal_settings {
    struct online_settings online; /* first: the loop reads it */
    double radius;
    double delta;
    int restart;
    int tau;
};

struct state {
    const struct proximal_settings *own;
    const struct online_constants *constants;
    double l, tau_sum;
    double radius, gradient_bound;
    double epsilon, failure; /* failure: delta' of a phase */
    double horizon;          /* steps that a phase is planned to take */
    double step;             /* within the phase */
    double chosen;           /* the step whose iterate is kept */
    struct random random;
};

/* B'(tau) of Theorem 2, x = tau/lambda, for T steps. */
static double bound_slope(const struct state *s, double tau) {
    double lambda = s->constants->lambda, ratio = s->gradient_bound / lambda, x = tau / lambda;
    return 4 * s->radius * s->radius +
           ratio * ratio * (1 / (s->horizon + x) - 1 / (1 + x) - 1 / ((1 + x) * (1 + x)));
}

/* argmin of B over tau >= 0: B is convex and its minimum lies below G sqrt(T)/R. */
static double best_tau(const struct state *s) {
    double low = 0, high = s->gradient_bound * sqrt(s->horizon) / s->radius;
    if (bound_slope(s, 0) >= 0)
        return 0;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = low + (high - low) / 2;
        if (bound_slope(s, middle) < 0)
            low = middle;
        else
            high = middle;
    }
    return high;
}

/* The smallest T with min(G^2 (1 + log T)/(delta' lambda T), 4 R G/(delta' sqrt T)) <= epsilon. */
static double phase_length(const struct state *s) {
    double g = s->gradient_bound, scale = s->epsilon * s->failure;
    double root = 4 * s->radius * g / scale, low = 1, high = ceil(root * root);
    double lambda = s->constants->lambda;
    if (g * g <= scale * lambda)
        return 1;
    /* The first bound falls in T: bisect for it below the T of the second. */
    while (high - low > 1) {
        double middle = floor(low + (high - low) / 2);
        if (middle <= low || middle >= high)
            break;
        if (g * g * (1 + log(middle)) <= scale * lambda * middle)
            high = middle;
        else
            low = middle;
    }
    return fmax(high, 1);
}

static void begin_phase(struct state *s) {
    const struct online_constants *c = s->constants;
    s->gradient_bound = online_gradient_bound(c, fmin(s->radius, c->diameter));
    s->step = 0;
    if (s->epsilon > 0) {
        s->horizon = phase_length(s);
        s->chosen = 1 + floor(random_unit(&s->random) * s->horizon);
    }
}

static void rate(void *opaque, double *eta, double *curvature) {
    struct state *s = opaque;
    double lambda = s->constants->lambda, ratio = s->gradient_bound / s->radius;
    s->l += lambda;
    if (s->own->tau == TAU_BALANCE)
        s->tau_sum += online_balance(s->l + s->tau_sum, ratio * ratio);
    else if (s->tau_sum == 0)
        s->tau_sum = best_tau(s);
    *eta = 1 / (s->l + s->tau_sum);
    *curvature = lambda;
}

/* R grows by sqrt 2; the sums follow by the restart rule. */
static void raise_radius(struct state *s) {
    s->radius *= M_SQRT2;
    if (s->own->restart == RESTART_SCALE) {
        s->l /= M_SQRT2;
        s->tau_sum /= M_SQRT2;
    } else if (s->own->restart != RESTART_NONE) {
        s->l = s->tau_sum = 0;
    }
    begin_phase(s);
}

static int after(void *opaque, double norm) {
    struct state *s = opaque;
    int flags = 0;
    s->step++;
    if (s->own->radius == 0 && norm >= s->radius - sqrt(2 * s->epsilon / s->constants->lambda)) {
        raise_radius(s);
        flags = s->own->restart == RESTART_FULL ? ONLINE_RESET : 0;
    }
    if (s->epsilon > 0 && s->step >= s->horizon)
        return ONLINE_DONE;
    return s->epsilon > 0 && s->step + 1 == s->chosen ? flags | ONLINE_KEEP : flags;
}

static int train(const struct problem *problem, const struct run_settings *run, const void *own,
                 struct monitor *monitor, double *w, struct outcome *outcome, struct error *e) {
    static const struct online_rule rule = {.rate = rate, .after = after};
    const struct proximal_settings *settings = own;
    struct online_constants c;
    online_constants(problem, run, &c);
    struct state state = {.own = settings,
                          .constants = &c,
                          .epsilon = run->epsilon,
                          .failure = settings->delta / (3 - log2(problem->lambda)),
                          .horizon = run->passes * (double)c.steps,
                          .radius = settings->radius > 0 ? settings->radius : fmin(1, c.diameter)};
    if (settings->tau == TAU_BOUND && run->epsilon == 0 && isinf(run->passes))
        return error_usage(e, "--tau bound needs to know the number of steps: give -p or -e");
    random_seed(&state.random, run->seed, ~run->stream);
    if (c.diameter > 0)
        begin_phase(&state);
    return online_train(problem, run, &settings->online, &c, &rule, &state, monitor, w, outcome, e);
}

static const struct option_row options[] = {
    {.name = "radius",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = HUGE_VAL,
     .normal = "0",
     .help = "a bound of ||w*||, instead of the optimistic rule (0)",
     .offset = offsetof(struct proximal_settings, radius)},
    {.name = "restart",
     .argument = "none|scale|sums|full",
     .kind = OPTION_CHOICE,
     .choices = restarts,
     .normal = "scale",
     .help = "when R is raised: keep the sums of lambda and tau, divide them by sqrt 2, "
             "set them to 0, or w as well",
     .offset = offsetof(struct proximal_settings, restart)},
    {.name = "delta",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1,
     .open = true,
     .normal = "1",
     .help = "allowed probability of failure, with -e above 0",
     .offset = offsetof(struct proximal_settings, delta)},
    {.name = "tau",
     .argument = "balance|bound",
     .kind = OPTION_CHOICE,
     .choices = taus,
     .normal = "balance",
     .help = "proximal terms: balanced step by step, or all in the first by the regret bound",
     .offset = offsetof(struct proximal_settings, tau)},
    ONLINE_OPTION_ROWS,
};

const struct solver proximal = {
    .name = "proximal",
    .summary = "stochastic subgradient steps with proximal curvature, for any lambda",
    .reference = "Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2",
    .tolerance = "suboptimality, absolute, that Algorithm 3 guarantees with probability 1 - delta; "
                 "0: the run ends after -p passes",
    .passes = 100,
    .needs_items = true,
    .offset = true,
    .batches = true,
    .regularizers = online_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct proximal_settings),
    .train = train,
};
