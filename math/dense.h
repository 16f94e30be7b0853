/* dense.h - the operations on dense rows that solvers spend their time in, by the machine's widest
 * vectors. */
#ifndef RRM_DENSE_H
#define RRM_DENSE_H

#include <stdint.h>

/* <x, y> over n coordinates; the same for every width of vectors but for rounding. */
double vector_dot_wide(const double *x, const double *y, int64_t n);
void vector_dot_into(const double *x, const double *y, int64_t n, double *result);

/* result[j] = <x, y[j]>, j < 4 */
void vector_dots_wide(const double *x, double *const *y, int64_t n, double *result);

/* y += sum_j c[j] x[j], j < 4 */
void vector_adds_wide(double *y, const double *c, double *const *x, int64_t n);

/* y += c x */
void vector_add_wide(double *y, double c, const double *x, int64_t n);

#endif
