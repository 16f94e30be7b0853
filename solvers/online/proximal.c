/* proximal.c - proximal projected subgradient descent, with the optimistic radius.
 *
 *     minimize  lambda/2 ||w||^2 + R(w)
 *     f'_t = f_t + tau_t/2 ||w - w_t||^2,  w <- Project_S( w - eta_t (lambda w + g_t) ),
 *     eta_t = 1/(l + T + tau_t),  l = lambda t,  T = sum of the earlier tau,
 *
 * g_t the mean of the batch's subgradients of the loss. R, a guess of ||w*||, is fixed, and then the
 * radius of S (--radius: Algorithm 2), or raised by sqrt 2 whenever ||w|| reaches it less
 * sqrt(2 epsilon/lambda) (Algorithm 3); --restart says what happens to l and T then. The proximal
 * terms (--tau):
 *
 *     balance   tau_t = 1/2 ( sqrt((l + T)^2 + G^2/R^2) - (l + T) ), G a bound of all subgradients of
 *               f_t. With --restart sums this is Algorithm 3 as the paper's experiments ran it.
 *     observed  the same with ||g_t|| for G: far longer steps once most examples have no loss.
 *     anneal    observed, with three changes that are not the paper's. Within epochs of doubling
 *               length (anneal.h) eta_t is multiplied by a factor that falls linearly to 0, which
 *               is the same as larger tau_t; at an epoch's start it rises again, so that Corollary 1
 *               covers an epoch as a run of its own, not all of them together. And the items come
 *               in a new random order each pass, where the paper draws independently.
 *     bound     all of it in tau_1, the minimizer of the regret bound B (Theorem 2).
 *
 * Measured on Table 1's data at k = 1: the best over 100 passes lies above the optimum by 0.1 to 8 %
 * with balance, 0.1 to 2.2 % with observed, 0.00 to 0.4 % with anneal, hence the default. Without -p
 * the run ends when an epoch lowers J by less than --settle.
 *
 * With epsilon > 0 this is Algorithm 3 to the letter: tau balanced with the fixed G, sums restarted
 * when R is raised, each phase as long as the bound asks for, w_r of the last phase with r uniform in
 * 1..T returned. The allowed failure --delta is shared among 3 - log2 lambda phases, or among as many
 * as raises may make when that is more (losses with rho != 1, large lambda).
 *
 * An unregularized offset has no curvature lambda: its step is 1/(T + tau_t). Neither R, the ball nor
 * the bounds speak of it, so it does not go with epsilon > 0.
 *
 * Reference: Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2. Step: O(nonzeros of the batch). */
#include "solvers/online/anneal.h"
#include "solvers/online/online.h"

#include "math/random.h"
#include "math/vector.h"

#include <math.h>

enum restart { RESTART_NONE, RESTART_SCALE, RESTART_SUMS, RESTART_FULL };
enum tau { TAU_ANNEAL, TAU_OBSERVED, TAU_BALANCE, TAU_BOUND };

static const char *const restarts[] = {"none", "scale", "sums", "full", NULL};
static const char *const taus[] = {"anneal", "observed", "balance", "bound", NULL};

static const double first_epoch = 0.125;    /* passes */
static const double settle_default = 0.005; /* the default of --settle without -p */
static const double many_steps = 5e4;       /* before so many, two checks may agree by chance */
static const double warm_trial_passes =
    0.25;                                /* passes that a warm start begins with, without moving, */
static const double warm_tau_factor = 4; /* and by what it multiplies the sum of their tau */

struct proximal_settings {
    struct online_settings online; /* first: the loop reads it */
    double radius;
    double delta;
    double settle; /* < 0: by default */
    int restart;
    int tau;
};

struct state {
    const struct proximal_settings *own;
    const struct online_constants *constants;
    enum tau tau;
    enum restart restart;
    double base; /* l + T */
    double l;
    double tau_one; /* --tau bound: all of tau, to be added at the next step; 0: it has been */
    double radius, gradient_bound;
    double radius_inverse; /* 1/R^2 */
    bool idle;             /* no subgradient was seen since l and T were 0 */
    double watch;          /* steps that are still watched, after a warm start */

    struct anneal anneal;
    double steps, least_steps;
    double settle, objective; /* J at the last check */

    /* Algorithm 3 with epsilon > 0. */
    double epsilon, margin; /* R is raised within the margin sqrt(2 epsilon/lambda) of it */
    double failure;         /* delta' of a phase */
    double horizon;         /* steps that a phase is planned to take */
    double step;            /* within the phase */
    double chosen;          /* the step whose iterate is kept */
    struct random random;
};

