/* proximal.c - proximal projected subgradient descent, with the optimistic radius.
 *
 *     minimize  lambda/2 ||w||^2 + R(w)
 *     f'_t = f_t + tau_t/2 ||w - w_t||^2,  w <- Project_S( w - eta_t (lambda w + g_t) ),
 *     eta_t = 1/(l + T + tau_t),  l = lambda t,  T = sum of the earlier tau,
 *
 * with g_t the mean of the batch's subgradients of the loss, and R an estimate of ||w*||. R is fixed and
 * the radius of S (--radius: Algorithm 2), or it is multiplied by sqrt 2 whenever ||w|| reaches
 * R - sqrt(2 epsilon/lambda) (Algorithm 3); --restart says what happens to l and T then. --tau chooses the
 * proximal terms:
 *
 *     balance   tau_t = 1/2 ( sqrt((l + T)^2 + G^2/R^2) - (l + T) ), G a bound of all subgradients of
 *               f_t. With --restart sums this is Algorithm 3 as the paper's experiments ran it.
 *     observed  balance with ||g_t|| for G. The steps are much longer once most examples have no loss.
 *     anneal    observed, with three changes that the paper does not have. (1) Within epochs of doubling
 *               length (anneal.h) eta_t is multiplied by a factor that falls linearly to 0, which is the
 *               same as larger tau_t. (2) The factor is 1 again at the start of each epoch. So Corollary 1
 *               holds for each epoch, not for all of them together. (3) The items come in a new random
 *               order each pass; the paper draws them independently.
 *     bound     tau_1 is the minimizer of the regret bound B (Theorem 2), all other tau_t are 0.
 *
 * Measured on the data of the paper's Table 1 with batches of one: the best J of 100 passes is above the
 * optimum by 0.1 to 10 % with balance, 0.1 to 2.2 % with observed, and 0.00 to 0.4 % with anneal, which is
 * therefore the default.
 *
 * --metric features takes these steps, with --tau anneal, in a norm learned from the features (metric.h,
 * metric_steps.h). The bounds on ||w|| and ||g_t|| are then of this norm, R begins at the root mean square of the
 * targets, and each epoch begins with the T that the last one would have reached with as many steps. With it the run
 * ends at the end of an epoch, from the third pass on, when a bound closes the gap (certify.h), or when the falls of J
 * in the last two epochs, continued, leave less than --settle. With --metric none it ends when an epoch lowers J by
 * less than --settle.
 *
 * --metric dual keeps a dual variable of each example (multipliers.h). Its proximal terms are kappa/2 ||w - w_k||_M^2,
 * one for each sweep through the examples, and its steps have no noise in the end. --metric auto, the default, is
 * features in less than 5 passes (in regression less than 10, with -L squared 7, but 5 on dense data with twice as many
 * features as examples), or with steps of several examples, and dual otherwise; with more features than examples, 80
 * passes or more are dual coordinate descent without proximal terms (solvers/dual/dcd.h) where the loss allows it.
 * Above the optimum in %, after 10 passes with none / features / dual: page-blocks 6598/0.2/0.035, a9a 1e-7
 * 0.2/0.07/0.001, usps 46/31/1.7, reuters 1e-4 8.6/7.4/0.035.
 * With --metric auto small data are finished by another solver where the gap is not proved (finish.h).
 *
 * With --guarantee epsilon > 0 this is Algorithm 3 exactly: tau is balanced with the fixed G, l and T are set to 0 when
 * R is raised, a phase (the steps with one R) is as long as the bound requires, and the result is w_r of
 * the last phase with r uniform in 1..T. The probability of failure --delta is divided among
 * 3 - log2 lambda phases, or among all phases that the raises of R can make, if these are more (losses
 * with rho != 1, large lambda).
 *
 * An unregularized offset has no curvature lambda: its step is 1/(T + tau_t). It does not enter R, the
 * ball or the bounds, so --guarantee is not allowed with it.
 *
 * Reference: Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2. Step: O(nonzeros of the batch). */
#include "solvers/dual/dcd.h"
#include "solvers/online/anneal.h"
#include "solvers/online/metric.h"
#include "solvers/online/metric_steps.h"
#include "solvers/online/multipliers.h"

