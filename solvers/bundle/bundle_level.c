/* bundle_level.c - the next point of a bundle method as a projection onto a level set of J_t.
 *
 *     minimize 1/2 ||w - c||^2   over w with   J_t(w) <= D + kappa (J_best - D)
 *
 * c is the last point, J_best the best J so far, D the bound of min J, and J_t the relaxed
 * objective (bundle.c). The solution minimizes J_t(w) + mu/2 ||w - c||^2 for some mu; its J_t grows with
 * mu. Any mu is accepted whose J_t is between a lower and an upper level, and mostly the last mu is. Both
 * levels fall after a step that lowered the best J by half of what J_t predicted, and rise towards J_best
 * after any other step. So at large lambda the steps become those of bundle.c; at small lambda they stay
 * short.
 *
 * Reference: Lemarechal, Nemirovskii & Nesterov 1995, "New variants of bundle methods",
 * Mathematical Programming 69, section 2: there the risk's model has no curvature of its own, and
 * kappa = 0.29. Measured, passes to a gap of 0.1 % (reuters21578: 1 %), hinge loss; fixed levels 0.3 and
 * 0.7, fixed levels 0.75 and 0.95, moving levels:
 *
 *     ijcnn1 1e-7  137 85 69,   w8a 1e-8  846 364 393,   connect-4 1e-7  773 245 353,
 *     covtype 1e-8  393 221 197,   reuters21578 1e-7  849 457 166,   reuters21578 1e-4  37 93 69.
 */
#include "solvers/bundle/bundle_level.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRIALS = 20 }; /* of mu in a step; then any is accepted: rounding may hide the level */

static const double upper_level_max = 0.95, upper_level_min = 0.2; /* range of the upper level */
static const double level_decrease = 0.8, level_increase = 0.5;
static const double mu_factor = 4;   /* of mu, until it is between two that were tried */
static const double least_mu = 1e-6; /* times lambda: a proximal term that changes nothing */

int bundle_level_init(struct bundle_level *level, int64_t n, struct error *e) {
    *level = (struct bundle_level){.mu = 1, .upper = upper_level_max, .target = INFINITY};
    level->centre = memory_new(n, sizeof *level->centre, "the centre", e);
    return level->centre == NULL ? -1 : 0;
}

void bundle_level_free(struct bundle_level *level) {
    free(level->centre);
}

/* The centre is the run's point of the step. */
void bundle_level_visit(struct bundle_level *level, struct state *state) {
    STATE_REALS(state, &level->mu, &level->upper, &level->target);
    level->products_known = state_flag(state, level->products_known);
}

/* J_t(w) at the solution w of the last program, where the planes of positive weight are the maximum. */
static double relaxed_value(const struct bundle_run *run, int64_t n) {
    const struct certificate *c = &run->certificate;
    return problem_penalty(c->problem, run->point) + vector_dot(c->slope, run->point, n) +
           c->constant;
}

/* Turns the products with c into those with w = (mu c - A alpha)/(lambda + mu), the next centre. */
static int update_products(struct bundle_level *level, struct planes *planes, double lambda,
                           double mu, struct error *e) {
    double *sum = planes->linear; /* the next program fills it anew */
    if (planes_multiply_combination(planes, sum, e) != 0)
        return -1;
    for (int j = 0; j < planes->slots; j++)
        planes->product[j] = (mu * planes->product[j] - sum[j]) / (lambda + mu);
    level->products_known = true;
    return 0;
}

/* Adapts the upper level by J at the centre; returns the lower level. */
static double adapt(struct bundle_level *level, double objective) {
    if (objective <= level->target)
        level->upper = fmax(level_decrease * level->upper, upper_level_min);
    else
        level->upper += level_increase * (upper_level_max - level->upper);
    return fmax(level->upper - upper_level_min, level->upper / 2);
}

/* The next mu to try after J_t was too high or too low at mu; narrows the bracket *lower_mu .. *upper_mu. */
static double next_mu(double mu, bool too_high, double *lower_mu, double *upper_mu) {
    if (too_high)
        *upper_mu = mu;
    else
        *lower_mu = mu;
    if (*lower_mu == 0)
        return *upper_mu / mu_factor;
    return isinf(*upper_mu) ? *lower_mu * mu_factor : sqrt(*lower_mu * *upper_mu);
}

int bundle_level_step(struct bundle_level *level, struct bundle_run *run, struct planes *planes,
                      int newest, struct error *e) {
    double lambda = run->certificate.problem->lambda, mu = level->mu, lower_mu = 0;
    double bound = run->certificate.bound, gap = run->batch.objective - bound, upper_mu = INFINITY;
    /* The levels are distances from the bound. */
    double low = adapt(level, run->objective) * gap, upper = level->upper * gap;
    /* The centre, and the planes' products with it. */
    memcpy(level->centre, run->point, sizeof *level->centre * (size_t)planes->n);
    if (level->products_known)
        planes->product[newest] = vector_dot(run->slope, level->centre, planes->n);
    else
        planes_multiply(planes, level->centre);
    /* Bisection (in the logarithm) for a mu whose J_t is between the levels. */
    for (int i = 0;; i++) {
        if (bundle_program_solve(planes, lambda + mu, mu, &run->certificate, e) != 0)
            return -1;
        bundle_program_point(planes, &run->certificate, lambda + mu, mu, level->centre, run->point);
        double above = relaxed_value(run, planes->n) - bound;
        bool too_high = above > upper, found = !too_high && above >= low;
        bool all_too_high = lower_mu == 0 && too_high;
        if (found || (i == MAX_TRIALS && all_too_high))
            level->mu = fmax(mu, least_mu * lambda); /* the next step goes on from there */
        level->target = bound + gap / 2 + above / 2;
        if (found || i == MAX_TRIALS)
            return update_products(level, planes, lambda, mu, e);
        mu = next_mu(mu, too_high, &lower_mu, &upper_mu);
    }
}
