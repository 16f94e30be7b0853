/* simplex_qp_parts.h - the private header of the files of simplex_qp.h.
 *
 * Variables: first a slack for each block (none if the sums are fixed), whose row of H is zero, then the slots. So
 * every block's sum is an equality. The support consists of one reference variable for each block and of the
 * members, in the order of the Cholesky factor. A step changes the members and subtracts the change of each member
 * from the reference of its block: so it keeps all sums. With Z the matrix of these directions, e_member -
 * e_reference,
 *
 *     M = Z'(H + sigma oo')Z = L L'
 *
 * is the reduced Hessian; a step keeps o'a = 0 if c'step = 0, c = Z'o. M is positive definite if the support is
 * affinely independent. */
#ifndef RRM_SIMPLEX_QP_PARTS_H
#define RRM_SIMPLEX_QP_PARTS_H

#include "math/matrices/cholesky_set.h"
#include "math/matrices/cholesky_wide.h"
#include "math/simplex_qp/simplex_qp.h"

#include <stdint.h>

/* A pivot below this fraction of the diagonal may be rounding alone, in double precision. */
static const double QP_MIN_PIVOT = 1e-10;

/* The same in double-double. */
static const double QP_MIN_WIDE_PIVOT = 1e-27;

/* A weight up to this fraction of its block's cap counts as 0. */
static const double QP_ZERO_WEIGHT = 1e-30;

enum { POSITION_EMPTY = -3, POSITION_OUTSIDE = -2, POSITION_REFERENCE = -1 }; /* >= 0: a member */

struct simplex_qp {
    struct simplex_qp_settings settings;
    int slacks;

    /* By variable. */
    int capacity;
    int *block, *position; /* position: index in `member`, or POSITION_... */
    double *o;
    struct wide *weight, *gradient, *change, *product;
    double *row_max; /* of the support: the largest magnitude in its row of H; -1: not known */
    double *ha;
    int *banned;       /* the round in which it may not enter */
    int *list, *range; /* scratch: variables; begin and end of each range of occupied slots */
    int *present;      /* variables of occupied slots, the last `added` new since the last solve */
    int count, added, ranges;

    /* By block. */
    int *reference; /* -1: none */
    int *candidate;
    int *entered; /* variables that entered in this round: entered_count */
    int entered_count;
    struct wide *min_cost;
    double *scratch;

    /* By member. */
    int size;
    int *member;
    struct wide *reduced; /* Z'(Ha - f) */
    struct wide *step, *inverse_normal,
        *m;        /* inverse_normal: M^-1 c; m: a row of M, or L^-1 of it */
    double *plain; /* scratch for the double precision factor */

    struct cholesky_set factor;
    struct cholesky_wide wide_factor; /* of the first wide_factor.size members */
    bool stale;                       /* `factor` must be rebuilt */
    double sigma;

    /* The current solve. */
    const double *f, *cap;
    double tolerance, cap_sum, largest_f, largest_o;
    double largest_h; /* magnitude in the rows of the support, so far */
    /* qp->gradient (on the support) and qp->reduced belong to the current weights */
    bool gradient_valid;
    bool wide_gradients;   /* computes gradients in double-double */
    bool wide_factor_used; /* computes the factor in double-double, too */
    double magnitude;      /* of the sum of a gradient's terms */
    double gradient_error; /* estimated rounding error of a gradient in double precision */
    double gap_error;      /* estimated rounding error of the gap */
    double gap_target;     /* the solve ends when the gap is below */
    struct wide objective;
    /* the multiplier of o'a = 0: gradient - eta o is constant in each block of the support */
    struct wide eta;
    int partner; /* if the support leaves eta free: variable that must enter together with the candidate; -1: none */
    double gap;
    int round, changes;
};

/* ---- simplex_qp.c */

/* Enlarges the arrays to CAPACITY variables, the new ones empty. */
int qp_grow(struct simplex_qp *qp, int capacity, struct error *e);

/* ---- simplex_qp_support.c: the support and the factor */

/* Sets *row to the row of H of a variable, NULL for a slack; 0, or -1 with the error set. */
int qp_row(struct simplex_qp *qp, int variable, const double **row, struct error *e);

static inline double qp_entry(const struct simplex_qp *qp, const double *row, int variable) {
    return row == NULL || variable < qp->slacks ? 0 : row[variable - qp->slacks];
}

static inline double qp_f(const struct simplex_qp *qp, int variable) {
    return variable < qp->slacks ? 0 : qp->f[variable - qp->slacks];
}

