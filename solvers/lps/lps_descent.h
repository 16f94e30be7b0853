/* lps_descent.h - the step of lps where the Hessian is not formed: coordinate descent on the model of J.
 *
 * It runs over a copy by columns of the rows that the model holds, those with d_i > 0: at small lambda
 * most rows of nearly separable data have none. */
#ifndef RRM_LPS_DESCENT_H
#define RRM_LPS_DESCENT_H

#include "math/box_descent.h"

struct lps_reduced;
struct lps_point;

/* sqrt(d_i) x_i by columns, and the program. A struct of zero bytes is empty. */
struct lps_descent {
    int64_t *start;
    int32_t *row;
    double *value;
    double *first;                          /* rows: v of box_descent.h; with it bottom and top */
    double *own;                            /* columns: what the diagonal has beyond X'dX */
    int64_t starts, entries, rows, columns; /* that there is room for */
    struct box_descent_work work;
};

void lps_descent_free(struct lps_descent *descent);

/* Nonzeros of the rows with d_i > 0, d = reduced->d. */
int64_t lps_descent_entries(const struct lps_reduced *reduced);

/* reduced->step within the bounds, and the fall of J that the model promises, by reduced->d, diagonal,
 * slope, low, high and damping. Losses with quadratic conjugates keep their kinks in the model, which is
 * J itself on its rows; others have the second-order model. 0, or -1 with the error set. */
int lps_descent_step(struct lps_reduced *reduced, const struct lps_point *point, double tolerance,
                     double *promise, struct error *e);

#endif
