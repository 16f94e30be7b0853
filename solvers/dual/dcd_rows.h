/* dcd_rows.h - the dual variables of an l2-regularized mean of losses of single scores, and coordinate steps.
 *
 * With the box form of a loss (risk/loss.h) and p_i = c_i/(sum of c) the dual is
 *
 *     minimize  F(beta) = ||w||^2/2 + sum_i ( own_i beta_i^2/2 + tube |beta_i| - target_i beta_i )
 *     w = sum_i beta_i x_i,   low_i <= beta_i <= high_i,   beta_i = -p_i a_i/lambda,   own_i = lambda/(p_i curvature)
 *
 * and -lambda F(beta) is a lower bound of J. A step minimizes F over one variable; w is kept. An epoch visits the
 * active rows once, in random order. A row whose variable is at a bound (or at the tube's kink), with a slope that
 * keeps it there by more than the largest slope of the last epoch, becomes inactive (shrinking). Where most active rows
 * did not move in the last epoch, one begins by screening: the threads look at all active rows at the same w, and only
 * those that would move, or nearly so, are visited, in the next epoch too. Where no slopes are known, an epoch visits
 * a quarter of the rows, so that the next one begins by screening.
 *
 * Rows behind a window (io/window.h) are visited block by block: an epoch holds each block once, for several epochs of
 * its own. Of the other rows beta alone is kept, and the scores of a point that was asked for.
 *
 * Reference: Hsieh, Chang, Lin, Keerthi & Sundararajan 2008, ICML, "A dual coordinate descent method for large-scale
 * linear SVM", Algorithms 1 and 3; Chiang, Lee & Lin 2016, KDD, "Parallel dual coordinate descent method for
 * large-scale linear classification in multi-core environments" (screening); Ho & Lin 2012, JMLR 13 (the tube); Yu,
 * Hsieh, Chang & Lin 2010, KDD, "Large linear classification when data cannot fit in memory", Algorithm 2 (blocks). */
#ifndef RRM_DCD_ROWS_H
#define RRM_DCD_ROWS_H

#include "math/random/random.h"
#include "solvers/solver.h"

struct dcd_row {
    double beta, low, high;
    double target;
    double ridge;     /* the loss's part of the curvature */
    double curvature; /* ||x||^2 + ridge */
};

struct dcd_rows {
    const struct problem *problem;
    const struct scalar_terms *terms;
    const struct monitor *monitor;
    int64_t block;       /* rows of a block; all, if they are in memory */
    int64_t first;       /* the first row of the present block */
    struct dcd_row *row; /* block */
    double *losses;      /* block: p l(u)/lambda at the score of the last visit */
    double *beta;        /* rows; NULL: they are in `row` */
    const double *asked; /* columns: of blocks the products with it are noted, too */
    double *score;       /* rows: these; not all unless the last epoch was `whole` */
    bool whole;          /* it had all blocks */

    /* Of blocks: called with rows from <= i < to, the present block, after its epochs. */
    void (*after_block)(void *context, int64_t from, int64_t to);
    void *context;

    bool copies;           /* of rows that are read elsewhere: steps on these are no passes */
    double *w;             /* columns */
    const double *metric;  /* columns: factors of x_j^2 in the steps (dcd_blocks.h); NULL: 1 */
    double sigma, *length; /* a factor of them all; rows: ||x||^2 in the metric */
    double tube;
    int64_t *order;        /* of the block: the active rows, then the inactive ones */
    int64_t count, active; /* its rows with a positive weight; active ones */
    int64_t visits;        /* active rows that this epoch visits: the first of the order */
    int64_t idle;          /* active rows that did not move in the last epoch, or not yet */
    int64_t screened;      /* epochs since the rows to visit were chosen among all */
    bool unseen;           /* the losses of some rows are not known yet */
    bool screens;          /* an epoch may look at all active rows first */
    signed char *state;    /* block: work of that */
    double shrink_above, shrink_below; /* slopes beyond which a row at a bound becomes inactive */
    double top, bottom; /* the largest and the least projected slopes of this epoch */
    struct random random;
};

