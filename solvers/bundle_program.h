/* bundle_program.h - the relaxed l2 problem over planes, with or without a proximal term.
 *
 *     minimize over w:  K/2 ||w||^2 - <W, w> + max(0, max_j <a_j, w> + b_j)
 *
 * K = lambda and W = 0 is the bundle method's J_t; K = lambda + mu and W = mu c adds mu/2 ||w - c||^2.
 * The dual is: minimize 1/2 ||A alpha||^2 - (K b + A'W)'alpha over alpha >= 0, sum alpha <= 1, with
 * w = (W - A alpha)/K. */
#ifndef RRM_BUNDLE_PROGRAM_H
#define RRM_BUNDLE_PROGRAM_H

#include "solvers/planes.h"

/* Solves for K = curvature and A'W = scale times the products that stand in the planes (not read for
 * scale 0), to the relative gap `tolerance` of the program's value. Slope receives A alpha, constant
 * b'alpha: a linearization that certifies a bound. 0, or -1 with the error set. */
int bundle_program_solve(struct planes *planes, double curvature, double scale, double tolerance,
                         double *slope, double *constant, struct error *e);

/* Drops the planes that had no weight in the last `limit` solutions. */
void bundle_program_drop(struct planes *planes, int limit);

#endif
