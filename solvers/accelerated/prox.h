/* prox.h - the proximal problem of an accelerated method, which is simple enough to be solved exactly,
 *
 *     argmin over x in Q of  <s, x> + k d(x) + share Psi(x),   k >= 0, share >= 0,
 *
 * with a prox-function d: Euclidean in a metric p, d(x) = 1/2 sum p_j x_j^2, or the entropy d(x) = sum x_j log
 * x_j. Inner products are in the same metric: <s, x> = sum p_j s_j x_j. d is 1-strongly convex in the norm
 * ||x||^2 = sum p_j x_j^2, or in ||x||_1.
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 2.2 (12). */
#ifndef RRM_PROX_H
#define RRM_PROX_H

#include "solvers/solver.h"

enum prox_function { PROX_EUCLIDEAN, PROX_ENTROPY };

struct prox {
    int64_t dimension;
    enum prox_function function;
    const double *metric; /* p; NULL: all are 1 */
    double strong;        /* sigma_2, the strong convexity of Psi with respect to d */

    /* x = the argmin; x and s must not overlap. */
    void (*minimize)(struct prox *prox, const double *s, double k, double share, double *x);
};

/* <s, x> */
double prox_dot(const struct prox *prox, const double *s, const double *x);

/* <s, x - y> */
double prox_slope(const struct prox *prox, const double *s, const double *x, const double *y);

/* ||x - y||^2 in the norm of d */
double prox_square(const struct prox *prox, const double *x, const double *y);

/* s += c grad d(x); for the entropy without the constant, which does not change minimizers on the simplex. */
void prox_add_mirror(const struct prox *prox, double c, const double *x, double *s);

/* ---- the proximal problem of weights: Psi = lambda Omega on the regularized coordinates (l2, l1,
 * elastic net: Euclidean; ball: the projection; entropy, simplex: with the entropy as d). */
struct prox_weights {
    struct prox prox; /* first */
    const struct problem *problem;
    struct penalty penalty;
    struct ball ball;
    /* the regularizer entropy, whose minimizer also serves the simplex */
    const struct regularizer *entropy;
    double *metric; /* n numbers, freed here; NULL: all are 1 */
    double *work;   /* n numbers: scratch memory of a projection */
};

int prox_weights_init(struct prox_weights *weights, const struct problem *problem, struct error *e);
/* Sets the metric of d: n positive numbers, which `weights` frees. Only for penalties made of the 1-norm and
 * squares. */
void prox_weights_set_metric(struct prox_weights *weights, double *metric);

void prox_weights_free(struct prox_weights *weights);

#endif