/* The entry of c = Z'o of a variable, exactly. */
static inline struct wide qp_normal(const struct simplex_qp *qp, int variable) {
    return wide_sum(qp->o[variable], -qp->o[qp->reference[qp->block[variable]]]);
}

/* Whether o'a = 0 restricts steps on the support: c != 0. */
bool qp_restricted(const struct simplex_qp *qp);

/* Writes the support to qp->list and returns its size. */
int qp_list_support(struct simplex_qp *qp);

/* out = H x in double-double, for the variables qp->list[first .. count - 1]. x is zero outside of the list. */
int qp_multiply(struct simplex_qp *qp, const struct wide *x, int count, int first, struct wide *out,
                struct error *e);

/* x = M^-1 x, by the double or the double-double factor. */
void qp_factor_solve(const struct simplex_qp *qp, struct wide *x);

/* m = the entries of M of a variable with the first n members, *diagonal that with itself. */
int qp_differences(struct simplex_qp *qp, int variable, int n, struct wide *m,
                   struct wide *diagonal, struct error *e);

/* Appends a member to the support and to the factor. qp->m: L^-1 times its row of M. */
void qp_append(struct simplex_qp *qp, int variable, struct wide pivot);

/* Removes a variable from the support; its weight, about 0, is added to the block's reference. A reference may
 * leave only if the block has members: one of them becomes the reference. */
void qp_leave(struct simplex_qp *qp, int variable);

/* Removes all variables of weight 0 from the support; with `falling`, only those that fall along qp->change. */
void qp_drop_zeros(struct simplex_qp *qp, bool falling);

/* Computes the factor anew: in double precision or, if a pivot is too small, in double-double. */
int qp_rebuild(struct simplex_qp *qp, struct error *e);

/* Changes to the factor in double-double for the rest of the solve, or extends it to all members. */
int qp_use_wide_factor(struct simplex_qp *qp, struct error *e);

/* ---- simplex_qp_solve.c */

/* Sets the error of an overflow; returns -1. */
int qp_overflow(struct error *e);

/* ---- simplex_qp_join.c */

enum qp_joined { QP_FAILED = -1, QP_JOINED, QP_MOVED, QP_REFUSED };

/* Adds a variable, of any weight, to the support. If its column of H depends linearly on those of the support, the
 * weights first move along the null direction until one of them is 0 (perhaps the variable's): QP_MOVED.
 * QP_REFUSED: such a move would not decrease q; or it is needed, and `simple` forbids it. */
enum qp_joined qp_join(struct simplex_qp *qp, int variable, bool simple, struct error *e);

/* ---- simplex_qp_descend.c */

/* Writes the support to qp->list and the change of its weights under qp->step to qp->change. Returns the size. */
int qp_list_changes(struct simplex_qp *qp);

/* Subtracts from qp->step, of a restricted support, the multiple of M^-1 c that makes c'step + residual = 0.
 * Returns its factor. */
struct wide qp_project(struct simplex_qp *qp, struct wide residual);

/* The largest step length along qp->change with weights >= 0, over the first `count` of qp->list. *limit: the
 * variable that becomes 0 there; -1: the length is infinite. */
struct wide qp_max_step(const struct simplex_qp *qp, int count, int *limit);

/* weight += length change */
void qp_move(struct simplex_qp *qp, int count, struct wide length);

/* Computes qp->gradient (on the support), qp->reduced and the objective from the weights. */
int qp_update_gradient(struct simplex_qp *qp, struct error *e);

/* Moves the weights to the minimizer over the support. Variables that become 0 leave the support. */
int qp_descend(struct simplex_qp *qp, struct error *e);

/* ---- simplex_qp_bound.c */

/* Computes the gradient of all variables, the multipliers, min_cost, candidate and gap. */
int qp_evaluate(struct simplex_qp *qp, struct error *e);

/* gradient - eta o */
struct wide qp_cost(const struct simplex_qp *qp, int variable);

/* Sets qp->gradient_error and qp->gap_error for the current weights. */
int qp_bound_errors(struct simplex_qp *qp, struct error *e);

/* Sets qp->objective and, from it, qp->gap_target. */
void qp_set_objective(struct simplex_qp *qp, struct wide objective);

/* ---- simplex_qp_start.c */

/* Begins a solve: makes the weights feasible for the current cap and variables. */
int qp_start(struct simplex_qp *qp, struct error *e);

#endif
