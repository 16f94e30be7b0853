/* simplex_qp.h - convex quadratic programs over products of simplices, for sequences of similar programs (warm
 * starts).
 *
 *     minimize  q(a) = 1/2 a'Ha - f'a   over a >= 0,
 *     for each block k: the sum of a_j, j in k, is <= cap_k (or = cap_k, a setting),
 *     optionally o'a = 0,
 *
 * the duals of bundle and cutting-plane subproblems. H is symmetric and positive semidefinite up to
 * rounding; it may be singular and of any condition number. A primal active-set method after
 * Wolfe 1976, "Finding the nearest point in a polytope", Mathematical Programming 11, and Frangioni
 * 1996, "Solving semidefinite quadratic problems within nonsmooth optimization algorithms",
 * Computers & Operations Research 23.
 *
 * The caller numbers the variables: a variable is stored in a "slot", an index of f and of H's rows. A solve starts
 * from the weights a of the last solve. If the support has s of t variables, a variable that leaves or enters it
 * costs O(s^2), and entering O(t s) for the gradient. Where double precision does not suffice, the solver computes
 * in double-double arithmetic.
 *
 * Files: simplex_qp.c (slots and memory), simplex_qp_solve.c (the main loop), simplex_qp_start.c (feasible start),
 * simplex_qp_descend.c (minimizer over the support), simplex_qp_bound.c (gradients and the duality gap),
 * simplex_qp_join.c (a variable enters the support), simplex_qp_support.c (the support and its Cholesky factor),
 * simplex_qp_visit.c (what lasts from one solve to the next). */
#ifndef RRM_SIMPLEX_QP_H
#define RRM_SIMPLEX_QP_H

#include "io/error.h"
#include "io/state/state.h"
#include "math/matrices/wide.h"

#include <stdbool.h>

struct simplex_qp;

struct simplex_qp_settings {
    int blocks;  /* at least 1 */
    bool equal;  /* sums = cap instead of <= cap */
    bool offset; /* with the constraint o'a = 0 */

    /* Returns row `slot` of H, indexed by slot; entries of empty slots are not read. H must be exactly
     * symmetric. The solver reads only rows of the support and of entering variables, and a row must stay valid
     * only until the next call. NULL: failure, with the error set. */
    const double *(*row)(void *matrix, int slot, struct error *e);
    void *matrix;

    /* Called in each round: true ends a solve early, with its current weights and gap. NULL: never. */
    bool (*stop)(void *matrix);
};

/* A program without variables; NULL with the error set when memory is short. */
struct simplex_qp *simplex_qp_new(const struct simplex_qp_settings *settings, struct error *e);

/* From now on row and stop get this MATRIX, the same one in another place. */
void simplex_qp_move(struct simplex_qp *qp, void *matrix);

/* Returns NULL. */
struct simplex_qp *simplex_qp_free(struct simplex_qp *qp);

/* Adds a variable of weight 0 in an empty slot, to block 0 <= block < blocks, with coefficient O in the
 * offset constraint (0 without one). 0, or -1 with the error set and nothing changed. */
int simplex_qp_add(struct simplex_qp *qp, int slot, int block, double o, struct error *e);

/* Removes the variable of a slot. If its weight was positive, the next solve first makes the others feasible. */
void simplex_qp_drop(struct simplex_qp *qp, int slot);

struct simplex_qp_result {
    double objective; /* q at the weights */
    double gap;       /* an upper bound of q - min q, always valid */
    int changes;      /* number of times that a variable or slack entered or left the support */
    bool reached; /* gap <= tolerance |objective|, or gap is within the rounding of double-double:
                         about 2^-100 (sum cap)^2 max |H| */
};

/* Solves for f (by slot) and cap > 0 (by block); both may differ from those of the last solve. If rounding
 * prevents the tolerance, the result is the best point found, with its gap. 0, or -1 with the error set:
 * row failed, memory is short, numbers are not finite, or no point is feasible. */
int simplex_qp_solve(struct simplex_qp *qp, const double *f, const double *cap, double tolerance,
                     struct simplex_qp_result *result, struct error *e);

/* The weight of a slot, 0 for an empty one, rounded to double or in double-double. Objective, gap and feasibility
 * (to about 1e-28 relative) hold for the double-double weights. */
double simplex_qp_weight(const struct simplex_qp *qp, int slot);
struct wide simplex_qp_weight_wide(const struct simplex_qp *qp, int slot);

/* Whether the slot has a variable. */
bool simplex_qp_has(const struct simplex_qp *qp, int slot);

/* Lists what the next solve begins from. A program that is read has no variables before. */
void simplex_qp_visit(struct simplex_qp *qp, struct state *state);

#endif
