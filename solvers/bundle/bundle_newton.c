/* bundle_newton.c - the relaxed problem over planes by Newton's method.
 *
 *     maximize  D(s, t) = t - lambda Omega*(-s/lambda),  (s, t) = (A alpha, b'alpha)
 *
 * over alpha >= 0, sum alpha <= 1. With w the minimizer of <s,w> + lambda Omega(w), dD/d alpha_j =
 * b_j + <a_j, w>, and the second derivatives of lambda Omega*(-s/lambda) by s are 1/lambda times
 *
 *     elastic net   diag(w_j != 0)/rho
 *     entropy       diag(w) - w w'
 *
 * that is, a diagonal metric M; for the entropy with the centres c_j = <a_j, w>. A step solves
 *
 *     minimize  1/2 alpha'H alpha - f'alpha,   H = A'MA (centred),   f = lambda (b + A'w) + A'M s
 *
 * over the same alpha (planes.h), and moves (s, t) towards its solution by a line search, as far as D
 * grows. The distance from the maximum is bounded by the planes' maximum at w:
 *
 *     max D - D  <=  max(0, max_j b_j + <a_j, w>) - (t + <s, w>).
 *
 * Reference: none of Smola, Vishwanathan & Le 2008, who leave (6) to a solver for convex problems.
 * Step: two products with all planes, the program, whose rows of H cost O(planes n) each, and
 * O(n) for each point tried along the line. */
#include "solvers/bundle/bundle_newton.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_STEPS = 50, MAX_TRIALS = 60 };

static const double program_tolerance = 1e-13;
/* The line search ends when |D'| is below this part of D'(0) */
static const double slope_reduction = 0.1;

int bundle_newton_init(struct bundle_newton *newton, const struct problem *problem,
                       struct planes *planes, struct error *e) {
    int64_t n = problem->risk->dimension;
    *newton = (struct bundle_newton){.problem = problem, .planes = planes};
    newton->slope = memory_zeroed(n, sizeof(double), "Newton's method", e); /* an offset stays 0 */
    newton->metric = memory_new(n, sizeof(double), "Newton's method", e);
    newton->work = memory_new(n, sizeof(double), "Newton's method", e);
    return newton->slope == NULL || newton->metric == NULL || newton->work == NULL ? -1 : 0;
}

void bundle_newton_free(struct bundle_newton *newton) {
    free(newton->slope);
    free(newton->metric);
    free(newton->work);
}

/* ---- the program of a step */

/* max(0, max over the planes of b_j + <a_j, w>), from the products with w. */
static double model_value(const struct planes *planes) {
    double value = 0;
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING)
            value = fmax(value, planes->plane[j].constant + planes->product[j]);
    return value;
}

/* Sets M at w, and v = lambda w + M s (for the entropy lambda w + (M - w w') s), so that f = lambda b + A'v. */
static void find_metric(const struct bundle_newton *newton, const double *s, const double *w,
                        double *v) {
    const struct problem *problem = newton->problem;
    int64_t n = newton->planes->n;
    double mean = problem->regularizer->sum_one ? vector_dot(s, w, n) : 0;
    problem->regularizer->conjugate_curvature(w, n, &problem->parameters, newton->metric);
    for (int64_t j = 0; j < n; j++)
        v[j] = problem->lambda * w[j] + newton->metric[j] * (s[j] - mean);
}

/* Solves the program of a step: writes A alpha to newton->slope and b'alpha to *constant. At the call the
 * planes' products must be those with w. */
static int solve_program(struct bundle_newton *newton, const double *s, const double *w,
                         double *constant, struct error *e) {
    struct planes *planes = newton->planes;
    struct simplex_qp_result result;
    find_metric(newton, s, w, newton->work);
    if (planes_set_metric(planes, newton->metric, newton->problem->regularizer->sum_one, e) != 0)
        return -1;
    planes_multiply(planes, newton->work);
    for (int j = 0; j < planes->slots; j++)
        planes->linear[j] =
            newton->problem->lambda * planes->plane[j].constant + planes->product[j];
    if (planes_solve(planes, program_tolerance, &result, e) != 0)
        return -1;
    *constant = planes_combine(planes, 1, newton->slope);
    return 0;
}

/* ---- the search along (1 - eta) (s, t) + eta (slope, constant) */

/* D'(eta) = constant - t + <slope - s, w(eta)> */
static double derivative(const struct bundle_newton *newton, const struct certificate *c,
                         double constant, double eta) {
    double *w = newton->work, sum = 0;
    int64_t n = newton->planes->n;
    for (int64_t j = 0; j < n; j++)
        w[j] = c->slope[j] + eta * (newton->slope[j] - c->slope[j]);
    problem_minimizer(newton->problem, w, w);
    for (int64_t j = 0; j < n; j++)
        sum += (newton->slope[j] - c->slope[j]) * w[j];
    return constant - c->constant + sum;
}

/* The eta where |D'| is small beside D'(0), by regula falsi with halving of the end that stays (Illinois).
 * 0 when D does not grow. */
static double search(const struct bundle_newton *newton, const struct certificate *c,
                     double constant) {
    double low = 0, at_low = derivative(newton, c, constant, 0), flat = slope_reduction * at_low;
    double high = 1, at_high = derivative(newton, c, constant, 1), middle = 1;
    if (!(at_low > 0) || at_high >= -flat)
        return at_low > 0 ? 1 : 0;
    for (int i = 0, side = 0; i < MAX_TRIALS; i++) {
        middle = (low * at_high - high * at_low) / (at_high - at_low);
        double slope = derivative(newton, c, constant, middle);
        if (fabs(slope) <= flat)
            break;
        if (slope > 0) {
            low = middle;
            at_low = slope;
            at_high /= side == 1 ? 2 : 1;
            side = 1;
        } else {
            high = middle;
            at_high = slope;
            at_low /= side == -1 ? 2 : 1;
            side = -1;
        }
    }
    return middle;
}

int bundle_newton_solve(struct bundle_newton *newton, struct certificate *certificate, double gap,
                        double *w, struct error *e) {
    struct planes *planes = newton->planes;
    double constant, eta;
    problem_minimizer(newton->problem, certificate->slope, w);
    for (int step = 0; step < MAX_STEPS; step++) {
        planes_multiply(planes, w);
        double remaining = model_value(planes) - certificate->constant -
                           vector_dot(certificate->slope, w, planes->n);
        if (remaining <= gap)
            break;
        if (solve_program(newton, certificate->slope, w, &constant, e) != 0)
            return -1;
        eta = search(newton, certificate, constant);
        if (eta == 0)
            break;
        certificate_mix(certificate, eta, newton->slope, constant);
        problem_minimizer(newton->problem, certificate->slope, w);
    }
    return 0;
}
