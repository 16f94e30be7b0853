/* orthogonal.h - an orthonormal basis of the span of a few columns, whatever their scales.
 *
 *     X P = Q [R; 0],   sum_i w_i q_ij q_ik = 1 where j = k, else 0
 *
 * by modified Gram-Schmidt, each column twice, that of which most of its own length is left first. Columns
 * of which 1e-12 is left depend on those before and have no part in a combination of columns.
 *
 * Reference: Bjorck 1996, Numerical Methods for Least Squares Problems, sections 2.4 and 2.7.
 * 4 m n rank operations. */
#ifndef RRM_ORTHOGONAL_H
#define RRM_ORTHOGONAL_H

#include "io/error.h"

#include <stdint.h>

struct orthogonal {
    int64_t columns, rank;
    double *r;    /* columns x columns: row j is of q_j, its entries in the order of the columns */
    double *size; /* columns: the largest |x| of each; x = size times what was factored */
    int64_t *order; /* columns: P, the rank independent ones first */
};

/* Of x, rows x columns row by row, with weights >= 0 (NULL: 1); x becomes Q, rows x rank. Columns of which no
 * number has a weight, or of which some are none, count as 0. 0, or -1 with the error set; to be freed in
 * either case. */
int orthogonal_init(struct orthogonal *o, double *x, int64_t rows, int64_t columns,
                    const double *weight, struct error *e);
void orthogonal_free(struct orthogonal *o);

/* The coefficients of x (columns) with X x = Q y, and of y (rank) from x. */
void orthogonal_leave(const struct orthogonal *o, const double *y, double *x);
void orthogonal_enter(const struct orthogonal *o, const double *x, double *y);

#endif
