/* certify.c - a lower bound of min J from a point w alone. */
#include "solvers/online/certify.h"

#include "io/memory.h"
#include "math/matrices/cholesky.h"
#include "math/vector.h"
#include "solvers/dual_bound.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_COLUMNS = 1000, MAX_STEPS = 7, MAX_FUTILE = 2, STEP_READS = 3, WIDTHS = 3 };

static const double widths[WIDTHS] = {0.1, 0.3, 0.03}; /* of kinks, over the size of scores */
static const double least_omega = 1e-5;                /* smaller ones are taken as 0, for kinks */
static const double relative_ridge = 1e-7;             /* added to the diagonal of the scaled H */
static const double kept_distance = 0.05;
static const double least_rise = 1e-3; /* of the bound in a step, over the goal */
/* passes_share, least_passes: the most that a bound may cost. result_gap: below it no bound is sought. goal_gap: the
 * search ends at it. */
static const double passes_share = 2, least_passes = 5, result_gap = 0.01, goal_gap = 0.005;
/* Costs over that of a nonzero in a stochastic step, on one thread: its read in order, and a unit of gram_work. */
static const double read_cost = 0.2, gram_cost = 0.1;
static const double factor_cost = 0.01; /* of an operation of Cholesky's factors */

/* ---- one dual variable */

/* Its domain. */
struct interval {
    double low, high;
};

static struct interval domain_of(const struct scalar_terms *terms, int64_t i) {
    struct interval domain;
    terms->loss->domain(scalar_target(terms, i), &terms->parameters, &domain.low, &domain.high);
    return domain;
}

static double sigmoid(double x) {
    return 1 / (1 + exp(-x));
}

/* The slope of a piecewise linear loss, smoothed at the kinks over WIDTH. */
static double smooth_slope(const struct scalar_terms *terms, int64_t i, double u, double width) {
    struct interval domain = domain_of(terms, i);
    double tube = terms->loss->tube == NULL ? 0 : terms->loss->tube(&terms->parameters);
    double v = u - scalar_target(terms, i);
    return domain.low * sigmoid(-2 * (v + tube) / width) +
           domain.high * sigmoid(2 * (v - tube) / width);
}

/* omega of a piecewise linear loss. */
static double distance_square(struct interval domain, double a) {
    double length = domain.high - domain.low;
    double distance = length > 0 ? fmin(a - domain.low, domain.high - a) / length : 0;
    return distance * distance > least_omega ? distance * distance * length : 0;
}

/* x between low and high that leaves kept_distance of that from `from` to the ends. */
static double keep_distance(struct interval domain, double from, double x) {
    if (isfinite(domain.low))
        x = fmax(x, domain.low + kept_distance * (from - domain.low));
    return isfinite(domain.high) ? fmin(x, domain.high - kept_distance * (domain.high - from)) : x;
}

/* ---- all of them */

/* The size of the scores: that of the targets' distances, for regression. */
static double score_size(const struct certify *c, const struct scalar_terms *terms) {
    if (terms->loss->task == TASK_CLASSIFICATION)
        return 1;
    double sum = 0;
    for (int64_t i = 0; i < terms->design->rows; i++)
        sum += scalar_weight(terms, i) * fabs(c->score[i] - scalar_target(terms, i));
    return sum / terms->weight_sum;
}

static bool is_piecewise_linear(const struct loss *loss) {
    return isinf(loss->curvature);
}

/* The first dual variables. */
static void begin(struct certify *c, double width) {
    const struct scalar_terms *terms = c->problem->risk->scalar;
    if (!is_piecewise_linear(terms->loss)) {
        dual_from_scores(terms, c->score, c->a);
        return;
    }
    for (int64_t i = 0; i < terms->design->rows; i++)
        c->a[i] = smooth_slope(terms, i, c->score[i], width);
}

