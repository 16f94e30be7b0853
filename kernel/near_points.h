/* near_points.h - Gaussian kernel values of points near a row.
 *
 * ||s - x||^2 from <s, x>, ||s||^2 and ||x||^2 (kernel.h) has the rounding of ||x||^2, gamma times which is an error of
 * the exponent. Where that is more than the rounding of a number near 1, values of pairs with a small distance are
 * computed again, from the differences of the features. Where it may be hundreds, all values are. */
#ifndef RRM_NEAR_POINTS_H
#define RRM_NEAR_POINTS_H

#include "io/dataset.h"
#include "kernel/kernel.h"

/* Where the features of the points are, and what of other rows the kernel does not see. */
struct near_points {
    const struct dataset *data; /* the points are rows of it */
    int64_t *row;               /* these; NULL: all */
    const int32_t
        *hidden; /* columns that the kernel does not see, ascending; the caller's, or NULL */
    int64_t hidden_count;
    int32_t known; /* nor those from this one on */
};

/* Corrects out[k] = k(s_k, x_i) of the Gaussian kernel for those of COUNT points near row i; square = ||x_i||^2. */
void near_points_correct(const struct near_points *points, int64_t count,
                         const struct kernel *kernel, const struct dataset *rows, int64_t i,
                         double square, double *out);

#endif
