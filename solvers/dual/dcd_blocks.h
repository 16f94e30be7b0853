/* dcd_blocks.h - the dual of dcd (dcd_rows.h) over blocks of rows, one in each process.
 *
 * With w of all blocks, an iteration extrapolates beta to v = beta + theta (beta - beta of the iteration before), and
 * each process minimizes over its own box
 *
 *     <w_v, d> + sigma/2 ||d||_S^2 + sum_i ( own_i beta_i^2/2 + tube |beta_i| - target_i beta_i )
 *
 * with d = X_k'(beta - v) by some epochs of coordinate steps. Then w = w_v + sum_k d_k: one sum of n numbers an
 * iteration. This is a proximal gradient step in the metric of the blocks. ||d||_S^2 = sum_j s_j d_j^2 with s_j =
 * (blocks that have feature j)^(3/4): a feature that several blocks move at once takes shorter steps than one that a
 * single block has. F falls for sure where sigma >= rho = ||sum_k d_k||^2 / sum_k ||d_k||_S^2; sigma follows the rho
 * that occurs. Where F rose, the line from the old beta to the new one is searched instead, and the acceleration
 * begins anew, as where it points backwards. On a few rows all processes take steps after each sum (dcd_shared.h).
 *
 * Reference: Nesterov 1983; Beck & Teboulle 2009, SIAM J. Imaging Sciences 2(1); restarts: O'Donoghue & Candes 2015,
 * Foundations of Computational Mathematics 15; blocks with a factor sigma: Jaggi, Smith, Takac et al. 2014, NIPS,
 * "Communication-efficient distributed dual coordinate ascent"; factors by feature: Richtarik & Takac 2016,
 * Mathematical Programming 156, "Parallel coordinate descent methods for big data optimization". */
#ifndef RRM_DCD_BLOCKS_H
#define RRM_DCD_BLOCKS_H

#include "solvers/batch.h"
#include "solvers/dual/dcd_points.h"
#include "solvers/dual/dcd_shared.h"

struct dcd_blocks {
    struct dcd_rows *rows;
    struct dcd_shared shared;
    double *beta, *point;    /* rows: of the iteration before; v */
    double *last, *at;       /* columns: w of the iteration before; w_v */
    double *local, *begin;   /* columns: w_v + sigma d, then d; d where the epochs begin */
    double *change;          /* columns: the sum of all d; then the variables of shared rows */
    double *metric, *length; /* columns: s; rows: ||x||_S^2 */
    struct dcd_points points;
    double momentum;           /* t of the acceleration */
    double sigma, value, size; /* F; the mean size of targets */
};

/* 0, or -1 with the error set; to be freed in either case. */
int dcd_blocks_init(struct dcd_blocks *blocks, struct dcd_rows *rows,
                    const struct run_settings *run, struct error *e);
void dcd_blocks_free(struct dcd_blocks *blocks);

/* Begins at beta and w as they are; the batch has a best point. */
void dcd_blocks_begin(struct dcd_blocks *blocks, const struct batch *batch);

/* Begins anew at beta and w as they are: without extrapolation. */
void dcd_blocks_restart(struct dcd_blocks *blocks);

/* An iteration. Returns the passes that it took. */
double dcd_blocks_step(struct dcd_blocks *blocks);

/* Shares rows (dcd_shared.h). The last point offered was w. */
void dcd_blocks_share(struct dcd_blocks *blocks);

/* Offers points by w (columns; dcd_points.h). One pass, and some over the scores, of which a few numbers go over the
 * network. */
void dcd_blocks_offer(struct dcd_blocks *blocks, struct batch *batch, const double *w);

#endif
