/* ground_weights.c - the ground problem of weights: the regularizer, and the prox-function that goes
 * with it. */
#include "solvers/accelerated/ground.h"

#include "io/memory.h"
#include "math/ball.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

static const int64_t worth_threads = 32768;

static const struct ground_weights *weights_of(const struct ground *ground) {
    return (const struct ground_weights *)ground;
}

/* l1 ||x||_1 + l2/2 ||x||^2 */
static void minimize_shares(struct ground *ground, const double *s, double k, double share,
                            double *x) {
    const struct shares *shares = &weights_of(ground)->shares;
    double threshold = share * shares->l1, divisor = k + share * shares->l2;
#pragma omp parallel for schedule(static) if (ground->dimension > worth_threads)
    for (int64_t j = 0; j < ground->dimension; j++)
        x[j] = -soft(s[j], threshold) / divisor;
}

/* The same in a metric h: s and k count h_j times. */
static void minimize_scaled(struct ground *ground, const double *s, double k, double share,
                            double *x) {
    const struct shares *shares = &weights_of(ground)->shares;
    const double *h = ground->metric;
#pragma omp parallel for schedule(static) if (ground->dimension > worth_threads)
    for (int64_t j = 0; j < ground->dimension; j++)
        x[j] = -soft(h[j] * s[j], share * shares->l1) / (k * h[j] + share * shares->l2);
}

/* The projection of -s/k to the ball. */
static void minimize_in_ball(struct ground *ground, const double *s, double k, double share,
                             double *x) {
    const struct ground_weights *weights = weights_of(ground);
    (void)share;
    for (int64_t j = 0; j < ground->dimension; j++)
        x[j] = -s[j] / k;
    ball_project(x, ground->dimension, weights->ball.k, weights->ball.r, weights->room);
}

/* lambda sum x_j log(n x_j) on the simplex, lambda = 0 for the simplex alone: exp(-s/(k + share
 * lambda)), normalized */
static void minimize_entropy(struct ground *ground, const double *s, double k, double share,
                             double *x) {
    const struct ground_weights *weights = weights_of(ground);
    weights->entropy->minimizer(s, ground->dimension, k + share * ground->strong,
                                &weights->problem->parameters, x);
}

static int init_ball(struct ground_weights *weights, struct error *e) {
    const struct problem *problem = weights->problem;
    weights->ball = problem->regularizer->ball(&problem->parameters);
    weights->ground.minimize = minimize_in_ball;
    weights->room = memory_new(weights->ground.dimension, sizeof(double), "a projection", e);
    return weights->room == NULL ? -1 : 0;
}

int ground_weights_init(struct ground_weights *weights, const struct problem *problem,
                        struct error *e) {
    const struct regularizer *regularizer = problem->regularizer;
    *weights =
        (struct ground_weights){.ground.dimension = problem->risk->regularized, .problem = problem};
    if (regularizer->ball != NULL)
        return init_ball(weights, e);
    if (regularizer->shares != NULL) {
        weights->shares = problem_shares(problem);
        weights->ground.strong = weights->shares.l2;
        weights->ground.minimize = minimize_shares;
    } else {
        weights->entropy = regularizer_by_name("entropy");
        weights->ground.prox = PROX_ENTROPY;
        weights->ground.strong = regularizer->constraint ? 0 : problem->lambda;
        weights->ground.minimize = minimize_entropy;
    }
    return 0;
}

void ground_weights_measure(struct ground_weights *weights, double *metric) {
    int64_t n = weights->ground.dimension;
    double most = 0;
    for (int64_t j = 0; j < n; j++)
        most = metric[j] > most ? metric[j] : most;
    weights->metric = metric;
    weights->ground.metric = metric;
    weights->ground.strong = most > 0 ? weights->shares.l2 / most : 0;
    weights->ground.minimize = minimize_scaled;
}

void ground_weights_free(struct ground_weights *weights) {
    free(weights->metric);
    free(weights->room);
    *weights = (struct ground_weights){0};
}
