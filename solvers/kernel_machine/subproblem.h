/* subproblem.h - the canonical program over some of its variables, and the steps that its solvers are made
 * of.
 *
 *     minimize over z:  1/2 z'Qz + q'z   over  A z = b,  0 <= z_t <= C_t
 *
 * It is kept by its state: z, the multipliers eta, the slope of the Lagrangian g = Qz + q + A'eta and the
 * residual A z - b, which every step brings up to date. Q_tu = s_t s_u K(r_t, r_u), r_t = t mod rows: with
 * both variables of a row (regression, the whole problem) the kernel's row is there once. */
#ifndef RRM_SUBPROBLEM_H
#define RRM_SUBPROBLEM_H

#include "io/error.h"
#include "math/vector.h"
#include "solvers/kernel_machine/canonical.h"

struct subproblem {
    int64_t count, rows, functions;
    double *z, *gradient; /* count */
    double *sign, *upper, *diagonal;
    double *a;                      /* count x functions: A' */
    double *eta, *residual, *scale; /* functions; `scale`: of the residual, max C max |psi_j| */
    double *shift;                  /* functions: room */

    /* The rows of K that are numbered in `index`, at most 64, distinct, into row[]: valid until the next call. */
    int (*get)(void *opaque, const int64_t *index, int64_t count, const float **row,
               struct error *e);
    void *opaque;
    bool (*stop)(void *stopper); /* asked now and then */
    void *stopper;
};

enum { SUBPROBLEM_ROWS_MOST = 64 };

/* For `count` variables; what stands in them is to be filled in: z, gradient, sign, upper, diagonal, a, eta,
 * residual, scale, get.
 * rows, stop. 0, or -1 with the error set; to be freed in either case. */
int subproblem_init(struct subproblem *s, int64_t count, int64_t functions, struct error *e);
void subproblem_free(struct subproblem *s);

static inline double subproblem_violation(const struct subproblem *s, int64_t t) {
    return violation(s->z[t], s->upper[t], s->gradient[t]);
}

static inline bool subproblem_inside(const struct subproblem *s, int64_t t) {
    return s->z[t] > 0 && s->z[t] < s->upper[t];
}

/* The mean of Q_tt; 1 where all are 0. */
double subproblem_mean(const struct subproblem *s);

/* The largest violation. */
double subproblem_worst(const struct subproblem *s);

/* The largest |A z - b|_j / scale_j. */
double subproblem_imbalance(const struct subproblem *s);

/* z_t += step; ROW is K(r_t, .). The slope and the residual follow. */
void subproblem_move(struct subproblem *s, int64_t t, double step, const float *row);

/* Its halves: z and the residual; the slope. */
void subproblem_set(struct subproblem *s, int64_t t, double step);
void subproblem_slope(struct subproblem *s, int64_t t, double step, const float *row);

/* eta += shift; the slope follows. */
void subproblem_shift(struct subproblem *s, const double *shift);

#endif
