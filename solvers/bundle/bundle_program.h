/* bundle_program.h - the relaxed l2 problem over planes, with or without a proximal term.
 *
 *     minimize over w:  K/2 ||w||^2 - <W, w> + max(0, max_j <a_j, w> + b_j)
 *
 * K = lambda and W = 0 is the bundle method's J_t; K = lambda + mu and W = mu c adds mu/2 ||w -
 * c||^2. The dual is: minimize 1/2 ||A alpha||^2 - (K b + A'W)'alpha over alpha >= 0, sum alpha <=
 * 1, with w = (W - A alpha)/K. Whatever K and W, (A alpha, b'alpha) certifies a bound of min J. */
#ifndef RRM_BUNDLE_PROGRAM_H
#define RRM_BUNDLE_PROGRAM_H

#include "solvers/bundle/planes.h"
#include "solvers/certificate.h"

/* Solves the program with K = curvature and A'W = scale times the planes' `product` (which is not read for
 * scale 0). The certificate receives (A alpha, b'alpha), and its bound is raised. 0, or -1 with the error
 * set. */
int bundle_program_solve(struct planes *planes, double curvature, double scale,
                         struct certificate *certificate, struct error *e);

/* The minimizer w = (scale proximal_sum - A alpha)/curvature of the program solved last; n numbers each. */
void bundle_program_point(const struct planes *planes, const struct certificate *certificate,
                          double curvature, double scale, const double *proximal_sum, double *w);

#endif
