/* float_rows.h - products and sums of rows of floats in doubles, by the machine's widest vectors. */
#ifndef RRM_FLOAT_ROWS_H
#define RRM_FLOAT_ROWS_H

#include <stdint.h>

/* <x, y>, summed in the order of vector_dot_wide (math/dense.h). */
double float_dot(const float *x, const double *y, int64_t n);

/* y[i] += c x[i], i < n */
void float_add(double *y, double c, const float *x, int64_t n);

/* y[i] += c s[i] x[i], i < n */
void float_add_signed(double *y, double c, const double *s, const float *x, int64_t n);

/* y[i] += sum_k c[k] x[k][i], from <= i < to */
void float_add_rows(double *y, const double *c, const float *const *x, int64_t count, int64_t from,
                    int64_t to);

#endif
