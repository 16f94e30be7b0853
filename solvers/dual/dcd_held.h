/* dcd_held.h - copies of rows behind a window, for steps of dcd between its readings.
 *
 * A reading leaves copies of the rows whose variables are free, as many as there is memory for. On these there are
 * epochs of coordinate steps and conjugate gradients (dcd_free.h) until the next reading, which finds the rows that
 * are free then.
 *
 * Reference: Chang & Roth 2011, KDD, "Selective block minimization for faster convergence of limited memory
 * large-scale linear models". */
#ifndef RRM_DCD_HELD_H
#define RRM_DCD_HELD_H

#include "solvers/dual/dcd_free.h"

struct dcd_held {
    struct dcd_rows *all; /* behind the window */
    int64_t most_rows, most_entries;
    double wanted; /* entries of the rows that are free */
    double share;  /* of these rows: how many are copied, by chance */
    struct random random;
    struct dataset data; /* the copies */
    struct design design;
    struct scalar_terms terms;
    struct dcd_rows rows;
    struct dcd_free free;
    int64_t *index;  /* of a copy among all rows */
    int32_t *column; /* of each column of the copies, which are numbered anew, among all */
    int32_t *number; /* of all columns among these; -1: it is in no copy */
    double *w;       /* of these, and of the constant feature */
};

/* Of ALL, whose window leaves memory for it. 0, or -1 with the error set; to be freed in either case. */
int dcd_held_init(struct dcd_held *held, struct dcd_rows *all, const struct run_settings *run,
                  struct error *e);
void dcd_held_free(struct dcd_held *held);

/* Forgets the copies: a reading begins, whose blocks leave others. */
void dcd_held_begin(struct dcd_held *held);

/* Steps on the copies, by which the variables and w move. Whether ASKED (columns) is the smoothed point of all free
 * rows now. */
bool dcd_held_descend(struct dcd_held *held, struct batch *batch, double *asked);

/* Lists what the next reading depends on. */
void dcd_held_visit(struct dcd_held *held, struct state *state);

#endif
