/* dcd_free.h - conjugate gradients on the free dual variables.
 *
 * Coordinate steps find soon which variables are at bounds, and are slow on the others where F is flat: the lower
 * bound comes late. Between epochs F is minimized over the variables within their boxes,
 *
 *     minimize over d:  g'd + d'(X_F X_F' + diag(ridge))d/2,
 *
 * by conjugate gradients in the affine-scaling metric: preconditioned by the distance of beta from the nearer end of
 * its interval, over the root of its curvature, so that variables next to an end hardly move. A step that reaches an
 * end is cut there; that variable stays, the distances are taken anew, and the method starts again from there. A
 * smoothed point (dcd_smooth.h) goes with it; the steps end early where it closes the gap.
 *
 * The free rows are copied by column, the longest columns first. A step reads the copy once: of each column first its
 * product with the direction, then what that adds to the rows. A column with one entry adds to that row's own
 * curvature alone, and is not read again. Columns are shared out among threads in ranges that depend on the data
 * alone. Rows that are dense, or too many to be copied, are read where they are, twice a step. Where the rows lie in
 * several processes (io/communicator.h), the products with columns are summed over these: n numbers a step.
 *
 * Reference: Dikin 1967 and Vanderbei, Meketon & Freedman 1986 (affine scaling); Gertz & Griffin 2010, "Using an
 * iterative linear solver in an interior-point method for generating support vector machines". */
#ifndef RRM_DCD_FREE_H
#define RRM_DCD_FREE_H

#include "solvers/batch.h"
#include "solvers/dual/dcd_free_rows.h"
#include "solvers/dual/dcd_smooth.h"

struct dcd_free {
    struct free_rows x;
    struct dcd_rows *rows;

    /* Vectors of x.count numbers each, in one array. */
    double *array;
    double *below, *above; /* the ends of the interval, less the variable where the method starts */
    double *inverse_root;  /* of the variable's curvature */
    double *change, *scale, *residual, *direction;
    struct dcd_smooth smooth;

    /* of J at the smoothed point, as the free rows have it, to the bound; infinite: there is none */
    double gap;
    double squared;      /* the residual's square in the metric */
    int64_t steps, cuts; /* of this call */
    int64_t steps_most;  /* of the next call: more where none was cut */
};

/* 0, or -1 with the error set; to be freed in either case. */
int dcd_free_init(struct dcd_free *free, struct dcd_rows *rows, struct error *e);
void dcd_free_free(struct dcd_free *f);

/* Lists the free variables. Returns about the passes that dcd_free_improve takes unless it ends early: rows count
 * alike. */
double dcd_free_collect(struct dcd_free *free);

/* Moves the variables that are listed, and w; F does not rise. Counts the passes, and stays within the batch's limit.
 */
void dcd_free_improve(struct dcd_free *free, struct batch *batch);

/* After that, once: writes the weights of the smoothed point (dcd_smooth.h) to W (columns). Returns the passes that it
 * took. */
double dcd_free_smooth(struct dcd_free *free, double *w);

#endif