#include "math/random/random.h"
#include "math/vector.h"

#include <math.h>
#include <string.h>

enum restart { RESTART_NONE, RESTART_SCALE, RESTART_SUMS, RESTART_FULL };
enum metric_choice { METRIC_AUTO, METRIC_FEATURES, METRIC_DUAL, METRIC_NONE };
enum tau { TAU_ANNEAL, TAU_OBSERVED, TAU_BALANCE, TAU_BOUND };

static const char *const restarts[] = {"none", "scale", "sums", "full", NULL};
static const char *const metrics[] = {"auto", "features", "dual", "none", NULL};
static const char *const taus[] = {"anneal", "observed", "balance", "bound", NULL};

static const double first_epoch = 0.125; /* passes */
/* The default of --settle without -p, and over -e; the gap that ends a run without -e. */
static const double settle_default = 0.0025, settle_share = 0.25, largest_gap = 0.01;
static const double default_delta = 0.05;
/* In a metric: the first check that may end the run, in passes; the fall of J in an epoch above which it does not; the
 * factors from epoch to epoch by which the fall of J is expected to shrink. */
static const double first_check = 3, certify_fall = 0.03, least_factor = 0.6, largest_factor = 0.95;
/* Passes from which on dual coordinates are ahead of stochastic steps, of classes, of regression, and of it by squares;
 * and on data with more features than examples those of dcd of those in the metric. */
static const double least_dual_passes = 5, regression_passes = 10, squares_passes = 7,
                    least_dcd_passes = 80;
/* With fewer steps checks may agree by chance; without a metric a quarter of the run is enough. */
static const double min_run_steps = 5e4;
static const double warm_trial_passes = 0.25; /* a warm start does not move in these passes */
static const double warm_tau_factor = 4;      /* it multiplies the sum of their tau */

struct proximal_settings {
    struct online_settings online; /* first: the loop reads it */
    double radius;                 /* R, fixed; 0: it grows */
    double guarantee;              /* Algorithm 3's epsilon; 0: another rule */
    double delta;                  /* the probability with which the guarantee may fail */
    double settle; /* end when an epoch lowers J by less than this fraction; < 0: the default */
    int restart;   /* enum restart */
    int tau;       /* enum tau */
    int metric;    /* enum metric_choice */
};

struct proximal_steps {
    const struct proximal_settings *settings;
    const struct online_constants *constants;
    enum tau tau;
    enum restart restart;
    bool metric;           /* the steps are in a metric; lengths are the metric's */
    double base;           /* l + T */
    double l;              /* lambda times the steps that count: since a restart */
    double tau_one;        /* --tau bound: tau_1, until the next step adds it to base; then 0 */
    double radius;         /* R */
    double gradient_bound; /* G */
    double radius_inverse; /* 1/R^2 */
    bool no_gradient_yet;  /* all subgradients were 0 since l and T were 0 */
    double trial_steps;    /* steps that a warm start still makes without moving */

    struct anneal anneal;
    double epoch_squares;    /* in a metric: sum of ||g_t||^2 of the present epoch */
    double steps, min_steps; /* steps made; steps before which the run does not end by `settle` */
    double gap;              /* the certified one that ends the run; 0: none */
    double settle;    /* the run ends when an epoch lowers J by less than this fraction; 0: never */
    double objective; /* the least J of the checks so far; in a metric that of the last one */
    double change;    /* in a metric: the relative change of J between the last two checks */

    /* Algorithm 3 with --guarantee epsilon > 0. */
    double epsilon;
    double margin;    /* sqrt(2 epsilon/lambda): R is raised when ||w|| >= R - margin */
    double failure;   /* delta', the probability with which a phase may fail */
    double horizon;   /* T, the planned steps of a phase */
    double step;      /* steps made in the phase */
    double kept_step; /* r: the step of the phase whose iterate is the result */
    struct random random;
};

/* The derivative B'(tau) of Theorem 2's bound for T steps, with x = tau/lambda. 1/(T + x) - 1/(1 + x) is
 * computed as one fraction, against cancellation. */
