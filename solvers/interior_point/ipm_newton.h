/* ipm_newton.h - damped Newton, for smooth losses, and its steps, also for losses with a box, which are smoothed.
 *
 * Rows that a disk reads are read twice an iteration: the gradient of a point is the slope of its bound, and is
 * computed together with H. In memory, where H may cost many passes, the last H would be for nothing. */
#ifndef RRM_IPM_NEWTON_H
#define RRM_IPM_NEWTON_H

#include "solvers/interior_point/ipm_system.h"
#include "solvers/interior_point/smoothed_box.h"

struct newton {
    struct batch *batch;
    const struct scalar_terms *terms;
    bool joins; /* the bound comes with the next system */
    struct ipm_system system;
    struct smoothed_box smoothed; /* of a loss with a box */
    int choices;                  /* of its mu */
    double *w, *dw;               /* columns */
    double *slope;                /* columns + SUMS_SENT: of the bound, and sums */
    double *u, *curvature;        /* rows */
    double *du, *a;               /* rows, the same memory: a step ends with the new a */
    double *derivative;    /* rows: c l'(u); a without weights, if the bound needs no others */
    double linear, square; /* penalty's slope along dw: linear + step square */
    double decrement;      /* what a Newton step takes from J, times sum c */
    double objective, best_gap;
    double zero_objective;      /* J of w = 0, where the ridge was larger */
    double ridge;               /* of the problem; that of the system may be larger on the way */
    double curved;              /* rows with a second derivative above 0 */
    bool tried_far;             /* whether a larger ridge was */
    int64_t progress_iteration; /* the last progress */
    bool inexact;               /* the gap seemed closed, by rounding */
    bool failed;                /* an allocation, with the error E set */
    struct error *e;
};

/* Whether the bound comes with the next system: a window in which products take as long as other readings, one process,
 * and with an offset a loss of two classes, for which each step ends at the best offset. */
bool ipm_newton_joins(const struct scalar_terms *terms);

/* 0, or -1 with the error set, also by a later step; to be freed in either case. W is the first point. */
int newton_init(struct newton *newton, struct batch *batch, const double *w,
                const struct ipm_shape *shape, struct error *e);
void newton_free(struct newton *newton);

/* Offers the first point with its J, but no bound. One pass. With `joins` also the bound and the system, two passes. */
void newton_begin(struct newton *newton);

/* The same where the scores U of the first point are known (NULL: it is 0), without the bound, in one process. No pass.
 */
void newton_place(struct newton *newton, const double *u);

/* dw, with X dw and the penalty's slope along it, and in `slope` the gradient of the sum of c l; -1 if it is not
 * finite. Two passes, and those of a wide system; with `joins` one. */
int newton_direction(struct newton *newton);

/* A step that makes the slope small, starting at 1; 0 if J does not fall. Sets the decrement. No pass. */
double newton_search(struct newton *newton);

/* Takes the step, offers w with its J, and raises the bound by a = l'(u). The processes exchange the sums of all this,
 * and of the next system, once. One pass. */
void newton_advance(struct newton *newton, double step);

/* The same without the bound, in one process. No pass. */
void newton_move(struct newton *newton, double step);

/* Damped Newton, for losses with a second derivative. A run of more than MAX_ITERATIONS ends, *over,
 * before its gap is closed. */
int ipm_newton_train(struct batch *batch, const double *w, const struct ipm_shape *shape,
                     int64_t max_iterations, bool *over, struct error *e);

/* Bytes that it takes besides the matrices. */
double ipm_newton_bytes(const struct scalar_terms *terms);

#endif
