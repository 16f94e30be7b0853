/* subset_sums.h - sums over all subsets by their size. Of numbers x_0 >= x_1 >= ... >= x_(n-1),
 *
 *     F(b) = log sum over S of size b of exp(sum of x_i in S),    0 <= b <= n,
 *
 * and, for weights W_b, the mean over sizes of how likely i is in S, sum_b W_b P(i in S | size b).
 *
 * Bounds. For any theta F(b) <= K(theta) - theta b, K(theta) = sum_i log(1 + exp(x_i + theta)): the sizes
 * of sets of independent draws, i with p_i = 1/(1 + exp(-x_i - theta)), have the probabilities
 * f(b) = exp(F(b) + theta b - K). f is log-concave with mode beside its mean M = K', so that F is concave and
 * the lower hull of the points (M, K - theta M), minus log(n + 1), is below F. Tangents are added where the
 * caller needs sizes and the bounds differ: the next theta is the slope of the chord.
 *
 * Values. In probabilities at a tangent's theta, f_(i+1)(b) = (1 - p_i) f_i(b) + p_i f_i(b - 1): sums of
 * positive numbers, accurate relative to each f(b). Terms below 1e-20/n of the smallest needed f(b), or for
 * marginals of the smallest f(b)/W_b, are dropped; that changes each f(b) by at most the sum of the dropped terms.
 * As x falls, the first p_i are near 1 and the last near 0, and a row holds a window of O(sqrt n) sizes at most
 * (Hoeffding), and few if x varies much. Sizes whose f(b) differ by more than a factor of 1e108 at every theta
 * need several runs. The backward pass is the same recursion from W_b/f(b); it keeps every sqrt n-th row and
 * recomputes the rows between: O(n sqrt n) time, O(n) memory times the window's fraction. Without windows this is
 * Zhang, Saha & Vishwanathan 2010, Algorithms 5 and 6. */
#ifndef RRM_SUBSET_SUMS_H
#define RRM_SUBSET_SUMS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

/* K at theta, and where its tangent touches: the real size M, at `height` K - theta M. */
struct subset_tangent {
    double theta, K, size, height;
    bool closed; /* no other tangent can be put between it and the next */
};

struct subset_row {
    int64_t from, count;
    double *f, *base; /* f lies in the row's memory, from base on */
};

struct subset_sums {
    int64_t n;
    const double *x;   /* n, falling */
    const double *sum; /* n + 1, of the first */
    bool *needed;      /* n + 1: sizes b whose F(b) the caller needs */
    double *upper;     /* n + 1: bounds of F, both concave */
    double *lower;
    double *F;      /* n + 1: values, for needed sizes */
    double *weight; /* n + 1: W, for needed sizes */
    double *work;   /* n + 2 */
    int64_t tangents;
    struct subset_tangent *tangent, *more; /* by size */
    int64_t width, rows;                   /* capacity of a window; rows with windows */
    double *windows;
    struct subset_row *row;
};

/* Bytes that subset_sums_init allocates for n numbers. */
double subset_sums_bytes(int64_t n);

/* For up to n numbers; 0, or -1 with the error set, to be freed in either case. */
int subset_sums_init(struct subset_sums *s, int64_t n, struct error *e);
void subset_sums_free(struct subset_sums *s);

/* Sets new numbers, n as in init, with bounds from one tangent. */
void subset_sums_begin(struct subset_sums *s, const double *x, const double *sum);

/* Adds tangents near needed sizes whose bounds differ by more than SLACK. False if there are none. */
bool subset_sums_refine(struct subset_sums *s, double slack);

/* F of the needed sizes. */
void subset_sums_values(struct subset_sums *s);

/* marginal[i] = sum_b W_b P(i in S | size b), after subset_sums_values. */
void subset_sums_marginals(struct subset_sums *s, double *marginal);

#endif
