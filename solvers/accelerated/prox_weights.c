/* prox_weights.c - the proximal problem of the weights: Psi is the regularizer. */
#include "solvers/accelerated/prox.h"

#include "io/memory.h"
#include "math/projections/ball.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

static const int64_t worth_threads = 32768; /* entries from which on threads pay */

static const struct prox_weights *weights_of(const struct prox *prox) {
    return (const struct prox_weights *)prox;
}

/* Psi = l1 ||x||_1 + l2/2 ||x||^2. */
static void minimize_penalty(struct prox *prox, const double *s, double k, double share,
                             double *x) {
    const struct penalty *penalty = &weights_of(prox)->penalty;
    double threshold = share * penalty->l1, divisor = k + share * penalty->l2;
#pragma omp parallel for schedule(static) if (prox->dimension > worth_threads)
    for (int64_t j = 0; j < prox->dimension; j++)
        x[j] = -soft(s[j], threshold) / divisor;
}

/* The same in a metric h, which multiplies s_j and k by h_j. */
static void minimize_scaled(struct prox *prox, const double *s, double k, double share, double *x) {
    const struct penalty *penalty = &weights_of(prox)->penalty;
    const double *h = prox->metric;
#pragma omp parallel for schedule(static) if (prox->dimension > worth_threads)
    for (int64_t j = 0; j < prox->dimension; j++)
        x[j] = -soft(h[j] * s[j], share * penalty->l1) / (k * h[j] + share * penalty->l2);
}

/* Psi = 0 on a ball: the projection of -s/k. */
static void minimize_in_ball(struct prox *prox, const double *s, double k, double share,
                             double *x) {
    const struct prox_weights *weights = weights_of(prox);
    (void)share;
    for (int64_t j = 0; j < prox->dimension; j++)
        x[j] = -s[j] / k;
    ball_project(x, prox->dimension, weights->ball.k, weights->ball.r, weights->work);
}

/* Psi = lambda sum x_j log(n x_j) on the simplex (lambda = 0: the simplex alone): x is exp(-s/(k + share
 * lambda)), normalized. */
static void minimize_entropy(struct prox *prox, const double *s, double k, double share,
                             double *x) {
    const struct prox_weights *weights = weights_of(prox);
    weights->entropy->minimizer(s, prox->dimension, k + share * prox->strong,
                                &weights->problem->parameters, x);
}

static int init_ball(struct prox_weights *weights, struct error *e) {
    const struct problem *problem = weights->problem;
    weights->ball = problem->regularizer->ball(&problem->parameters);
    weights->prox.minimize = minimize_in_ball;
    weights->work = memory_new(weights->prox.dimension, sizeof(double), "a projection", e);
    return weights->work == NULL ? -1 : 0;
}

int prox_weights_init(struct prox_weights *weights, const struct problem *problem,
                      struct error *e) {
    const struct regularizer *regularizer = problem->regularizer;
    *weights =
        (struct prox_weights){.prox.dimension = problem->risk->regularized, .problem = problem};
    if (regularizer->ball != NULL)
        return init_ball(weights, e);
    if (regularizer->penalty != NULL) {
        weights->penalty = problem_penalty_parts(problem);
        weights->prox.strong = weights->penalty.l2;
        weights->prox.minimize = minimize_penalty;
    } else {
        weights->entropy = regularizer_by_name("entropy");
        weights->prox.function = PROX_ENTROPY;
        weights->prox.strong = regularizer->constraint ? 0 : problem->lambda;
        weights->prox.minimize = minimize_entropy;
    }
    return 0;
}

void prox_weights_set_metric(struct prox_weights *weights, double *metric) {
    int64_t n = weights->prox.dimension;
    double largest = 0;
    for (int64_t j = 0; j < n; j++)
        largest = metric[j] > largest ? metric[j] : largest;
    weights->metric = metric;
    weights->prox.metric = metric;
    weights->prox.strong = largest > 0 ? weights->penalty.l2 / largest : 0;
    weights->prox.minimize = minimize_scaled;
}

void prox_weights_free(struct prox_weights *weights) {
    free(weights->metric);
    free(weights->work);
    *weights = (struct prox_weights){0};
}
