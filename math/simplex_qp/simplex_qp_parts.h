/* simplex_qp_parts.h - what the files of the quadratic program share; not for others.
 *
 * Variables: first a slack for each block (none when the sums are fixed), whose row of H is zero, then
 * the slots. Every block is thus an equality. The support is one reference variable a block and the
 * members, in the order of the factor. With Z the differences member - reference of its block,
 *
 *     M = Z'(H + sigma oo')Z = L L',
 *
 * so that a step along the members, taken from the references, keeps all sums; it keeps o'a = 0 when
 * c'step = 0, c = Z'o. M is positive definite for a support that is affinely independent. */
#ifndef RRM_SIMPLEX_QP_PARTS_H
#define RRM_SIMPLEX_QP_PARTS_H

#include "math/cholesky_set.h"
#include "math/cholesky_wide.h"
#include "math/simplex_qp/simplex_qp.h"

#include <stdint.h>

/* A pivot below this share of the diagonal is not to be trusted in double precision. */
static const double QP_SOUND_PIVOT = 1e-10;

/* The same for double-double. */
static const double QP_SOUND_WIDE_PIVOT = 1e-27;

/* A weight up to this share of its block's cap is none. */
static const double QP_NOTHING = 1e-30;

enum { PLACE_EMPTY = -3, PLACE_OUTSIDE = -2, PLACE_REFERENCE = -1 }; /* else a member */

struct simplex_qp {
    struct simplex_qp_settings set;
    int slacks;

    /* By variable. */
    int capacity;
    int *block, *place;
    double *o;
    struct wide *weight, *gradient, *change, *product;
    double *largest; /* of the support: the largest entry of its row; -1: not known */
    double *sum;
    int *banned;     /* round in which it was set aside */
    int *list, *run; /* scratch: variables, and pairs begin, end of slots that are taken */
    int *used;       /* variables that are slots taken, the `fresh` last since the last solve */
    int count, fresh, runs;

    /* By block. */
    int *reference; /* -1: none */
    int *candidate;
    int *entered; /* in the present round, of entered_count */
    int entered_count;
    struct wide *lowest;
    double *scratch;

    /* By member. */
    int size;
    int *member;
    struct wide *reduced;           /* Z'(Ha - f) */
    struct wide *step, *normal, *m; /* normal: M^-1 c */
    double *plain;

    struct cholesky_set factor;
    struct cholesky_wide wide_factor; /* of the first wide_factor.size members */
    bool stale;                       /* factor is not that of the members */
    double sigma;

    /* The current solve. */
    const double *f, *cap;
    double tolerance, cap_sum, largest_f, largest_o;
    double largest_h; /* in the rows of the support, so far */
    bool known;       /* qp->gradient of the support and qp->reduced are those of the weights */
    bool exact;       /* gradients in double-double arithmetic */
    bool hard;        /* the factor, too */
    double magnitude; /* of what a gradient is the sum of */
    double noise;     /* estimated error of a gradient in double precision */
    double noise_sum; /* of a gap */
    double target;    /* of the gap */
    struct wide objective;
    struct wide eta; /* the multiplier of o'a = 0: gradient - eta o is level on the support */
    int pair;        /* with eta free: who has to enter beside the candidate; -1 */
    double gap;
    int round, changes;
};

/* simplex_qp_support.c: the support and the factor. */

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

/* Whether o'a = 0 restricts the support, c != 0. */
bool qp_restricted(const struct simplex_qp *qp);

/* Fills qp->list with the support; its size. */
int qp_list_support(struct simplex_qp *qp);

/* out = (H x) to double-double precision, for the variables of qp->list from `first` to `count`; x is
 * zero but for the list. */
int qp_multiply(struct simplex_qp *qp, const struct wide *x, int count, int first, struct wide *out,
                struct error *e);

/* x = M^-1 x by the factor in use. */
void qp_factor_solve(const struct simplex_qp *qp, struct wide *x);

/* m = the row of M of a variable against the first n members, *diagonal its own entry. */
int qp_differences(struct simplex_qp *qp, int variable, int n, struct wide *m,
                   struct wide *diagonal, struct error *e);

/* Appends a member with what is in qp->m (L^-1 of its row) and its pivot. */
void qp_append(struct simplex_qp *qp, int variable, struct wide pivot);

/* A variable of the support leaves it, its weight, about 0, going to its block's reference. A
 * reference can leave only a block that has members. */
void qp_leave(struct simplex_qp *qp, int variable);

/* Whoever has no weight left leaves; with `falling`, only who lost it along qp->change. */
void qp_shed(struct simplex_qp *qp, bool falling);

/* The factor afresh: in double precision, or, when that does not do, in double-double. */
int qp_rebuild(struct simplex_qp *qp, struct error *e);

/* Goes over to the factor in double-double precision. */
int qp_harden(struct simplex_qp *qp, struct error *e);

/* simplex_qp_solve.c */

/* The error of numbers beyond all numbers; returns -1. */
int qp_overflow(struct error *e);

/* simplex_qp_join.c */

enum qp_joined { QP_FAILED = -1, QP_JOINED, QP_MOVED, QP_REFUSED };

/* Brings a variable outside the support, of any weight, into it. When its column depends on the
 * support's, the weights first MOVE along the null direction until one of them is 0, which may be the
 * variable's own. REFUSED: that would not make q smaller, or, with `simple`, it would be a move. */
enum qp_joined qp_join(struct simplex_qp *qp, int variable, bool simple, struct error *e);

/* simplex_qp_descend.c */

/* Fills qp->list and qp->change with the support and its change, from qp->step of the members. */
int qp_list_changes(struct simplex_qp *qp);

/* Takes from qp->step, of a restricted support, the multiple of M^-1 c that makes c'step + rest = 0;
 * its factor. */
struct wide qp_project(struct simplex_qp *qp, struct wide rest);

/* How far the weights of the first `count` of qp->list can go along qp->change. *limit is who ends
 * there, -1 for none. */
struct wide qp_longest(const struct simplex_qp *qp, int count, int *limit);

/* The weights go so far. */
void qp_go(struct simplex_qp *qp, int count, struct wide far);

/* Sets qp->gradient, of the support only, and qp->reduced afresh. */
int qp_measure(struct simplex_qp *qp, struct error *e);

/* The weights move to the minimizer over the support, which shrinks where need be. */
int qp_descend(struct simplex_qp *qp, struct error *e);

/* simplex_qp_bound.c */

/* Gradient of all variables, multipliers, lowest costs, candidates and gap. */
int qp_evaluate(struct simplex_qp *qp, struct error *e);

/* gradient - eta o */
struct wide qp_cost(const struct simplex_qp *qp, int variable);

/* qp->noise for the present weights. */
int qp_bound_noise(struct simplex_qp *qp, struct error *e);

/* The objective, and the gap's target with it. */
void qp_set_objective(struct simplex_qp *qp, struct wide objective);

/* simplex_qp_start.c */

/* Makes the weights feasible for f, cap and the variables there are. */
int qp_start(struct simplex_qp *qp, struct error *e);

#endif
