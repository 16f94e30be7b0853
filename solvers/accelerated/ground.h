/* ground.h - the ground problem of an accelerated method: what is simple enough to be solved exactly,
 *
 *     argmin over x in Q of  <s, x> + k d(x) + share Psi(x),   k >= 0, share >= 0,
 *
 * with the prox-function d, Euclidean in a metric p, d(x) = 1/2 sum p_j x_j^2, or the entropy
 * d(x) = sum x_j log x_j. Inner products are in the same metric: <s, x> = sum p_j s_j x_j. d is
 * 1-strongly convex in the norm ||x||^2 = sum p_j x_j^2, or ||x||_1.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 2.2 (12). */
#ifndef RRM_GROUND_H
#define RRM_GROUND_H

#include "solvers/solver.h"

enum prox { PROX_EUCLIDEAN, PROX_ENTROPY };

struct ground {
    int64_t dimension;
    enum prox prox;
    const double *metric; /* p; NULL: all are 1 */
    double strong;        /* sigma_2: Psi is so strongly convex with respect to d */

    /* x = the argmin; x is not s. */
    void (*minimize)(struct ground *ground, const double *s, double k, double share, double *x);
};

/* <s, x> */
double ground_dot(const struct ground *ground, const double *s, const double *x);

/* <s, x - y> */
double ground_slope(const struct ground *ground, const double *s, const double *x, const double *y);

/* ||x - y||^2 in the norm of d */
double ground_square(const struct ground *ground, const double *x, const double *y);

/* s += c grad d(x), for the entropy without the constant that the simplex does not see. */
void ground_add_mirror(const struct ground *ground, double c, const double *x, double *s);

/* ---- the ground problem of weights: Psi = lambda Omega on the regularized coordinates (l2, l1,
 * elastic net: Euclidean; ball: the projection; entropy, simplex: with the entropy as d). */
struct ground_weights {
    struct ground ground; /* first */
    const struct problem *problem;
    struct shares shares;
    struct ball ball;
    const struct regularizer *entropy; /* whose minimizer is that of the simplex, too */
    double *metric;                    /* owned by this; NULL: all are 1 */
    double *room;                      /* n numbers, where a projection needs them */
};

int ground_weights_init(struct ground_weights *weights, const struct problem *problem,
                        struct error *e);
/* From here on d is in this metric (n positive numbers, which the ground problem takes over to free);
 * only for penalties made of the 1-norm and squares. */
void ground_weights_measure(struct ground_weights *weights, double *metric);

void ground_weights_free(struct ground_weights *weights);

#endif
