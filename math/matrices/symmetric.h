/* symmetric.h - the product of a symmetric matrix with a vector.
 *
 *     y = (S + S') x + diag(d) x,   S the strict lower triangle, each entry of which is read once
 *
 * Rows are cut into parts that depend on n alone, each with sums of its own, which are added in order:
 * the number of threads does not change a bit. */
#ifndef RRM_SYMMETRIC_H
#define RRM_SYMMETRIC_H

#include <stdint.h>

enum { SYMMETRIC_PARTS = 8 };

/* Entry (i, j) of S is a[i stride + j], j < i. `work`: SYMMETRIC_PARTS n doubles. 2 n^2 operations. */
void symmetric_multiply(const double *a, int64_t stride, const double *d, int64_t n,
                        const double *x, double *y, double *work);

#endif
