/* constraint.h - regularizers that are the indicator of a set, 0 there and infinite elsewhere: the
 * simplex and balls. There is no lambda.
 *
 *                Omega(w) = 0 where             conjugate of a slope s: max of -<s,w>    at
 *   simplex      w >= 0, sum w = 1              -min s_j                             vertices
 *   l1 ball      ||w||_1 <= Z                   Z max |s_j|                          a vertex
 *   elastic-net  rho/2 ||w||^2                  math/projections/ball.h                          soft, scaled
 *     ball         + (1 - rho) ||w||_1 <= Z
 *
 * The conjugates are positively homogeneous, so the best shrunken linearization (regularizer.h, `bound`) has
 * theta = 1 or theta = 0. Reference: Zhang, Saha & Vishwanathan 2010, examples 5 and 6. */
#ifndef RRM_CONSTRAINT_H
#define RRM_CONSTRAINT_H

#include "risk/regularizer_parameters.h"

#include <stdint.h>

/* The functions of struct regularizer. */
double simplex_value(const double *w, int64_t n, const struct regularizer_parameters *p);
double simplex_conjugate(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p);
void simplex_minimizer(const double *s, int64_t n, double lambda,
                       const struct regularizer_parameters *p, double *w);
double simplex_bound(const double *s, double t, int64_t n, double lambda,
                     const struct regularizer_parameters *p);

struct ball l1_ball(const struct regularizer_parameters *p);
double l1_ball_value(const double *w, int64_t n, const struct regularizer_parameters *p);
double l1_ball_conjugate(const double *s, int64_t n, double lambda,
                         const struct regularizer_parameters *p);
void l1_ball_minimizer(const double *s, int64_t n, double lambda,
                       const struct regularizer_parameters *p, double *w);
double l1_ball_bound(const double *s, double t, int64_t n, double lambda,
                     const struct regularizer_parameters *p);

struct ball elastic_ball(const struct regularizer_parameters *p);
double elastic_ball_value(const double *w, int64_t n, const struct regularizer_parameters *p);
double elastic_ball_conjugate(const double *s, int64_t n, double lambda,
                              const struct regularizer_parameters *p);
void elastic_ball_minimizer(const double *s, int64_t n, double lambda,
                            const struct regularizer_parameters *p, double *w);
double elastic_ball_bound(const double *s, double t, int64_t n, double lambda,
                          const struct regularizer_parameters *p);

#endif
