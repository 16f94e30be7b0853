/* dcd_points.h - points whose J is known without a pass, since the scores of their rows are. */
#ifndef RRM_DCD_POINTS_H
#define RRM_DCD_POINTS_H

#include "solvers/batch.h"

/* The arrays are the caller's. */
struct dcd_points {
    const struct scalar_terms *terms;
    double lambda;
    double *score;   /* rows: of a point w */
    double *best;    /* rows: of the batch's best point */
    double *towards; /* rows: for work */
    double *w;       /* columns: for work */
};

/* Offers w (columns), whose scores are there, then the best multiple of it, then the best point on the line from the
 * best so far to w. Of several processes each has the scores of its own rows. */
void dcd_points_offer(struct dcd_points *points, struct batch *batch, const double *w);

#endif