/* Of the problem's risk, as TERMS have it. All beta are 0; W (columns, the caller's) becomes 0. 0, or -1 with the error
 * set; to be freed in either case. */
int dcd_rows_init(struct dcd_rows *rows, const struct problem *problem,
                  const struct scalar_terms *terms, const struct run_settings *run,
                  const struct monitor *monitor, double *w, struct error *e);
void dcd_rows_free(struct dcd_rows *rows);

/* beta from the slopes a (rows; overwritten) of the losses at some point, times the factor in [0, 1] that is best for
 * the dual; and w: one pass, unless it is SUMMED already. */
void dcd_rows_start(struct dcd_rows *rows, double *a, bool summed);

/* Lists the dual variables, w, and what the next epoch depends on. */
void dcd_rows_visit(struct dcd_rows *rows, struct state *state);

/* The dual variable of row i. */
double dcd_rows_beta(const struct dcd_rows *rows, int64_t i);
void dcd_rows_set_beta(struct dcd_rows *rows, int64_t i, double beta);

/* Row i; of blocks without its curvature. */
struct dcd_row dcd_rows_row(const struct dcd_rows *rows, int64_t i);

/* Every row becomes active. */
void dcd_rows_activate(struct dcd_rows *rows);

/* The same, but rows that the slopes of the last epoch make inactive become so at the next look. */
void dcd_rows_reopen(struct dcd_rows *rows);

/* An epoch. Returns the passes that it took; fewer when the monitor ended it early. */
double dcd_rows_epoch(struct dcd_rows *rows);

/* Where there is an offset (dcd_offset.h): the sum of beta; */
double dcd_rows_sum(const struct dcd_rows *rows);

/* moves some beta so that it is 0, and w with them, but not the offset's weight; */
void dcd_rows_balance(struct dcd_rows *rows);

/* and -lambda F at the beta that this would give, a lower bound of J. WORK: columns. */
double dcd_rows_balanced_bound(const struct dcd_rows *rows, double *work);

/* Up to so many epochs, until no projected slope is beyond TOLERANCE. Returns the passes that they took. */
double dcd_rows_descend(struct dcd_rows *rows, int epochs, double tolerance);

/* How far F could fall by the variable of row i, whose score is U, if its slope stayed as it is. */
double dcd_rows_gain(const struct dcd_rows *rows, int64_t i, double u);

/* sum_i ( target_i beta_i - own_i beta_i^2/2 - tube |beta_i| ) over the rows of this process. */
double dcd_rows_linear(const struct dcd_rows *rows);

/* -lambda F(beta) of all processes, a lower bound of J, by the w that is kept. */
double dcd_rows_bound(const struct dcd_rows *rows);

/* J(w), as the scores of the last visits have it; infinite where some rows had none yet. Not of blocks. */
double dcd_rows_estimate(const struct dcd_rows *rows);

/* Of beta != 0 within its box: the ends of the interval around it on which F is quadratic. False if beta is at one
 * of its ends. */
static inline bool dcd_row_is_free(const struct dcd_rows *rows, const struct dcd_row *row,
                                   double *low, double *high) {
    bool kink = rows->tube > 0;
    *low = kink && row->beta >= 0 ? 0 : row->low;
    *high = kink && row->beta <= 0 ? 0 : row->high;
    return row->beta > *low && row->beta < *high;
}

/* The slope of F by beta at the score u; of a beta != 0 if there is a tube. */
static inline double dcd_row_slope(const struct dcd_rows *rows, const struct dcd_row *row,
                                   double u) {
    double tube = row->beta > 0 ? rows->tube : row->beta < 0 ? -rows->tube : 0;
    return u + row->ridge * row->beta - row->target + tube;
}

#endif
