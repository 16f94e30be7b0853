/* cutting_rows.h - the rows of the cutting-plane methods: their slacks at a point and along a line, and the
 * cuts that they give.
 *
 *     slack_i = 1 - y_i (<w,x_i> + b),   step_i = the change of slack_i from the point to another w
 *     cut of partition k:  R_k(w) >= sum over i in P_k of p_i u_i (1 - y_i (<w,x_i> + b))
 *
 * u_i = 1 where the slack is positive. Only rows whose u_i changed since the last cut are read; the sums
 * over the others are kept. With an unregularized offset b all slacks are those at the best b, and u
 * balances the classes (hinge_offset.h). p_i = a c_i/(sum of c) for the loss a max(0, 1 - y u), a = 1 for the hinge.
 *
 *
 * Cuts, values and the line search are those of all processes (io/communicator.h), each of which has the slacks of
 * its own rows. */
#ifndef RRM_CUTTING_ROWS_H
#define RRM_CUTTING_ROWS_H

#include "io/state/state.h"
#include "risk/risk.h"
#include "solvers/cutting_plane/hinge_offset.h"
#include "solvers/cutting_plane/hinge_search.h"

struct cutting_rows {
    const struct scalar_terms *scalar;
    const struct design *design;
    int partitions;      /* of consecutive rows */
    double mass;         /* the sum of c, over all processes, divided by a */
    double *slack;       /* rows: at the point */
    double *step;        /* rows: slack at the other w less that at the point */
    double *ahead_slack; /* rows: slacks at the cut's point, with an offset; otherwise NULL */
    signed char *side; /* rows: whether the slack of the latest cuts was > 0, 0 or < 0: 1, 0, -1 */
    struct hinge_fractions fractions; /* u of the latest cuts, by side */
    double *
        change; /* rows: -p_i y_i times the change of u_i, in a cut, which is the last to read `step`: there */
    double *cut;        /* partitions x columns: slopes of the latest cuts */
    double *own;        /* the same over the rows of this process; `cut` where it is alone */
    double *constant;   /* partitions: constants of the latest cuts */
    double *slope_work; /* columns: work */
    /* partitions x (columns + width): work for a window; otherwise NULL */
    double *partition_sum;
    double block_value[DESIGN_BLOCKS_MOST];    /* sums by block of rows */
    int64_t changed_count[DESIGN_BLOCKS_MOST]; /* rows whose u changed, by block */
    struct hinge_search search;
};

/* 0, or -1 with the error set; to be freed in either case. */
int cutting_rows_init(struct cutting_rows *rows, const struct scalar_terms *scalar, int partitions,
                      struct error *e);
void cutting_rows_free(struct cutting_rows *rows);

static inline bool cutting_rows_offset(const struct cutting_rows *rows) {
    return rows->design->intercept;
}

/* Lists the slacks, the step and the latest cuts. */
void cutting_rows_visit(struct cutting_rows *rows, struct state *state);

/* Computes the slacks at W and sets all u to 0, so that the next cuts are summed anew, without the rounding
 * errors of former ones. One pass. */
void cutting_rows_refresh(struct cutting_rows *rows, const double *w);

/* Sets the steps to W, whose offset is set to the best one there. One pass. */
void cutting_rows_set_direction(struct cutting_rows *rows, double *w);

/* argmin over k >= 0 of R at slack + k step, plus curvature/2 k^2 + slope k. */
double cutting_rows_search(struct cutting_rows *rows, double curvature, double slope);

/* slack += k step; returns R there. */
double cutting_rows_move(struct cutting_rows *rows, double k);

/* With an offset: the slacks become those at the best offset, and *shift its change. Returns R there. */
double cutting_rows_best_offset(struct cutting_rows *rows, double *shift);

/* With an offset: returns R at slack + k step with the best offset, and in *shift the change of the offset
 * beside that of the step. The slacks there are kept in ahead_slack; cutting_rows_accept_ahead makes them
 * those of the point. */
double cutting_rows_evaluate_ahead(struct cutting_rows *rows, double k, double *shift);
void cutting_rows_accept_ahead(struct cutting_rows *rows);

/* Computes the cuts at slack + k step (with an offset: call cutting_rows_evaluate_ahead(rows, k) first) into
 * `cut` and `constant`. Reads the rows whose u changed. Then the step is no more. */
void cutting_rows_cut(struct cutting_rows *rows, double k);

#endif
