/* dcd_window.h - dcd where the rows are behind a window (io/window.h), and to read them is what takes time.
 *
 * A reading is an epoch over blocks (dcd_rows.h). While it holds the rows it notes the scores of the point before it,
 * or of the smoothed one, so that J there, and of points on lines (dcd_points.h), takes no reading of its own; and it
 * leaves copies of rows that are free, on which there are epochs and conjugate gradients until the next one
 * (dcd_held.h). */
#ifndef RRM_DCD_WINDOW_H
#define RRM_DCD_WINDOW_H

#include "solvers/dual/dcd_held.h"
#include "solvers/dual/dcd_points.h"

struct dcd_window {
    struct dcd_rows *rows;
    struct dcd_points points;
    struct dcd_held held;
    double *asked; /* columns: whose scores the next reading gives; NULL: there is no window */
};

/* Of ROWS; at first w = 0 is the best point, and is asked for. WORK: columns. 0, or -1 with the error set; to be freed
 * in either case, and where all is 0. */
int dcd_window_init(struct dcd_window *window, struct dcd_rows *rows, double *work,
                    const struct run_settings *run, struct error *e);
void dcd_window_free(struct dcd_window *window);

/* Offers the start: w = 0, or a WARM one in one reading. */
void dcd_window_offer_start(struct dcd_window *window, struct batch *batch, bool warm);

/* The scores of the batch's best point, which a run before left: one reading. */
void dcd_window_take_best(struct dcd_window *window, struct batch *batch);

/* Asks for the scores of the present w. */
void dcd_window_ask(struct dcd_window *window);

/* A reading. Whether points were offered: none where a limit cut it off. */
bool dcd_window_read(struct dcd_window *window, struct batch *batch);

/* Offers points by w (columns) in a reading of their own. */
void dcd_window_look(struct dcd_window *window, struct batch *batch, const double *w);

/* Lists what the next reading depends on, beside the rows. */
void dcd_window_visit(struct dcd_window *window, struct state *state);

#endif
