/* scores.h - a scalar risk as a function of the scores u = X w, for solvers that keep them:
 *
 *     R = sum_i c_i l(u_i, y_i) / sum_i c_i
 *
 * Sums go by the blocks of the design: the same result for any number of threads. */
#ifndef RRM_SCORES_H
#define RRM_SCORES_H

#include "risk/risk.h"

/* R at u + step du (rows each; du may be NULL), and in `push` (NULL: not wanted) c_i l'_i there; rows
 * without weight get 0. */
double scores_risk(const struct scalar_parts *parts, const double *u, const double *du, double step,
                   double *push);

/* How scores are looked at by a smoothed loss: l_mu at u_i + shift. */
struct smoothing {
    double mu;                /* 0: the loss itself */
    const double *each;       /* rows: mu each_i for row i; NULL: all are 1 */
    double shift;             /* such as an offset */
    const double *low, *high; /* rows: the domains of quadratic conjugates; NULL: slower without */
};

/* Fills both with the domains (rows each). */
void scores_domains(const struct scalar_parts *parts, double *low, double *high);

/* R_mu at u + shift, and in `push` (NULL: not wanted) c_i l_mu'_i there; rows without weight get 0. */
double scores_smooth_risk(const struct scalar_parts *parts, const double *u,
                          const struct smoothing *by, double *push);

/* d_i = c_i l''(u_i, y_i) / sum c, for a loss that has it. */
void scores_curvature(const struct scalar_parts *parts, const double *u, double *d);

/* sum_i c_i l''(u_i, y_i) du_i^2 / sum c, the second derivative of R along du. */
double scores_curvature_along(const struct scalar_parts *parts, const double *u, const double *du);

/* u += step du */
void scores_move(const struct scalar_parts *parts, double *u, double step, const double *du);

#endif
