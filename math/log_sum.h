/* log_sum.h - sums of numbers known by their logarithms, and the share of each in its sum; -infinity
 * stands for 0. In place of sums, maxima: the limit of mu log sum exp(x/mu). */
#ifndef RRM_LOG_SUM_H
#define RRM_LOG_SUM_H

#include <stdbool.h>
#include <stdint.h>

/* max x_k; -infinity for n = 0. */
double log_max(const double *x, int64_t n);

/* log sum_k exp(x_k), whose terms exp(x_k - max x) are left in x. */
double log_sum(double *x, int64_t n);

/* largest[k] = max(largest[k], x[k] + c) */
void log_rows_max(double *largest, const double *x, double c, int64_t n);

/* sum[k] += exp(x[k] + c - shift[k]); WORK: n numbers. */
void log_rows_add(double *sum, const double *x, double c, const double *shift, double *work,
                  int64_t n);

/* part[k] += a[k] exp(x[k] + c - shift[k]); what was added, in all. */
double log_rows_share(double *part, const double *a, const double *x, double c, const double *shift,
                      double *work, int64_t n);

#endif
