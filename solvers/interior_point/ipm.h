/* ipm.h - the two methods behind -s ipm, and what they share: steps from systems with the matrix
 * H = X' diag(d) X + l2 I, and a diagonal of the 1-norm. */
#ifndef RRM_IPM_H
#define RRM_IPM_H

#include "matrix/gram.h"
#include "solvers/batch.h"

struct ipm_system {
    struct gram gram;
    double *diagonal; /* columns; behind them the room of the factor */
    double ridge;     /* l2 sum c, of J's l2/2 ||w||^2: the sums are in units of the weights */
};

int ipm_system_init(struct ipm_system *system, const struct batch *batch, struct error *e);
void ipm_system_free(struct ipm_system *system);

/* What a factor costs, in scattered products. */
double ipm_system_work(const struct ipm_system *system);

/* Factors H = X' diag(d) X + ridge I (0 for an offset) and gives g = X' c. One pass. With `terms`
 * above 0 d and c go on, behind the rows: H += diag(d), g += c there, over the first so many columns. -1
 * when d holds no numbers. */
int ipm_system_factor(struct ipm_system *system, const double *d, const double *c, int64_t terms,
                      double *g);

/* v <- H^-1 v; -1 when the result is no number. */
int ipm_system_solve(const struct ipm_system *system, double *v);

/* An iteration is over: reports, and returns whether to stop. Where the gap seems closed J is
 * evaluated anew at the best point, in a pass, without the rounding of many steps; *inexact says
 * that it was not closed. */
bool ipm_over(struct batch *batch, bool *inexact);

/* True when the gap is no more than the rounding of J. */
bool ipm_exhausted(const struct batch *batch);

/* Primal-dual predictor-corrector, for the piecewise-linear losses and Huber's (ipm_dual.c).
 * `dense`: a dense copy of the rows may be kept, where it pays. */
int ipm_dual_train(struct batch *batch, const double *w, bool dense, struct error *e);

/* Damped Newton, for losses with a second derivative (ipm_newton.c). */
int ipm_newton_train(struct batch *batch, const double *w, struct error *e);

/* Bytes that the two take beside the matrices. */
double ipm_dual_bytes(const struct scalar_parts *parts, bool dense);
double ipm_newton_bytes(const struct scalar_parts *parts);

#endif
