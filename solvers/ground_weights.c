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

void ground_weights_free(struct ground_weights *weights) {
    free(weights->room);
    *weights = (struct ground_weights){0};
}
