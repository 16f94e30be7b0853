/* score_rows.h - the rows of cutting planes with single passes (cutting_plane.h): their scores at a point and along a
 * line, and the cuts that they give, for any loss of a score.
 *
 *     u_i = <w,x_i>,   du_i = the change of u_i from the point to another w
 *     cut of partition k at scores v:  R_k(w) >= sum over i in P_k of p_i (l(v_i) + a_i (<w,x_i> - v_i))
 *
 * a_i = l'(v_i), p_i = c_i/(sum of c). Each pass gives two cuts of each partition, summed over all of its rows.
 * In one process. */
#ifndef RRM_SCORE_ROWS_H
#define RRM_SCORE_ROWS_H

#include "io/state/state.h"
#include "risk/risk.h"

struct score_cuts {
    double *slope;    /* partitions x columns */
    double *constant; /* partitions */
};

/* Cuts at other points: those of a part, start[part] <= k < start[part + 1], at w[k]. */
struct cuts_wanted {
    int *start;       /* partitions + 1 */
    const double **w; /* the caller's points: columns */
    double *slope;    /* columns for each */
    double *constant;
};

struct score_rows {
    const struct scalar_terms *terms;
    const struct design *design;
    int partitions;          /* of consecutive rows */
    double *u, *du;          /* rows */
    struct score_cuts point; /* near the point */
    struct score_cuts other; /* at the other w */
    double *sums;            /* 2 x partitions x (columns + width): work */
};

/* 0, or -1 with the error set; to be freed in either case. */
int score_rows_init(struct score_rows *rows, const struct scalar_terms *terms, int partitions,
                    struct error *e);
void score_rows_free(struct score_rows *rows);

/* Bytes that score_rows_init allocates. */
double score_rows_bytes(const struct design *design, int partitions);

/* Sets du to W and computes the cuts there, and those near the point, at u + k du with the du of before. One pass. */
void score_rows_read(struct score_rows *rows, const double *w, double k);

/* The same, and the cuts that are wanted; not those near the point, and not of a window that has a width. One pass. */
void score_rows_read_wanted(struct score_rows *rows, const double *w, struct cuts_wanted *wanted);

/* Computes u at W anew, without the rounding of many steps. One pass. */
void score_rows_refresh(struct score_rows *rows, const double *w);

/* argmin over 0 <= k <= LARGEST_STEP of R at u + k du, plus curvature/2 k^2 + slope k, nearly; never beyond it. */
double score_rows_search(const struct score_rows *rows, double curvature, double slope,
                         double largest_step);

/* u += k du; returns R there. */
double score_rows_move(struct score_rows *rows, double k);

/* With an offset: moves u to the best one; *shift is how far. Returns R there. */
double score_rows_best_offset(struct score_rows *rows, double *shift);

/* Lists the scores, their change and the latest cuts near the point. */
void score_rows_visit(struct score_rows *rows, struct state *state);

#endif
