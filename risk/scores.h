/* scores.h - a scalar risk as a function of the scores u = X w, for solvers that store the scores:
 *
 *     R = sum_i c_i l(u_i, y_i) / sum_i c_i
 *
 * Sums are taken over the blocks of the design: the same result for any number of threads. They are those of all
 * processes (io/communicator.h), each with the scores of its own rows. */
#ifndef RRM_SCORES_H
#define RRM_SCORES_H

#include "risk/risk.h"

/* Returns R at u + step du (rows each; du may be NULL). Writes c_i l'_i, 0 for rows of weight 0, to DERIVATIVE
 * unless it is NULL. */
double scores_risk(const struct scalar_terms *terms, const double *u, const double *du, double step,
                   double *derivative);

/* The arguments of a smoothed loss: l_mu at u_i + shift. */
struct smoothing {
    double mu;                /* 0: the loss itself */
    const double *each;       /* rows: mu each_i for row i; NULL: all are 1 */
    double shift;             /* such as an offset */
    const double *low, *high; /* rows: the domains of quadratic conjugates; NULL: slower without */
};

/* Fills both with the domains (rows each). */
void scores_domains(const struct scalar_terms *terms, double *low, double *high);

/* Returns R_mu at u + shift. Writes c_i l_mu'_i, 0 for rows of weight 0, to DERIVATIVE unless it is NULL. */
double scores_smooth_risk(const struct scalar_terms *terms, const double *u,
                          const struct smoothing *by, double *derivative);

/* d_i = c_i l''(u_i, y_i) / sum c, for a loss with second derivatives. */
void scores_curvature(const struct scalar_terms *terms, const double *u, double *d);

/* sum_i c_i l''(u_i, y_i) du_i^2 / sum c, the second derivative of R along du. */
double scores_curvature_along(const struct scalar_terms *terms, const double *u, const double *du);

/* u += step du */
void scores_move(const struct scalar_terms *terms, double *u, double step, const double *du);

#endif
