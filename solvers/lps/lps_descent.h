/* lps_descent.h - the Newton step of lps where the Hessian is not formed: coordinate descent on the model.
 *
 * It works on a copy, by columns, of the rows with d_i > 0. At small lambda few rows of nearly separable
 * data have d_i > 0. */
#ifndef RRM_LPS_DESCENT_H
#define RRM_LPS_DESCENT_H

#include "math/box_descent.h"

struct lps_reduced;
struct lps_point;

/* The program of box_descent.h: sqrt(d_i) x_i by columns, and its vectors. A struct of zero bytes is empty. */
struct lps_descent {
    int64_t *start; /* columns + 1: where a column's entries begin */
    int32_t *row;   /* the entries' rows among those with d_i > 0, and their values */
    double *value;
    double *first;    /* rows: v of box_descent.h; behind it its arrays bottom and top */
    double *diagonal; /* columns: what the Hessian's diagonal has beyond X'dX */
    int64_t start_capacity, entry_capacity, row_capacity, column_capacity; /* of these arrays */
    struct box_descent_work work;
};

void lps_descent_free(struct lps_descent *descent);

/* Nonzeros of the rows with d_i > 0, d = reduced->d. */
int64_t lps_descent_entries(const struct lps_reduced *reduced);

/* Computes reduced->step within its bounds low and high, and the decrease of J that the model predicts. The
 * model is given by reduced->d, diagonal, slope and damping. For losses with a quadratic conjugate it has
 * the losses' kinks, and is J itself on its rows; for others it is of second order. 0, or -1 with the error
 * set. */
int lps_descent_step(struct lps_reduced *reduced, const struct lps_point *point, double tolerance,
                     double *decrease, struct error *e);

#endif