/* B'(tau) of Theorem 2, x = tau/lambda, for T steps; 1/(T + x) - 1/(1 + x) as one fraction. */
static double bound_slope(const struct state *s, double tau) {
    double lambda = s->constants->lambda, ratio = s->gradient_bound / lambda, x = tau / lambda;
    double difference = (1 - s->horizon) / ((s->horizon + x) * (1 + x));
    return 4 * s->radius * s->radius + ratio * ratio * (difference - 1 / ((1 + x) * (1 + x)));
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

/* A phase begins: at first, and whenever R was raised. */
static void begin_phase(struct state *s) {
    const struct online_constants *c = s->constants;
    s->gradient_bound = online_gradient_bound(c, fmin(s->radius, c->diameter));
    s->radius_inverse = 1 / (s->radius * s->radius);
    s->step = 0;
    if (s->epsilon > 0) {
        s->horizon = phase_length(s);
        s->chosen = 1 + floor(random_unit(&s->random) * s->horizon);
    }
    if (s->tau == TAU_BOUND && s->base == 0)
        s->tau_one = best_tau(s);
}

/* The next tau and its step, into l and T. */
static double balance(struct state *s, double square) {
    if (s->tau == TAU_BALANCE)
        square = s->gradient_bound * s->gradient_bound;
    s->l += s->constants->lambda;
    s->base += s->constants->lambda;
    return square > 0 ? online_balance(&s->base, square * s->radius_inverse) : 1 / s->base;
}

/* Takes the step's tau without moving; at the end of the watch T stands where as many passes as
 * watch_factor would have brought it. True while watching. */
static bool watch(struct state *s, double square) {
    if (s->watch == 0)
        return false;
    balance(s, square);
    if (--s->watch == 0) {
        s->base = warm_tau_factor * (s->base - s->l);
        s->l =
            0; /* the curvature of lambda counts from the first move, or the start would linger */
    }
    return true;
}

static void rate(void *opaque, struct online_rates *rates) {
    struct state *s = opaque;
    double square = rates->square;
    rates->curvature = s->constants->lambda;
    if (s->tau == TAU_BOUND) {
        s->l += s->constants->lambda;
        s->base += s->constants->lambda + s->tau_one;
        s->tau_one = 0;
        rates->eta = 1 / s->base;
    } else {
        /* Before the first subgradient there is no proximal term: the step would undo the start. */
        s->idle = s->idle && square == 0 && s->tau != TAU_BALANCE;
        if (s->idle || watch(s, square))
            return;
        rates->eta = balance(s, square);
        if (s->tau == TAU_ANNEAL)
            rates->eta *= anneal_factor(&s->anneal);
    }
    double tau_sum = s->base - s->l;
    rates->offset = tau_sum > 0 ? rates->eta * s->base / tau_sum : 0;
}

/* R grows by sqrt 2; l and T follow by the restart rule. */
static void raise_radius(struct state *s) {
    s->radius *= M_SQRT2;
    if (s->restart == RESTART_SCALE) {
        s->base /= M_SQRT2;
        s->l /= M_SQRT2;
    } else if (s->restart != RESTART_NONE) {
        s->base = s->l = 0;
    }
    s->idle = s->base == 0;
    begin_phase(s);
}

static int after(void *opaque, double square) {
    struct state *s = opaque;
    int flags = 0;
    s->step++;
    s->steps++;
    double edge = s->radius - s->margin;
    if (s->own->radius == 0 && (edge <= 0 || square >= edge * edge)) {
        raise_radius(s);
        flags = s->restart == RESTART_FULL ? ONLINE_RESET : 0;
    }
    if (s->tau == TAU_ANNEAL && anneal_advance(&s->anneal) && s->settle > 0)
        flags |= ONLINE_CHECK;
    if (s->epsilon > 0 && s->step >= s->horizon)
        flags |= ONLINE_DONE;
    if (s->epsilon > 0 && s->step + 1 == s->chosen)
        flags |= ONLINE_KEEP;
    return flags;
}

static int checked(void *opaque, double objective) {
    struct state *s = opaque;
    bool done = s->steps >= s->least_steps && s->objective - objective <= s->settle * objective;
    s->objective = fmin(s->objective, objective);
    return done ? ONLINE_DONE : 0;
}

/* Phases of Algorithm 3: the raises that take R past D and the margin, and one. */
static double phases(const struct state *s) {
    double most = (s->constants->diameter + s->margin) / s->radius;
    return fmax(3 - log2(s->constants->lambda), 2 + floor(2 * log2(fmax(most, 1))));
}

/* NORM is that of the start. */
static void state_init(struct state *s, const struct proximal_settings *own, enum tau tau,
                       const struct online_constants *c, const struct run_settings *run,
                       double epsilon, double norm) {
    double steps = ceil(run->passes * (double)c->steps);
    *s = (struct state){.own = own,
                        .constants = c,
                        .tau = tau,
                        .restart = epsilon > 0 ? RESTART_SUMS : (enum restart)own->restart,
                        .radius = own->radius > 0 ? own->radius : fmax(norm, fmin(1, c->diameter)),
                        .settle = own->settle,
                        .objective = INFINITY,
                        .least_steps = fmin(many_steps, steps / 4),
                        .idle = true,
                        .epsilon = epsilon,
                        .margin = sqrt(2 * epsilon / c->lambda),
                        .horizon = steps};
    if (own->settle < 0)
        s->settle = run->passes_given ? 0 : settle_default;
    if (run->warm && (tau == TAU_ANNEAL || tau == TAU_OBSERVED))
        s->watch = ceil(warm_trial_passes * (double)c->steps);
    s->failure = own->delta / phases(s);
    anneal_init(&s->anneal, first_epoch * (double)c->steps, steps);
    random_seed(&s->random, run->seed, ~run->stream);
    if (c->diameter > 0)
        begin_phase(s);
}

static int check(const struct solver_request *request, struct error *e) {
    const struct run_settings *run = request->run;
    const struct proximal_settings *settings = request->own;
    if (settings->tau == TAU_BOUND && request->epsilon == 0 && isinf(run->passes))
        return error_usage(e, "--tau bound needs to know the number of steps: give -p or -e");
    if (settings->tau == TAU_BOUND && request->intercept)
        return error_usage(e,
                           "--tau bound has no step for an unregularized offset; use -B 1 instead "
                           "of --intercept, or another --tau");
    if (request->epsilon > 0 && settings->online.output != OUTPUT_LAST)
        return error_usage(e,
                           "-e above 0 returns the iterate that its promise is for; drop --output");
    if (request->epsilon > 0 && request->intercept)
        return error_usage(e, "-e above 0 promises nothing for an unregularized offset; use -B 1 "
                              "instead of --intercept");
    return 0;
}

static int train(const struct solve *solve, struct error *e) {
    struct online_constants constants;
    struct state state;
    const struct proximal_settings *settings = solve->options;
    const struct run_settings *run = solve->run;
    enum tau tau = settings->tau;
    double epsilon = solve->monitor->settings.epsilon;
    monitor_seek(solve->monitor, CRITERION_NONE, epsilon); /* Algorithm 3 counts its steps */
    if (epsilon > 0 && tau != TAU_BOUND)
        tau = TAU_BALANCE;
    bool observes = tau == TAU_ANNEAL || tau == TAU_OBSERVED;
    online_constants(solve->problem, run, &constants);
    if (settings->radius > 0)
        constants.radius = fmin(settings->radius, constants.diameter);
    if (!observes)
        online_measure_gradients(solve->problem, &constants);
    state_init(&state, settings, tau, &constants, run, epsilon,
               sqrt(vector_dot(solve->w, solve->w, solve->problem->risk->regularized)));
    struct online_rule rule = {.shuffles = tau == TAU_ANNEAL,
                               .keeps = epsilon > 0,
                               .observes = observes,
                               .rate = rate,
                               .after = after,
                               .checked = checked};
    solve->outcome->sought = tau == TAU_ANNEAL && state.settle > 0;
    return online_train(solve, &constants, &rule, &state, e);
}

static const struct option_row options[] = {
    {.name = "tau",
     .argument = "anneal|observed|balance|bound",
     .kind = OPTION_CHOICE,
     .choices = taus,
     .default_text = "anneal",
     .help = "proximal terms: balanced by each step's own subgradient, in "
             "epochs of falling steps (anneal) or without epochs "
             "(observed); balanced by a bound of all subgradients "
             "(balance; with --restart sums, or -e above 0, this is the "
             "paper's Algorithm 3); or all in the first step, by the "
             "regret bound (bound)",
     .offset = offsetof(struct proximal_settings, tau)},
    {.name = "settle",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = -1,
     .high = 1,
     .default_text = "-1",
     .help = "with --tau anneal: end when an epoch lowers J by less than "
             "this fraction; 0: never; -1: 0.005 without -p, 0 with -p",
     .offset = offsetof(struct proximal_settings, settle)},
    {.name = "radius",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = HUGE_VAL,
     .default_text = "0",
     .help = "bound R of ||w||, kept by projection; 0: R is 1 at first, "
             "and grows by sqrt 2 whenever ||w|| reaches it",
     .offset = offsetof(struct proximal_settings, radius)},
    {.name = "restart",
     .argument = "none|scale|sums|full",
     .kind = OPTION_CHOICE,
     .choices = restarts,
     .default_text = "none",
     .help = "when R grows: keep the sums of lambda and tau (none), "
             "divide them by sqrt 2 (scale), set them to 0 (sums), or set "
             "them and w to 0 (full)",
     .offset = offsetof(struct proximal_settings, restart)},
    {.name = "delta",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1,
     .open = true,
     .default_text = "1",
     .help = "with -e above 0: the probability with which the guarantee "
             "may fail",
     .offset = offsetof(struct proximal_settings, delta)},
    ONLINE_OPTION_ROWS,
};

const struct solver proximal = {
    .name = "proximal",
    .summary = "stochastic subgradient steps with proximal terms, for any "
               "lambda",
    .reference = "Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2",
    .tolerance = "above 0: the absolute suboptimality that Algorithm 3 "
                 "reaches with probability 1 - delta; 0: the run ends when "
                 "the objective no longer falls, or after -p passes",
    .passes = 256,
    .offset = true,
    .needs = SOLVER_NEEDS_ITEMS,
    .batches = true,
    .regularizers = online_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct proximal_settings),
    .check = check,
    .train = train,
};
