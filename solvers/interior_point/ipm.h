/* ipm.h - the solver ipm: two second-order methods for few features.
 *
 * The family's files: ipm.c chooses the method and checks the memory; ipm_dual.c is the primal-dual interior-point
 * method, its variables are in ipm_rows.h, its arithmetic in ipm_kernels.h, dense rows in ipm_dense.h; ipm_newton.c
 * is damped Newton; ipm_squared.c has paths of the squared loss, ipm_curve.c those of other losses;
 * ipm_near.c begins near the solution of another lambda, with the losses of smoothed_box.h; ipm_system.h forms and
 * factors H = X' diag(d) X + l2 I (with a diagonal for the 1-norm), by matrix/gram.h and math/matrices/cholesky.h, or
 * on few rows a matrix of rows x rows, by ipm_wide.h. Both methods offer points and lower bounds to a batch
 * (solvers/batch.h). */
#ifndef RRM_IPM_H
#define RRM_IPM_H

#include "solvers/interior_point/ipm_system.h"

enum { IPM_MAX_CORRECTORS = 6 };

struct ipm_way {
    double limit;   /* of infinite boxes */
    bool dense;     /* a dense copy of the rows is allowed */
    int correctors; /* centrality correctors of an iteration, at most */
    struct ipm_shape shape;
};

/* Whether so many rows and columns get systems of rows x rows, if all are in the memory of one process
 * (ipm_wide.h). */
bool ipm_shape_is_wide(int64_t rows, int64_t columns);

/* Whether the problem is one that ipm_train takes: single scores, and a loss and a regularizer of the solver. */
bool ipm_takes(const struct problem *problem);

/* Bytes that ipm_train allocates for it. */
double ipm_bytes(const struct problem *problem);

/* Trains as struct solver says, with the solver's default options, whatever those of SOLVE. */
int ipm_train(const struct solve *solve, struct error *e);

/* Primal-dual predictor-corrector method, for piecewise-linear losses, Huber's, and those whose second derivative jumps
 * (ipm_dual.c). W is offered; NULL: it was. */
int ipm_dual_train(struct batch *batch, const double *w, const struct ipm_way *way,
                   struct error *e);

/* A run along a path (ipm_near.c). */
struct ipm_near {
    bool offered; /* the start, whose J is known */
    bool begins;  /* near the solution of another lambda */
    bool fails;   /* it did not get from there to the gap, nor to a limit */
    double mu;    /* of smoothed losses */
};

/* Decides how a run starts from the last solution; W, its start, may be moved along the path. */
struct ipm_near ipm_near_begin(struct batch *batch, double *w);

/* Newton steps on the smoothed loss, for losses with a box. */
int ipm_near_train(struct batch *batch, const double *w, struct ipm_near *near, struct error *e);

/* Leaves the solution for the next run. */
int ipm_near_keep(const struct batch *batch, const struct ipm_near *near, struct error *e);
extern const struct kept_kind ipm_near_kept;

/* Runs along a path for the squared loss, in one process (ipm_squared.c). The verdict is
 * VERDICT_GO_ON where Newton's method is to go on from the best point. */
bool ipm_squared_takes(const struct problem *problem);
int ipm_squared_train(struct batch *batch, struct error *e);
extern const struct kept_kind ipm_squared_kept;

/* Runs along a path for other losses, without an offset (ipm_curve.c). The verdict is
 * VERDICT_GO_ON where another method is to go on from the best point. */
bool ipm_curve_takes(const struct problem *problem);
int ipm_curve_train(struct batch *batch, const double *start, struct error *e);
extern const struct kept_kind ipm_curve_kept;

/* Bytes that the primal-dual method takes besides the matrices. */
double ipm_dual_bytes(const struct scalar_terms *terms, bool dense);

#endif
