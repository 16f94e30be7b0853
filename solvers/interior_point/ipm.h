/* ipm.h - the solver ipm: two second-order methods for few features and the Newton systems that they share.
 *
 * The family's files: ipm.c chooses the method and checks the memory; ipm_dual.c is the primal-dual
 * interior-point method, its variables are in ipm_rows.h, its arithmetic in ipm_kernels.h, dense rows in
 * ipm_dense.h; ipm_newton.c is damped Newton; ipm_near.c begins near the solution of another lambda, with
 * the losses of smoothed_box.h; ipm_system.c forms and factors H = X' diag(d) X + l2 I (with a
 * diagonal for the 1-norm), by matrix/gram.h and math/matrices/cholesky.h. Both methods offer points and lower bounds
 * to a batch (solvers/batch.h). */
#ifndef RRM_IPM_H
#define RRM_IPM_H

#include "matrix/gram.h"
#include "solvers/batch.h"

enum { IPM_MAX_CORRECTORS = 6 };

struct ipm_system {
    struct gram gram;
    double *diagonal; /* columns; behind it scratch memory of the factorization */
    double *gradient; /* columns: g, if it is there already */
    bool summed;      /* H and g are there already (ipm_system_sum) */
    double ridge;     /* l2 sum c: the penalty l2/2 ||w||^2 in the units of the sums */
};

int ipm_system_init(struct ipm_system *system, const struct batch *batch, struct error *e);
void ipm_system_free(struct ipm_system *system);

/* The cost of a factorization, in scattered products. */
double ipm_system_work(const struct ipm_system *system);

/* The COUNT numbers MORE, at most columns + GRAM_MORE, become their sums over the processes. Over several processes H
 * and g of the next ipm_system_factor are computed and summed in the same exchange; in one nothing is done. */
void ipm_system_sum(struct ipm_system *system, const double *d, const double *c, double *more,
                    int64_t count);

/* Computes and factors H = X' diag(d) X + ridge I (ridge 0 for an offset) and computes g = X' c, in one pass.
 * With `terms` > 0, d and c have so many entries more, behind those of the rows, for unit vectors: H += diag(d)
 * and g += c there. -1 if d has values that are not finite. */
int ipm_system_factor(struct ipm_system *system, const double *d, const double *c, int64_t terms,
                      double *g);

/* v <- H^-1 v; -1 if the result is not finite. */
int ipm_system_solve(const struct ipm_system *system, double *v);

/* Reports the end of an iteration; returns whether to stop. If the gap seems closed, J is recomputed at the
 * best point, in a pass, without the rounding of many steps; *inexact says that the gap is then not closed. */
bool ipm_end_iteration(struct batch *batch, bool *inexact);

/* True if the gap is within the rounding of J. */
bool ipm_gap_is_rounding(const struct batch *batch);

struct ipm_way {
    bool dense;     /* a dense copy of the rows is allowed */
    int correctors; /* centrality correctors of an iteration, at most */
};

/* Primal-dual predictor-corrector method, for piecewise-linear losses and Huber's (ipm_dual.c). W is offered; NULL: it
 * was. */
int ipm_dual_train(struct batch *batch, const double *w, const struct ipm_way *way,
                   struct error *e);

/* Damped Newton, for losses with a second derivative (ipm_newton.c). */
int ipm_newton_train(struct batch *batch, const double *w, struct error *e);

/* A run along a path (ipm_near.c). */
struct ipm_near {
    bool offered; /* the start, whose J is known */
    bool begins;  /* near the solution of another lambda */
    bool fails;   /* it did not get from there to the gap, nor to a limit */
    double mu;    /* of smoothed losses */
};

/* How a run begins after what the one before left: W, its start, may be moved along the path. */
struct ipm_near ipm_near_begin(struct batch *batch, double *w);

/* Newton steps on the smoothed loss, for losses with a box. */
int ipm_near_train(struct batch *batch, const double *w, struct ipm_near *near, struct error *e);

/* Leaves the solution for the next run. */
int ipm_near_keep(const struct batch *batch, const struct ipm_near *near, struct error *e);

/* Bytes that the two methods take besides the matrices. */
double ipm_dual_bytes(const struct scalar_terms *terms, bool dense);
double ipm_newton_bytes(const struct scalar_terms *terms);

#endif
