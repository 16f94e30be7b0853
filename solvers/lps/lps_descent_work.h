/* lps_descent_work.h - the arrays of lps_descent.h, which are kept from step to step. */
#ifndef RRM_LPS_DESCENT_WORK_H
#define RRM_LPS_DESCENT_WORK_H

#include "math/box_qp/box_descent.h"

/* The program of box_descent.h: sqrt(d_i) x_i by columns, and its vectors. A struct of zero bytes is empty. */
struct lps_descent {
    int64_t *start; /* columns + 1: where a column's entries begin */
    int32_t *row;   /* the entries' rows among those with d_i > 0, and their values */
    double *value;
    double *first; /* rows: v of box_descent.h; behind it its arrays bottom and top */
    /* columns: what the Hessian's diagonal has beyond X'dX; behind it the next two */
    double *diagonal;
    double *kink, *gradient; /* columns: l1, 0 of the offset; and of the program */
    int64_t start_capacity, entry_capacity, row_capacity, column_capacity; /* of these arrays */
    struct box_descent_work work;
};

#endif
