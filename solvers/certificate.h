/* certificate.h - lower bounds of min J, from linearizations of the risk.
 *
 * For convex R and a subgradient g at u, R(w) >= <g,w> + R(u) - <g,u>. Any convex combination
 * (s, t) of linearizations is one too, and certifies
 *
 *     min J  >=  t - lambda Omega*(-s/lambda)          (l2:  t - ||s||^2/(2 lambda)).
 *
 * This running combination is the certificate of bundle, cutting-plane and accelerated methods. It
 * begins as (0, 0), valid since all risks here are >= 0. With an unregularized offset the slope
 * there must be exactly 0 before anything is called a bound. */
#ifndef RRM_CERTIFICATE_H
#define RRM_CERTIFICATE_H

#include "solvers/solver.h"

struct certificate {
    const struct problem *problem;
    double *slope;   /* s, of the risk's dimension; a caller may write it, with the constant */
    double constant; /* t */
    double bound;    /* the best lower bound so far */
};

/* 0, or -1 with the error set; to be freed in either case. */
int certificate_init(struct certificate *certificate, const struct problem *problem,
                     struct error *e);
void certificate_free(struct certificate *certificate);

/* Lists (s, t) and the bound. */
void certificate_visit(struct certificate *certificate, struct state *state);

/* (s, t) <- (1 - eta) (s, t) + eta (slope, constant), 0 <= eta <= 1. */
void certificate_mix(struct certificate *certificate, double eta, const double *slope,
                     double constant);

/* The bound of the present (s, t), -infinity when there is none; raises `bound`. */
double certificate_raise(struct certificate *certificate);

/* J(w), and in *bound a lower bound of min J from the linearization of R at w, shrunken towards the
 * zero plane where that is better. With an unregularized offset the dual variables of a scalar
 * risk are balanced first (dual_bound.h); other risks then have the bound 0. `gradient` is scratch memory for the
 * risk's dimension. One pass, two with an offset. Both are not-a-number, with the error set, when memory is
 * short. */
double certificate_evaluate(const struct problem *problem, const double *w, double *gradient,
                            double *bound, struct error *e);

#endif
