/* simplex_qp.h - convex quadratic programs over products of simplices, solved again and again.
 *
 *     minimize  q(a) = 1/2 a'Ha - f'a   over a >= 0,
 *     for each block k: the sum of a_j, j in k, is <= cap_k (or = cap_k, a setting),
 *     optionally o'a = 0,
 *
 * the duals of bundle and cutting-plane subproblems. H is symmetric and positive semidefinite up to
 * rounding; it may be singular and as ill-conditioned as it likes. A primal active-set method after
 * Wolfe 1976, "Finding the nearest point in a polytope", Mathematical Programming 11, and Frangioni
 * 1996, "Solving semidefinite quadratic problems within nonsmooth optimization algorithms",
 * Computers & Operations Research 23.
 *
 * Variables live in numbered slots that the caller chooses. A solve starts from the weights that the
 * last one left; a change of the support of s variables costs O(s^2) and, for those among t variables
 * that enter, O(t s). What double precision cannot decide is computed in double-double arithmetic. */
#ifndef RRM_SIMPLEX_QP_H
#define RRM_SIMPLEX_QP_H

#include "io/error.h"
#include "math/wide.h"

#include <stdbool.h>

struct simplex_qp;

struct simplex_qp_settings {
    int blocks;  /* at least 1 */
    bool equal;  /* sums = cap rather than <= cap */
    bool offset; /* the constraint o'a = 0 is there */

    /* Row `slot` of H, by slot; entries of empty slots are not read. H must be exactly symmetric. It
     * is asked for rows of the support and of entering variables only, and a row need be valid only
     * until the next call. NULL: failure, with the error set. */
    const double *(*row)(void *matrix, int slot, struct error *e);
    void *matrix;

    /* Asked now and then: true ends a solve early, with the weights and the gap that it has. NULL:
     * never. */
    bool (*stop)(void *matrix);
};

/* A program without variables; NULL with the error set when memory is short. */
struct simplex_qp *simplex_qp_new(const struct simplex_qp_settings *settings, struct error *e);

/* Returns NULL. */
struct simplex_qp *simplex_qp_free(struct simplex_qp *qp);

/* A variable of weight 0 in an empty slot, in block 0 <= block < blocks, with its coefficient in the
 * offset constraint (0 without one). 0, or -1 with the error set and nothing changed. */
int simplex_qp_add(struct simplex_qp *qp, int slot, int block, double o, struct error *e);

/* Empties a slot that is taken. If its weight was positive, the next solve makes the rest feasible. */
void simplex_qp_drop(struct simplex_qp *qp, int slot);

struct simplex_qp_result {
    double objective; /* q at the weights */
    double gap;       /* q is at most this much above its minimum: an upper bound, always */
    int changes;      /* variables that entered or left the support, slacks included */
    bool reached; /* gap <= tolerance |objective|, or no more than what rounding in double-double
                         makes of the largest numbers: 2^-100 (sum cap)^2 max |H|, say */
};

/* Solves for f (by slot) and cap > 0 (by block), which may be others than the last time. When
 * rounding forbids the tolerance, the result is the best that was found, with its gap. 0, or -1 with
 * the error set: row failed, memory is short, numbers are not finite, or no point is feasible. */
int simplex_qp_solve(struct simplex_qp *qp, const double *f, const double *cap, double tolerance,
                     struct simplex_qp_result *result, struct error *e);

/* The weight of a slot, 0 for an empty one: rounded, and as it is. Objective, gap and feasibility, to
 * about 1e-28, are those of the latter. */
double simplex_qp_weight(const struct simplex_qp *qp, int slot);
struct wide simplex_qp_weight_wide(const struct simplex_qp *qp, int slot);

/* The slots of positive weight, in no order: their number; slot[] has room for every variable. */
int simplex_qp_support(const struct simplex_qp *qp, int *slot);

/* The multipliers at the last solution: Ha - f = level of the block + offset o on the support, and
 * >= that elsewhere, up to the gap. The level of a block that is not full is 0. */
double simplex_qp_level(const struct simplex_qp *qp, int block);
struct wide simplex_qp_offset(const struct simplex_qp *qp);

#endif
