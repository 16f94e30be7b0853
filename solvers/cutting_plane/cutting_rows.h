/* cutting_rows.h - the rows' side of the cutting-plane methods: margins at a point and along a line,
 * and the cuts that they give.
 *
 *     margin_i = 1 - y_i (<w,x_i> + b),   step_i = what margin_i gains on the way to another w
 *     cut of partition k:  R_k(w) >= sum over i in P_k of p_i u_i (1 - y_i (<w,x_i> + b))
 *
 * u_i = 1 where the margin is short. Only rows whose u changed since the last cut are read: the sums
 * over the others are kept. With an unregularized offset b all margins are taken at the b that is
 * best there, and u balances the classes (hinge_offset.h). p_i = c_i/sum of c. */
#ifndef RRM_CUTTING_ROWS_H
#define RRM_CUTTING_ROWS_H

#include "risk/risk.h"
#include "solvers/cutting_plane/hinge_search.h"

struct cutting_rows {
    const struct scalar_parts *scalar;
    const struct design *design;
    int partitions;                   /* of consecutive rows */
    double *margin;                   /* at the point: rows */
    double *step;                     /* to the other w: rows */
    double *ahead;                    /* margins elsewhere, with an offset: rows; otherwise NULL */
    double *active;                   /* u of the latest cuts: rows */
    double *change;                   /* -p_i y_i times the change of u_i: rows */
    double *cut;                      /* slopes of the latest cuts: partitions x columns */
    double *constant;                 /* of the latest cuts: partitions */
    double *sum;                      /* room for a slope: columns */
    double value[DESIGN_BLOCKS_MOST]; /* sums by block of rows */
    int64_t changed[DESIGN_BLOCKS_MOST]; /* rows whose u changed, by block */
    struct hinge_search search;
};

/* 0, or -1 with the error set; to be freed in either case. */
int cutting_rows_init(struct cutting_rows *rows, const struct scalar_parts *scalar, int partitions,
                      struct error *e);
void cutting_rows_free(struct cutting_rows *rows);

static inline bool cutting_rows_offset(const struct cutting_rows *rows) {
    return rows->design->intercept;
}

/* Margins at W, and no cuts to continue from: afresh, without the rounding of what came before. One
 * pass. */
void cutting_rows_refresh(struct cutting_rows *rows, const double *w);

/* Steps to W, whose offset becomes the best there. One pass. */
void cutting_rows_aim(struct cutting_rows *rows, double *w);

/* argmin over k >= 0 of R at margin + k step, plus curvature/2 k^2 + slope k. */
double cutting_rows_search(struct cutting_rows *rows, double curvature, double slope);

/* margin += k step; returns R there. */
double cutting_rows_move(struct cutting_rows *rows, double k);

/* With an offset: the margins become those at the best one; returns R, and in *shift by what the
 * offset changed. */
double cutting_rows_settle(struct cutting_rows *rows, double *shift);

/* With an offset: R at margin + k step and the best offset there, *shift from the one in proportion;
 * the margins are kept in `ahead`. cutting_rows_step_ahead makes them those of the point. */
double cutting_rows_look_ahead(struct cutting_rows *rows, double k, double *shift);
void cutting_rows_step_ahead(struct cutting_rows *rows);

/* Takes the cuts at margin + k step (with an offset: after cutting_rows_look_ahead(rows, k)) into
 * `cut` and `constant`. A pass over the rows whose u changed. */
void cutting_rows_cut(struct cutting_rows *rows, double k);

#endif
