/* smo_multiple.h - the best multiple of an approximate solution.
 *
 * A violation v of the conditions of the optimum leaves a loss of about v/2 to free variables. Where lambda is
 * small, this is most of J, and only a violation of about lambda would end it. The weights times 1 + v/2 have no such
 * loss, and a J that exceeds the minimum by a part of about v.
 */
#ifndef RRM_SMO_MULTIPLE_H
#define RRM_SMO_MULTIPLE_H

#include "solvers/kernel_machine/canonical.h"

/* The factor between 1/2 and 2 whose multiple of theta and beta has the least J; without a learned margin. f = K theta,
 * h = f + Psi beta. *objective = that J, if it is less; else the factor is 1, and *objective stays. */
double smo_multiple(const struct canonical *c, const double *theta, const double *f,
                    const double *h, double *objective);

#endif
