/* canonical.h - the dual of a kernel machine with a parametric part, as a quadratic program:
 *
 *     minimize over z:  F(z) = 1/2 z'Qz + p'z   over  A z = 0,  0 <= z_t <= C_t
 *
 *     Q_tu = s_t s_u K(r_t, r_u),   A_jt = s_t psi_j(x_{r_t}),   theta_r = sum of s_t z_t over r_t = r
 *
 * of the problem, in units of lambda (J = lambda P),
 *
 *     minimize over theta, beta:  P = 1/2 theta'K theta + sum_i C_i l(h_i, y_i),   h = K theta + Psi beta,
 *     C_i = c_i/(lambda sum c);   P + F >= 0, and 0 at the optimum, where beta is the multiplier of A z = 0.
 *
 *     hinge                        t = i:           s = y,   p = -1,          box [0, C_i]
 *     epsilon, absolute            t = i, m + i:    s = +-1, p = tube -+ y,   box [0, C_i]
 *     quantile                     t = i, m + i:    s = +-1, p = -+ y,        boxes [0, q C_i], [0, (1-q) C_i]
 *
 * and so for every piecewise linear loss with a box (loss_box of risk/loss.h).
 *
 * Whatever basis functions are given, Psi here is an orthonormal basis of their span (orthogonal.h): the mean
 * of psi_j psi_k, weighted by c_i, is 1 where j = k, else 0; then no scale and no collinearity of theirs
 * shows, and K is the dimension of the span. |A z|_j <= e max C/sqrt K for all j makes |sum theta psi| <=
 * e max C max |psi| for each given psi.
 *
 * The slope of the Lagrangian is G = Qz + p + A'beta, G_t = s_t h_{r_t} + p_t. Conditions of the optimum:
 * G_t >= 0 where z_t = 0, G_t <= 0 where z_t = C_t, G_t = 0 between.
 *
 * Learned margins add a variable mu and, with z, an equation; J may then be negative. With nu in (0, 1]
 *
 *     minimize over theta, beta, mu:  P = 1/2 theta'K theta - d mu + sum_i C_i l(h_i, y_i; mu),  sum_t z_t = d,
 *     d = nu/lambda,  G_t = s_t h_{r_t} + p_t - mu
 *
 *     margin of the hinge          l = max(0, mu - y h),      p = 0:        nu-SVC, mu = rho
 *     tube of epsilon              l = max(0, |y - h| + mu),  p = -+ y:     nu-SVR, mu = -tube
 *     level                        l = max(0, mu - h), y = 1, p = 0:        one-class SVM, mu = rho; no basis
 *
 * If K is not positive semidefinite, F is not convex, and no bound of J is known: it is -infinity.
 *
 * Reference: Scholkopf, Smola, Williamson & Bartlett 2000, New support vector algorithms, Neural Computation 12;
 * Scholkopf, Platt, Shawe-Taylor, Smola & Williamson 2001, Estimating the support of a high-dimensional distribution,
 * Neural Computation 13; Chang & Lin 2001, Training nu-support vector classifiers, Neural Computation 13;
 * Lee 2011, (4.2), (4.3), (4.4) without the thesis's y_i y_j in Q, which do not belong. */
#ifndef RRM_CANONICAL_H
#define RRM_CANONICAL_H

#include "math/matrices/orthogonal.h"
#include "solvers/solver.h"

struct canonical {
    const struct problem *problem;
    const struct scalar_terms *terms;
    struct kernel kernel;
    struct dataset data; /* the rows that the kernel is evaluated on */
    bool owns_data;      /* whether `data` is a copy, to be freed */
    int64_t rows;        /* m */
    int64_t count;     /* number of variables: rows, or 2 rows; variable t belongs to row t mod m */
    int64_t functions; /* K */
    int64_t equations; /* K, or K + 1: the last is that of a learned margin */
    enum loss_learned learned;
    double margin_sum; /* d */
    double least;      /* a bound of J that is known in advance: 0, or -infinity */
    double *psi;       /* rows x functions */
    struct orthogonal span;
    int8_t *sign;
    double *p, *upper;
    double max_upper; /* the largest C_t */
    double scale;     /* unit of |A z|_j: max C_t / sqrt(equations) */
    double *work,
        *small_work; /* scratch memory: 2 count doubles; equations (equations + 4) doubles */
};

/* PROBLEM must outlive it. 0, or -1 with the error set; to be freed in either case. */
int canonical_init(struct canonical *c, const struct problem *problem, struct error *e);
void canonical_free(struct canonical *c);

/* theta (rows) of z; and the z in its box whose theta is nearest to the given one. */
void canonical_theta(const struct canonical *c, const double *z, double *theta);
void canonical_variables(const struct canonical *c, const double *theta, double *z);

/* h = f + Psi beta */
void canonical_scores(const struct canonical *c, const double *f, const double *beta, double *h);

/* The same with the caller's basis functions (not orthonormalized) and their beta. */
void canonical_given_scores(const struct canonical *c, const double *f, const double *beta,
                            double *h);

/* beta of weighted least squares of y by Psi alone, the start of a run. */
void canonical_fit(const struct canonical *c, double *beta);

/* J for theta, f = K theta, h, and mu where a margin is learned. */
double canonical_objective(const struct canonical *c, const double *theta, const double *f,
                           const double *h, double margin);

/* A lower bound of min J: -lambda F at a z nearby with A z = 0 to rounding; -infinity if none is found.
 * f = K theta of z; h = f + Psi beta for any beta, which must be near that of z where targets have a large offset. */
double canonical_bound(const struct canonical *c, const double *z, const double *f,
                       const double *h);

/* Moves z to a nearby point of the box with A z = 0 to rounding; false if none is found. */
bool canonical_repair(const struct canonical *c, double *z);

/* Whether the signs of variables are in two groups, each with a sum of z of its own: a learned margin beside the
 * constant. */
bool canonical_has_two_sums(const struct canonical *c);

/* z of the first variables of each sign at their bounds, so that a learned margin's equation holds. 0, or -1 with an
 * error: nu is too large. */
int canonical_start(const struct canonical *c, double *z, struct error *e);

/* sum = A z, less d for a learned margin, size_j = sum_t |A_jt z_t|, the scale of its rounding; `equations` numbers
 * each. */
void canonical_residual(const struct canonical *c, const double *z, double *sum, double *size);

/* Advice to use a linear solver if the problem is that of a linear model; else NULL. */
const char *canonical_linear_remedy(const struct canonical *c);

/* By how much z_t violates the conditions of the optimum, for the gradient G_t = `slope`. */
static inline double violation(double z, double upper, double slope) {
    double below = z < upper ? -slope : 0, above = z > 0 ? slope : 0;
    return below > above ? below : above > 0 ? above : 0;
}

#endif
