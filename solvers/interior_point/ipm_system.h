/* ipm_system.h - the Newton systems of both methods, H = X' diag(d) X + ridge I, and how an iteration ends. */
#ifndef RRM_IPM_SYSTEM_H
#define RRM_IPM_SYSTEM_H

#include "matrix/gram.h"
#include "solvers/batch.h"
#include "solvers/interior_point/ipm_wide.h"

/* What is factored. */
struct ipm_shape {
    bool wide; /* matrices of rows x rows (ipm_wide.h) */
    bool both; /* if rounding spoils these, there is memory for H itself */
};
extern const struct ipm_shape ipm_whole; /* H itself */

struct ipm_system {
    struct gram gram;      /* of a wide system its sizes alone */
    struct ipm_wide *wide; /* NULL: H itself is factored */
    struct ipm_shape shape;
    struct kept *kept; /* the problem's: takes the kernel of a wide system */
    bool left_wide;    /* rounding has spoilt a wide system */
    double *diagonal;  /* columns; behind it scratch memory of the factorization */
    double *gradient;  /* columns: g, if it is there already */
    bool summed;       /* H and g are there already (ipm_system_sum, ipm_system_form) */
    double ridge;      /* l2 sum c: the penalty l2/2 ||w||^2 in the units of the sums */
    double pivot;      /* sum c: of an offset where no loss is curved, in place of 0 */
};

/* 0, or -1 with the error set; to be freed in either case. Of a wide system ipm_system_form and ipm_system_multiply
 * cannot be called. */
int ipm_system_init(struct ipm_system *system, const struct batch *batch,
                    const struct ipm_shape *shape, struct error *e);

void ipm_system_free(struct ipm_system *system);

/* The cost of a factorization, in scattered products. */
double ipm_system_work(const struct ipm_system *system);

/* The COUNT numbers MORE, at most columns + GRAM_MORE, become their sums over the processes. Over several processes H
 * and g of the next ipm_system_factor are computed and summed in the same exchange; in one nothing is done. */
void ipm_system_sum(struct ipm_system *system, const double *d, const double *c, double *more,
                    int64_t count);

/* Computes H and g of the next ipm_system_factor in one pass, where g is of use before it, in `gradient`. False if it
 * was stopped: then they are not there. In one process. */
bool ipm_system_form(struct ipm_system *system, const double *d, const double *c);

/* Computes and factors H = X' diag(d) X + ridge I (ridge 0 for an offset) and computes g = X' c, in one pass.
 * With `terms` > 0, d and c have so many entries more, behind those of the rows, for unit vectors: H += diag(d)
 * and g += c there. -1 if d has values that are not finite. */
int ipm_system_factor(struct ipm_system *system, const double *d, const double *c, int64_t terms,
                      double *g);

/* Of a wide system, which reads the rows: passes that a solution takes at least, and that the last factor or solution
 * took. Else 0. */
int ipm_system_least_passes(const struct ipm_system *system);
int64_t ipm_system_passes(const struct ipm_system *system);

/* Whether rounding has made the last solution of a wide system useless. */
bool ipm_system_is_lost(const struct ipm_system *system);

/* Leaves a wide system: H itself is factored from here on. As ipm_system_init. */
int ipm_system_leave_wide(struct ipm_system *system, const struct batch *batch, struct error *e);

/* v <- H^-1 v; -1 if the result is not finite. A wide system takes at most so many passes. */
int ipm_system_solve(const struct ipm_system *system, double *v, double passes);

/* out = X' diag(d) X v, of the last factor. */
void ipm_system_multiply(const struct ipm_system *system, const double *v, double *out);

/* Reports the end of an iteration; returns whether to stop. If the gap seems closed, J is recomputed at the
 * best point, in a pass, without the rounding of many steps; *inexact says that the gap is then not closed. */
bool ipm_end_iteration(struct batch *batch, bool *inexact);

/* True if the gap is within the rounding of J. */
bool ipm_gap_is_rounding(const struct batch *batch);

#endif
