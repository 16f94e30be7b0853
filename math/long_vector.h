/* long_vector.h - the operations on vectors as long as the data have rows: in parallel where that
 * pays, with the same result for any number of threads. */
#ifndef RRM_LONG_VECTOR_H
#define RRM_LONG_VECTOR_H

#include <stdint.h>

/* out = (1 - eta) x + eta y; out may be x. */
void long_mix(double *out, const double *x, const double *y, double eta, int64_t n);

/* out = a x + b y; x NULL: 0; out may be x or y. */
void long_combine(double *out, double a, const double *x, double b, const double *y, int64_t n);

/* sum p_i x_i y_i; p NULL: all are 1. */
double long_dot(const double *p, const double *x, const double *y, int64_t n);

/* sum p_i x_i (y_i - z_i) */
double long_slope(const double *p, const double *x, const double *y, const double *z, int64_t n);

/* sum p_i (x_i - y_i)^2 */
double long_square(const double *p, const double *x, const double *y, int64_t n);

/* sum |x_i - y_i| */
double long_size(const double *x, const double *y, int64_t n);

#endif
