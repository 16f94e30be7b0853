/* ground_weights.c - the ground problem of weights: the regularizer, and the prox-function that goes
 * with it. */
#include "solvers/ground.h"

#include "io/memory.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

static const struct ground_weights *weights_of(const struct ground *ground) {
    return (const struct ground_weights *)ground;
}

/* l1 ||x||_1 + l2/2 ||x||^2 */
static void minimize_shares(struct ground *ground, const double *s, double k, double share,
                            double *x) {
    const struct shares *shares = &weights_of(ground)->shares;
    double threshold = share * shares->l1, divisor = k + share * shares->l2;
    for (int64_t j = 0; j < ground->dimension; j++)
        x[j] = -soft(s[j], threshold) / divisor;
}

/* The same in a metric h: s and k count h_j times. */
static void minimize_scaled(struct ground *ground, const double *s, double k, double share,
                            double *x) {
    const struct shares *shares = &weights_of(ground)->shares;
    const double *h = ground->metric;
    for (int64_t j = 0; j < ground->dimension; j++)
        x[j] = -soft(h[j] * s[j], share * shares->l1) / (k * h[j] + share * shares->l2);
}

/* lambda sum x_j log(n x_j) on the simplex: exp(-s/(k + share lambda)), normalized */
static void minimize_entropy(struct ground *ground, const double *s, double k, double share,
                             double *x) {
    const struct problem *problem = weights_of(ground)->problem;
    problem->regularizer->minimizer(s, ground->dimension, k + share * problem->lambda,
                                    &problem->parameters, x);
}

int ground_weights_init(struct ground_weights *weights, const struct problem *problem,
                        struct error *e) {
    const struct regularizer *regularizer = problem->regularizer;
    (void)e;
    *weights =
        (struct ground_weights){.ground.dimension = problem->risk->regularized, .problem = problem};
    if (regularizer->shares != NULL) {
        weights->shares = problem_shares(problem);
        weights->ground.strong = weights->shares.l2;
        weights->ground.minimize = minimize_shares;
    } else {
        weights->ground.prox = PROX_ENTROPY;
        weights->ground.strong = problem->lambda;
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