/* p_i omega_i and p_i a_i */
static void weigh(struct certify *c) {
    const struct scalar_terms *terms = c->problem->risk->scalar;
    const struct loss *loss = terms->loss;
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double p = scalar_weight(terms, i) / terms->weight_sum;
        double omega = is_piecewise_linear(loss)
                           ? distance_square(domain_of(terms, i), c->a[i])
                           : loss->second(c->score[i], scalar_target(terms, i), &terms->parameters);
        c->omega[i] = p * omega;
        c->weighted[i] = p * c->a[i];
    }
}

/* z with H z = r, in r, by H scaled to a diagonal of ones. */
static bool solve(struct certify *c) {
    int64_t n = c->gram.n;
    double *h = c->gram.matrix;
    for (int64_t j = 0; j < n; j++)
        c->scale[j] = h[j * n + j] > 0 ? 1 / sqrt(h[j * n + j]) : 0;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++)
            h[i * n + j] *= c->scale[i] * c->scale[j];
        h[i * n + i] = 1 + relative_ridge;
        c->r[i] *= c->scale[i];
    }
    if (cholesky_factor(h, c->diagonal, n, c->work, NULL) != 0)
        return false;
    cholesky_solve(h, c->diagonal, c->r, c->work, n);
    for (int64_t j = 0; j < n; j++)
        c->r[j] *= c->scale[j];
    return true;
}

/* Takes from the slope s, which r holds, the one that is sought: -lambda w for l2; within [-lambda, lambda] for l1. */
static void subtract_goal(struct certify *c, const double *w) {
    const struct penalty penalty = problem_penalty_parts(c->problem);
    for (int64_t j = 0; j < c->problem->risk->regularized; j++) {
        double rest = c->r[j] + penalty.l2 * w[j];
        c->r[j] = rest - clip(rest, -penalty.l1, penalty.l1);
    }
}

/* One Newton step; false if it cannot be made. */
static bool step(struct certify *c, const double *w) {
    const struct risk *risk = c->problem->risk;
    const struct scalar_terms *terms = risk->scalar;
    weigh(c);
    if (!gram_compute(&c->gram, c->omega, c->weighted, c->r))
        return false;
    subtract_goal(c, w);
    if (!solve(c))
        return false;
    design_scores(terms->design, c->r, c->weighted);
    for (int64_t i = 0; i < terms->design->rows; i++) {
        double p = scalar_weight(terms, i) / terms->weight_sum;
        if (c->omega[i] > 0)
            c->a[i] = keep_distance(domain_of(terms, i), c->a[i],
                                    c->a[i] - c->omega[i] / p * c->weighted[i]);
    }
    return true;
}

/* The bound of the present dual variables. */
static double bound_of(struct certify *c) {
    memcpy(c->weighted, c->a, sizeof *c->a * (size_t)c->problem->risk->items);
    return dual_bound(c->problem, c->weighted, c->r);
}

static bool is_cut(void *opaque) {
    struct certify *c = opaque;
    c->cut = c->cut || monitor_poll(c->monitor) != VERDICT_GO_ON;
    return c->cut;
}

/* Newton steps from one width, until the bound reaches GOAL, hardly rises any more, steps in a row were futile or
 * *passes are spent; the best bound of BEST and these. */
static double improve(struct certify *c, const double *w, double width, double goal, double best,
                      double *passes) {
    double last = 0, highest = 0, bound;
    begin(c, width);
    for (int i = 0, futile = 0; i < MAX_STEPS && futile < MAX_FUTILE && best < goal; i++) {
        *passes -= c->step_passes;
        if (*passes < 0 || is_cut(c) || !step(c, w))
            break;
        bound = bound_of(c);
        futile = bound > highest ? 0 : futile + 1;
        highest = fmax(highest, bound);
        best = fmax(best, bound);
        if (bound > goal / 2 && bound - last < least_rise * goal)
            break;
        last = bound;
    }
    return best;
}

