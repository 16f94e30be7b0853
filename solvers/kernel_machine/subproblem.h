/* subproblem.h - a subproblem of the dual program (canonical.h), with the operations that its solvers use:
 *
 *     minimize over z:  1/2 z'Qz + q'z   over  A z = b,  0 <= z_t <= C_t
 *
 * The struct holds its state: z, the multipliers eta, the gradient of the Lagrangian g = Qz + q + A'eta, and
 * the residual A z - b. Each operation that changes z or eta updates the other two. Q_tu = s_t s_u K(r_t, r_u)
 * with r_t = t mod rows: if both variables of each row are there (regression as one whole problem), the row of
 * K is there once. */
#ifndef RRM_SUBPROBLEM_H
#define RRM_SUBPROBLEM_H

#include "io/error.h"
#include "math/vector.h"
#include "solvers/kernel_machine/canonical.h"

struct subproblem {
    int64_t count, rows, functions;
    double *z, *gradient; /* count */
    double *sign, *upper, *diagonal;
    double *a; /* count x functions: A' */
    double *eta, *residual,
        *scale;    /* functions; `scale` is the unit of the residual: max C_t / sqrt(K) */
    double *shift; /* functions: scratch memory for steps of eta */

    /* row[k] = row index[k] of K, for at most SUBPROBLEM_MAX_ROWS distinct indices. The pointers are valid
     * until the next call. */
    int (*get)(void *opaque, const int64_t *index, int64_t count, const float **row,
               struct error *e);
    void *opaque;
    bool (*stop)(void *stop_opaque); /* polled now and then: true ends the solver */
    void *stop_opaque;
};

enum { SUBPROBLEM_MAX_ROWS = 64 };

/* For `count` variables. The caller then fills in z, gradient, sign, upper, diagonal, a, eta, residual, scale,
 * rows, get and stop. 0, or -1 with the error set; to be freed in either case. */
int subproblem_init(struct subproblem *s, int64_t count, int64_t functions, struct error *e);
void subproblem_free(struct subproblem *s);

static inline double subproblem_violation(const struct subproblem *s, int64_t t) {
    return violation(s->z[t], s->upper[t], s->gradient[t]);
}

static inline bool subproblem_is_free(const struct subproblem *s, int64_t t) {
    return s->z[t] > 0 && s->z[t] < s->upper[t];
}

/* The mean of Q_tt; 1 if all are 0. */
double subproblem_mean_diagonal(const struct subproblem *s);

/* The largest violation. */
double subproblem_max_violation(const struct subproblem *s);

/* The largest |A z - b|_j / scale_j. */
double subproblem_imbalance(const struct subproblem *s);

/* z_t += step, with the residual and the gradient; ROW is K(r_t, .). */
void subproblem_move(struct subproblem *s, int64_t t, double step, const float *row);

/* Its two halves: z and the residual; the gradient. */
void subproblem_move_variable(struct subproblem *s, int64_t t, double step);
void subproblem_update_gradient(struct subproblem *s, int64_t t, double step, const float *row);

/* eta += shift, with the gradient. */
void subproblem_shift_multipliers(struct subproblem *s, const double *shift);

#endif
