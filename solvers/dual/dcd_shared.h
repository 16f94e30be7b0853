/* dcd_shared.h - rows that every process has, for dcd over blocks (dcd_blocks.h).
 *
 * In its block a row takes steps that are short enough for whatever other processes do at the same time. Where rows of
 * several processes are alike, such as a text that stands twice in the data, with two labels, the slopes push their
 * variables to the ends of their intervals, and the products that these add to w cancel. In short steps that takes
 * hundreds of iterations, and a few such rows make most of the gap. So every fifth iteration the processes give each
 * other some rows: those with the largest product of slope and way left. From then on all processes take coordinate
 * steps on these rows after each sum of w, of full length and all the same. Nothing is sent for them but their
 * variables, with the next sum. The rows stay in the block of their process, too.
 *
 * Reference: the steps are those of dcd_rows.h; cf. the working sets of Joachims 1999, "Making large-scale SVM learning
 * practical", chosen by the steepest feasible direction. */
#ifndef RRM_DCD_SHARED_H
#define RRM_DCD_SHARED_H

#include "solvers/dual/dcd_rows.h"

enum { DCD_SHARED_MOST = 1024 }; /* rows of all processes together */

struct dcd_shared {
    struct dcd_rows *own; /* the rows of this process */
    bool *taken;          /* of these: whether they are shared */
    double *gain;         /* the same; then a copy */
    int64_t exchanges;
    int64_t entries; /* that `data` has memory for */

    /* The shared rows of all processes. */
    struct dataset data;
    struct design design;
    struct scalar_terms terms;
    struct dcd_rows rows;
    int64_t *index; /* among the rows of this process; -1: of another one */
};

/* 0, or -1 with the error set; to be freed in either case. */
int dcd_shared_init(struct dcd_shared *shared, struct dcd_rows *own, const struct run_settings *run,
                    struct error *e);
void dcd_shared_free(struct dcd_shared *shared);

/* Shares more rows, by the scores (rows) at the present w: at most one sum of n numbers. WORK: columns. */
void dcd_shared_add(struct dcd_shared *shared, const double *score, double *work);

/* Writes the variables of the shared rows that are of this process, and 0 for the others. */
void dcd_shared_put(const struct dcd_shared *shared, double *beta);

/* Epochs on the shared rows, whose variables are BETA, and w (columns), until their slopes are within TOLERANCE
 * (dcd_rows_descend). Adds to *linear what this changes of dcd_rows_linear. Returns how many entries it read. */
double dcd_shared_descend(struct dcd_shared *shared, double *w, const double *beta,
                          double tolerance, double *linear);

#endif