static double bound_slope(const struct proximal_steps *s, double tau) {
    double lambda = s->constants->lambda, ratio = s->gradient_bound / lambda, x = tau / lambda;
    double difference = (1 - s->horizon) / ((s->horizon + x) * (1 + x));
    return 4 * s->radius * s->radius + ratio * ratio * (difference - 1 / ((1 + x) * (1 + x)));
}

/* argmin of B over tau >= 0: B is convex and its minimum lies below G sqrt(T)/R. */
static double best_tau(const struct proximal_steps *s) {
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
static double phase_length(const struct proximal_steps *s) {
    double g = s->gradient_bound, scale = s->epsilon * s->failure;
    double root = 4 * s->radius * g / scale, low = 1, high = ceil(root * root);
    double lambda = s->constants->lambda;
    if (g * g <= scale * lambda)
        return 1;
    /* The first bound decreases in T: bisection finds its T, up to that of the second. */
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

/* Begins a phase: at the start of the run, and whenever R was raised. */
static void begin_phase(struct proximal_steps *s) {
    const struct online_constants *c = s->constants;
    s->gradient_bound = online_gradient_bound(c, fmin(s->radius, c->diameter));
    s->radius_inverse = 1 / (s->radius * s->radius);
    s->step = 0;
    if (s->epsilon > 0) {
        s->horizon = phase_length(s);
        s->kept_step = 1 + floor(random_unit(&s->random) * s->horizon);
    }
    if (s->tau == TAU_BOUND && s->base == 0)
        s->tau_one = best_tau(s);
}

/* Adds LAMBDA to l and the next tau to T; returns the step size. SQUARE is ||g_t||^2. */
static double balance(struct proximal_steps *s, double square, double lambda) {
    if (s->tau == TAU_BALANCE)
        square = s->gradient_bound * s->gradient_bound;
    s->epoch_squares += square;
    s->l += lambda;
    s->base += lambda;
    return square > 0 ? online_balance(&s->base, square * s->radius_inverse) : 1 / s->base;
}

/* A warm start first makes a quarter pass of steps that add their tau without moving w. Then their sum is
 * multiplied by warm_tau_factor = 4. T grows like the square root of the steps, so it is then about as
 * large as after 4 passes. True while these steps last. */
static bool warm_trial(struct proximal_steps *s, double square, double lambda) {
    if (s->trial_steps == 0)
        return false;
    balance(s, square, lambda);
    if (--s->trial_steps == 0) {
        s->base = warm_tau_factor * (s->base - s->l);
        s->l = 0; /* l counts from the first step that moves w */
    }
    return true;
}

static void rate(void *opaque, struct online_rates *rates) {
    struct proximal_steps *s = opaque;
    double square = rates->square;
    rates->curvature = s->constants->lambda;
    if (s->tau == TAU_BOUND) {
        s->l += s->constants->lambda;
        s->base += s->constants->lambda + s->tau_one;
        s->tau_one = 0;
        rates->eta = 1 / s->base;
    } else {
        /* Without a subgradient so far there is no proximal term, and a step would only shrink the start. */
        s->no_gradient_yet = s->no_gradient_yet && square == 0 && s->tau != TAU_BALANCE;
        double lambda = s->constants->lambda * rates->convexity;
        if (s->no_gradient_yet || warm_trial(s, square, lambda))
            return;
        rates->eta = balance(s, square, lambda);
        if (s->tau == TAU_ANNEAL)
            rates->eta *= anneal_factor(&s->anneal);
    }
    double tau_sum = s->base - s->l;
    rates->offset = tau_sum > 0 ? rates->eta * s->base / tau_sum : 0;
}

/* Multiplies R by sqrt 2 and changes l and T by the restart rule. */
static void raise_radius(struct proximal_steps *s) {
    s->radius *= M_SQRT2;
    if (s->restart == RESTART_SCALE) {
        s->base /= M_SQRT2;
        s->l /= M_SQRT2;
    } else if (s->restart != RESTART_NONE) {
        s->base = s->l = 0;
    }
    s->no_gradient_yet = s->base == 0;
    begin_phase(s);
}

/* An epoch in a metric begins with the T that the last one would have reached with GROWTH times the steps. After one in
 * which all subgradients were 0 it goes on with the same T: without any, a step would have no end. */
static void begin_metric_epoch(struct proximal_steps *s, double growth) {
    if (s->epoch_squares > 0)
        s->base = s->l + sqrt(s->epoch_squares * growth * s->radius_inverse);
    s->epoch_squares = 0;
}

static int after(void *opaque, double square) {
    struct proximal_steps *s = opaque;
    int flags = 0;
    s->step++;
    s->steps++;
    double edge = s->radius - s->margin;
    if (s->settings->radius == 0 && (edge <= 0 || square >= edge * edge)) {
        raise_radius(s);
        flags = s->restart == RESTART_FULL ? ONLINE_RESET : 0;
    }
    double length = s->anneal.length;
    if (s->tau == TAU_ANNEAL && anneal_advance(&s->anneal)) {
        bool early = s->metric && s->steps < first_check / 4 * (double)s->constants->steps;
        bool checks = s->settle > 0 || (s->metric && s->gap > 0);
        flags |= checks && !early ? ONLINE_CHECK : 0;
        if (s->metric)
            begin_metric_epoch(s, s->anneal.length / length);
    }
    if (s->epsilon > 0 && s->step >= s->horizon)
        flags |= ONLINE_DONE;
    if (s->epsilon > 0 && s->step + 1 == s->kept_step)
        flags |= ONLINE_KEEP;
    return flags;
}

/* In a metric. J is expected to fall further as it fell in the last two epochs, by one factor each epoch. It has
 * settled when what is left is small; before that, a bound may end the run. */
static int checked_in_metric(struct proximal_steps *s, double steps, double objective) {
    double change = fabs(s->objective - objective) / objective, before = s->change;
    double factor = fmax(change / before, least_factor);
    bool falls = s->objective - objective > certify_fall * objective;
    s->objective = objective;
    s->change = change;
    if (steps < first_check * (double)s->constants->steps || falls)
        return 0;
    bool settled = factor < largest_factor && change * factor / (1 - factor) <= s->settle &&
                   before <= 4 * s->settle && steps >= s->min_steps;
    return settled ? ONLINE_DONE : ONLINE_CERTIFY;
}

static int checked(void *opaque, int64_t steps, double objective) {
    struct proximal_steps *s = opaque;
    if (s->metric)
        return checked_in_metric(s, (double)steps, objective);
    bool done = (double)steps >= s->min_steps && s->objective - objective <= s->settle * objective;
    s->objective = fmin(s->objective, objective);
    return done ? ONLINE_DONE : 0;
}

static void visit(void *opaque, struct state *list) {
    struct proximal_steps *s = opaque;
    struct anneal *anneal = &s->anneal;
    STATE_REALS(list, &s->base, &s->l, &s->tau_one, &s->radius, &s->gradient_bound,
                &s->radius_inverse, &s->trial_steps, &s->epoch_squares, &s->steps, &s->objective,
                &s->change, &s->horizon, &s->step, &s->kept_step);
    STATE_REALS(list, &anneal->step, &anneal->length, &anneal->inverse, &anneal->left);
    s->no_gradient_yet = state_flag(list, s->no_gradient_yet);
    random_visit(&s->random, list);
}

/* The most phases that Algorithm 3 may have: one more than the raises until R exceeds D + margin. */
static double phases(const struct proximal_steps *s) {
    double ratio = (s->constants->diameter + s->margin) / s->radius;
    return fmax(3 - log2(s->constants->lambda), 2 + floor(2 * log2(fmax(ratio, 1))));
}

/* --settle; its default is a quarter of -e, or without it 0.0025 where -p does not say how long the run is. */
static double settle_of(const struct solve *solve) {
    const struct proximal_settings *settings = solve->options;
    double epsilon = monitor_epsilon(solve->monitor);
    if (settings->settle >= 0)
        return settings->settle;
    return epsilon > 0 ? settle_share * epsilon : solve->run->passes_given ? 0 : settle_default;
}

/* The certified gap that ends the run: -e, or without it four times --settle, but at most 0.01. */
static double gap_of(const struct solve *solve) {
    double epsilon = monitor_epsilon(solve->monitor);
    return epsilon > 0 ? epsilon : fmin(settle_of(solve) / settle_share, largest_gap);
}

/* Sets the state for a run from a point of length NORM. */
static void state_init(struct proximal_steps *s, const struct solve *solve, enum tau tau,
                       const struct online_constants *c, double norm) {
    const struct proximal_settings *settings = solve->options;
    const struct run_settings *run = solve->run;
    double epsilon = settings->guarantee;
    double steps = ceil(run->passes * (double)c->steps);
    *s = (struct proximal_steps){
        .settings = settings,
        .constants = c,
        .tau = tau,
        .restart = epsilon > 0 ? RESTART_SUMS : (enum restart)settings->restart,
        .radius = settings->radius > 0 ? settings->radius : fmax(norm, fmin(1, c->diameter)),
        .gap = gap_of(solve),
        .settle = settle_of(solve),
        .objective = INFINITY,
        .change = INFINITY,
        .min_steps = fmin(min_run_steps, steps / 4),
        .no_gradient_yet = true,
        .epsilon = epsilon,
        .margin = sqrt(2 * epsilon / c->lambda),
        .horizon = steps};
    if (run->warm && (tau == TAU_ANNEAL || tau == TAU_OBSERVED))
        s->trial_steps = ceil(warm_trial_passes * (double)c->steps);
    s->failure = settings->delta / phases(s);
    anneal_init(&s->anneal, first_epoch * (double)c->steps, steps);
    random_seed(&s->random, run->seed, ~run->stream);
    if (c->diameter > 0)
        begin_phase(s);
}

/* What steps in the metric of the features need and these do not have; NULL: nothing. */
static const char *metric_obstacle(const struct proximal_settings *settings, bool single_scores) {
    if (!single_scores)
        return "a loss of single scores";
    if (settings->tau != TAU_ANNEAL || settings->guarantee > 0)
        return "--tau anneal alone, without --guarantee";
    if (settings->radius > 0 || settings->restart != RESTART_NONE)
        return "no --radius and no --restart";
    return settings->online.output == OUTPUT_AVERAGE ? "no --output average" : NULL;
}

static const char *const sparse_regularizers[] = {"l1", "elastic-net", NULL};

/* l1 is for the dual steps. */
static int check_sparse(const struct solver_request *request, const char *obstacle,
                        struct error *e) {
    const struct proximal_settings *settings = request->options;
    bool dual = settings->metric == METRIC_AUTO || settings->metric == METRIC_DUAL;
    const char *name = request->regularizer->name;
    if (strcmp(name, online_regularizers[0]) == 0)
        return 0;
    if (!dual)
        return error_usage(e, "proximal with -r %s makes the steps of --metric dual; drop --metric",
                           name);
    return obstacle == NULL ? 0 : error_usage(e, "proximal with -r %s needs %s", name, obstacle);
}

static int check(const struct solver_request *request, struct error *e) {
    const struct run_settings *run = request->run;
    const struct proximal_settings *settings = request->options;
    const char *obstacle = metric_obstacle(settings, request->loss != NULL);
    if (check_sparse(request, obstacle, e) != 0)
        return -1;
    if (settings->metric == METRIC_FEATURES && obstacle != NULL)
        return error_usage(e, "--metric features needs %s", obstacle);
    if (settings->metric == METRIC_DUAL && obstacle != NULL)
        return error_usage(e, "--metric dual needs %s", obstacle);
    if (settings->metric == METRIC_DUAL && run->batch_size > 1)
        return error_usage(
            e, "--metric dual makes steps of one example; drop -k, or use --metric features");
    if (settings->tau == TAU_BOUND && settings->guarantee == 0 && isinf(run->passes))
        return error_usage(e,
                           "--tau bound needs to know the number of steps: give -p or --guarantee");
    if (settings->tau == TAU_BOUND && request->intercept)
        return error_usage(e, "--tau bound has no step for an unregularized offset; use -B 1 "
                              "instead of --intercept, or another --tau");
    if (settings->delta != default_delta && settings->guarantee == 0)
        return error_usage(
            e, "--delta is the probability with which --guarantee may fail; give --guarantee, too");
    if (settings->settle >= 0 && (settings->tau != TAU_ANNEAL || settings->guarantee > 0))
        return error_usage(e, "--settle is for --tau anneal without --guarantee; drop it");
    if (settings->guarantee > 0 && request->epsilon > 0)
        return error_usage(e, "--guarantee ends the run by its own count; drop -e");
    if (settings->guarantee > 0 && settings->online.output != OUTPUT_LAST)
        return error_usage(
            e, "--guarantee returns the iterate that its promise is for; drop --output");
    if (settings->guarantee > 0 && request->intercept)
        return error_usage(e, "--guarantee promises nothing for an unregularized offset; use -B 1 "
                              "instead of --intercept");
    return 0;
}

/* Whether the steps of dcd are ahead: more features than examples, and many passes, which leave time for its bound. */
static bool prefers_dcd(const struct solve *solve) {
    const struct proximal_settings *settings = solve->options;
    const struct risk *risk = solve->problem->risk;
    return settings->metric == METRIC_AUTO && metric_obstacle(settings, true) == NULL &&
           dcd_takes(solve->problem) && risk->dimension > risk->items &&
           solve->run->passes >= least_dcd_passes && solve->run->batch_size == 1;
}

/* Dual variables of regression begin further from their optimum; those of squares have no box that slows them. */
static double least_passes(const struct problem *problem) {
    const struct scalar_terms *terms = problem->risk->scalar;
    if (terms->loss->task == TASK_CLASSIFICATION || multipliers_moves_offset(problem))
        return least_dual_passes;
    return terms->loss->quadratic && !loss_has_box(terms->loss) ? squares_passes
                                                                : regression_passes;
}

/* Whether the steps in the metric are those of multipliers.h. */
static bool takes_multipliers(const struct solve *solve) {
    const struct proximal_settings *settings = solve->options;
    if (!multipliers_takes(solve->problem) || solve->run->batch_size > 1)
        return false;
    return settings->metric == METRIC_DUAL || problem_penalty_parts(solve->problem).l1 > 0 ||
           (settings->metric == METRIC_AUTO && solve->run->passes >= least_passes(solve->problem));
}

static int train(const struct solve *solve, struct error *e) {
    struct online_constants constants;
    struct proximal_steps state;
    const struct proximal_settings *settings = solve->options;
    const struct run_settings *run = solve->run;
    enum tau tau = settings->tau;
    double guarantee = settings->guarantee;
    monitor_seek(solve->monitor, CRITERION_GAP, gap_of(solve));
    if (prefers_dcd(solve))
        return dcd_train(solve, e);
    if (settings->metric == METRIC_DUAL && !multipliers_takes(solve->problem))
        return error_set(
            e,
            "--metric dual needs all examples in memory: raise --memory, or use --metric features");
    if (guarantee > 0 && tau != TAU_BOUND)
        tau = TAU_BALANCE;
    bool needs_gradient_norm = tau == TAU_ANNEAL || tau == TAU_OBSERVED;
    online_constants(solve->problem, run, &constants);
    if (settings->radius > 0)
        constants.radius = fmin(settings->radius, constants.diameter);
    if (!needs_gradient_norm)
        online_measure_gradients(solve->problem, &constants);
    state_init(&state, solve, tau, &constants,
               sqrt(vector_dot(solve->w, solve->w, solve->problem->risk->regularized)));
    struct online_rule rule = {.shuffles = tau == TAU_ANNEAL,
                               .keeps = guarantee > 0,
                               .finishes = settings->metric == METRIC_AUTO,
                               .needs_gradient_norm = needs_gradient_norm,
                               .rate = rate,
                               .visit = visit,
                               .after = after,
                               .checked = checked};
    solve->outcome->sought = guarantee > 0 || monitor_epsilon(solve->monitor) > 0;
    bool single_scores = solve->problem->risk->scalar != NULL;
    if (settings->metric != METRIC_NONE && metric_obstacle(settings, single_scores) == NULL &&
        constants.diameter > 0) {
        state.metric = true;
        state.min_steps = min_run_steps;
        state.radius = metric_target_size(solve->problem->risk->scalar);
        state.radius_inverse = 1 / (state.radius * state.radius);
        if (!takes_multipliers(solve))
            return metric_train(solve, &constants, &rule, &state, e);
        return multipliers_train(solve, &rule, &state, e);
    }
    return online_train(solve, &constants, &rule, &state, e);
}

static const struct option_row options[] = {
    OPTION_CHOICE_ROW(
        "tau", "anneal|observed|balance|bound", taus, "anneal", struct proximal_settings, tau,
        "proximal terms: balanced by each step's own subgradient, in epochs of falling steps "
        "(anneal) or without epochs (observed); balanced by a bound of all subgradients (balance; "
        "with --restart sums, or --guarantee, this is the paper's Algorithm 3); or all in the "
        "first step, by the regret bound (bound)"),
    OPTION_CHOICE_ROW(
        "metric", "auto|features|dual|none", metrics, "auto", struct proximal_settings, metric,
        "the norm of the steps: learned from the features; or none but the Euclidean one, which is "
        "the paper's; dual: the learned norm, with a dual variable of each example; auto: dual, "
        "but features in less than 5 passes (regression 10, squared 7, but 5 on dense data with "
        "twice as many features as examples) or with -k above 1, and the steps of dcd, for losses "
        "that it takes, in 80 passes or more where there are more features than examples; with l1 "
        "and elastic-net dual always; small data are finished by ipm or dcd where the gap is not "
        "proved"),
    {.name = "settle",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = -1,
     .high = 1,
     .default_text = "-1",
     .help = "with --tau anneal: end when J is expected to fall by less than this fraction (with "
             "--metric none, when an epoch lowers J by less); 0: never; -1: a quarter of -e, else "
             "0.0025 without -p, 0 with -p",
     .offset = offsetof(struct proximal_settings, settle)},
    OPTION_NUMBER_ROW("radius", "X", HUGE_VAL, "0", struct proximal_settings, radius,
                      "bound R of ||w||, kept by projection; 0: R is 1 at first, and grows by sqrt "
                      "2 whenever ||w|| reaches it"),
    OPTION_CHOICE_ROW("restart", "none|scale|sums|full", restarts, "none", struct proximal_settings,
                      restart,
                      "when R grows: keep the sums of lambda and tau (none), divide them by sqrt 2 "
                      "(scale), set them to 0 (sums), or set them and w to 0 (full)"),
    OPTION_NUMBER_ROW("guarantee", "X", HUGE_VAL, "0", struct proximal_settings, guarantee,
                      "the paper's Algorithm 3: the run ends when J is within X of the optimum "
                      "with probability 1 - delta, by its count of steps; 0: another rule"),
    {.name = "delta",
     .argument = "X",
     .kind = OPTION_REAL,
     .low = 0,
     .high = 1,
     .open = true,
     .default_text = "0.05",
     .help = "the probability with which --guarantee may fail",
     .offset = offsetof(struct proximal_settings, delta)},
    ONLINE_OPTION_ROWS,
};

const struct solver proximal = {
    .name = "proximal",
    .summary = "stochastic subgradient steps with proximal terms, for any lambda",
    .reference = "Do, Le & Foo 2009, Algorithms 2 and 3, Theorem 2",
    .tolerance =
        "the run ends when the certified relative gap is at most X, or earlier when J is expected "
        "to fall by less than a quarter of X, whatever the gap; 0: 0.01 without -p, none with -p",
    .passes = 256,
    .offset = true,
    .needs = SOLVER_NEEDS_ITEMS,
    .batches = true,
    .judged = true,
    .goes_on = true,
    .keeps = dcd_keeps,
    .regularizers = online_regularizers,
    .single_regularizers = sparse_regularizers,
    .options = options,
    .option_count = sizeof options / sizeof *options,
    .settings_size = sizeof(struct proximal_settings),
    .check = check,
    .train = train,
};