double certify_bound(struct certify *c, const double *w, double objective, double gap,
                     double passes) {
    const struct scalar_terms *terms = c->problem->risk->scalar;
    int rounds = is_piecewise_linear(terms->loss) ? WIDTHS : 1;
    double best = 0, goal = objective * (1 - gap);
    c->gram.stop = is_cut;
    c->gram.opaque = c;
    c->cut = false;
    design_scores(terms->design, w, c->score);
    double size = score_size(c, terms);
    for (int k = 0; k < rounds && size > 0 && best < goal && !c->cut; k++)
        best = improve(c, w, widths[k] * size, goal, best, &passes);
    return best;
}

double certify_passes(double passes) {
    return fmax(least_passes, passes_share * passes);
}

double certify_newton_passes(const struct design *design, double reads) {
    bool dense;
    double n = (double)design->columns;
    double work = gram_cost * gram_work(design, &dense) + factor_cost * n * n * n / 3;
    return reads * read_cost + work / fmax(1, (double)design->data->nonzeros);
}

static void raise_bound(const struct solve *solve) {
    struct outcome *outcome = solve->outcome;
    struct certify certify;
    if (certify_init(&certify, solve->problem, solve->monitor, NULL) == 0) {
        monitor_close(solve->monitor);
        double bound = certify_bound(&certify, solve->w, outcome->objective, goal_gap,
                                     certify_passes(outcome->passes));
        outcome->bound = fmin(fmax(outcome->bound, bound), outcome->objective);
        outcome->verdict = monitor_closed(solve->monitor, outcome->verdict);
    } else {
        snprintf(outcome->note, sizeof outcome->note,
                 "memory was too short for a lower bound of the optimum");
    }
    certify_free(&certify);
}

void certify_result(const struct solve *solve) {
    struct outcome *outcome = solve->outcome;
    double gap = outcome->objective - outcome->bound;
    bool cut = outcome->verdict == VERDICT_TIME || outcome->verdict == VERDICT_INTERRUPTED;
    bool wanted = !solve->run->uncertified && !solve->run->unproved;
    if (!cut && wanted && gap > result_gap * outcome->objective &&
        certify_is_possible(solve->problem))
        raise_bound(solve);
    outcome->verdict =
        monitor_confirm(solve->monitor, outcome->verdict, outcome->objective, outcome->bound);
}

/* ---- begin and end */

bool certify_is_possible(const struct problem *problem) {
    const struct scalar_terms *terms = problem->risk->scalar;
    return terms != NULL && problem->regularizer->penalty != NULL &&
           terms->design->columns <= MAX_COLUMNS && terms->design->data->window == NULL &&
           (is_piecewise_linear(terms->loss) || terms->loss->second != NULL);
}

double certify_bytes_of_solver(const struct scalar_terms *terms, const void *options) {
    static const double row_numbers = 1, weight_numbers = 8, own_row_numbers = 4;
    const struct design *design = terms->design;
    double m = (double)design->rows, n = (double)design->columns;
    double bytes = sizeof(double) * (row_numbers * m + weight_numbers * n);
    (void)options;
    return n > MAX_COLUMNS ? bytes
                           : bytes + sizeof(double) * own_row_numbers * m + gram_bytes(design);
}

int certify_init(struct certify *c, const struct problem *problem, const struct monitor *monitor,
                 struct error *e) {
    const struct design *design = problem->risk->scalar->design;
    int64_t n = design->columns, rows = design->rows;
    *c = (struct certify){.problem = problem, .monitor = monitor};
    c->a = memory_new(4 * rows, sizeof(double), "the dual variables", e);
    c->r = memory_new(3 * n + cholesky_work_size(n), sizeof(double), "a Newton step", e);
    if (c->a == NULL || c->r == NULL)
        return -1;
    c->omega = c->a + rows;
    c->weighted = c->omega + rows;
    c->score = c->weighted + rows;
    c->scale = c->r + n;
    c->diagonal = c->scale + n;
    c->work = c->diagonal + n;
    if (gram_init(&c->gram, design, e) != 0)
        return -1;
    c->step_passes = certify_newton_passes(design, STEP_READS);
    return 0;
}

void certify_free(struct certify *c) {
    free(c->a);
    free(c->r);
    gram_free(&c->gram);
}
