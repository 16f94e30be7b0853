/* orthogonal.h - an orthonormal basis of the span of a few columns of any scale.
 *
 *     X P = Q [R; 0],   sum_i w_i q_ij q_ik = 1 where j = k, else 0
 *
 * by modified Gram-Schmidt. Each column is orthogonalized twice; the next column is the one whose remainder is largest
 * relative to its length. A column whose remainder is below 1e-12 of its length depends on those before it; its
 * coefficient is 0.
 *
 * Reference: Bjorck 1996, Numerical Methods for Least Squares Problems, sections 2.4 and 2.7.
 * 4 m n rank operations. */
#ifndef RRM_ORTHOGONAL_H
#define RRM_ORTHOGONAL_H

#include "io/error.h"

#include <stdint.h>

struct orthogonal {
    int64_t columns, rank;
    double *r;      /* columns x columns: row j has the coefficients of q_j in the columns */
    double *size;   /* columns: the largest |x| of each, by which it was divided */
    int64_t *order; /* columns: P, the rank independent ones first */
};

/* Factors x, rows x columns row by row, with weights >= 0 (NULL: all 1); x becomes Q, rows x rank. A column that is
 * zero in all rows with a weight, or has a value that is not finite, counts as 0. 0, or -1 with the error set; the
 * caller frees it in either case. */
int orthogonal_init(struct orthogonal *o, double *x, int64_t rows, int64_t columns,
                    const double *weight, struct error *e);
void orthogonal_free(struct orthogonal *o);

/* The coefficients x (columns) with X x = Q y from y (rank), and y from x. */
void orthogonal_to_columns(const struct orthogonal *o, const double *y, double *x);
void orthogonal_to_basis(const struct orthogonal *o, const double *x, double *y);

#endif
