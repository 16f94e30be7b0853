/* bundle_newton.h - the relaxed problem over planes for regularizers whose dual is no quadratic
 * program (the elastic net and the entropy), by Newton's method.
 *
 *     maximize  D(alpha) = b'alpha - lambda Omega*(-A alpha/lambda)   over alpha >= 0, sum <= 1 */
#ifndef RRM_BUNDLE_NEWTON_H
#define RRM_BUNDLE_NEWTON_H

#include "solvers/bundle/planes.h"
#include "solvers/certificate.h"

struct bundle_newton {
    const struct problem *problem;
    struct planes *planes;
    double *slope;  /* n: A alpha of the program's solution */
    double *metric; /* n: the diagonal of lambda times the Hessian of lambda Omega*(-s/lambda) */
    double *work;   /* n: a point on the line between two slopes, and its w */
};

/* The planes outlive it. 0, or -1 with the error set; to be freed in either case. */
int bundle_newton_init(struct bundle_newton *newton, const struct problem *problem,
                       struct planes *planes, struct error *e);
void bundle_newton_free(struct bundle_newton *newton);

/* Moves the certificate (s, t) = (A alpha, b'alpha) to within `gap` of the maximum of D, or as close as
 * rounding and the limit of steps allow. w receives the minimizer of <s,w> + lambda Omega(w). 0, or -1 with
 * the error set. */
int bundle_newton_solve(struct bundle_newton *newton, struct certificate *certificate, double gap,
                        double *w, struct error *e);

#endif
