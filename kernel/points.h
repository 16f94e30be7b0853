/* points.h - rows that many others are multiplied with: landmarks, support vectors, the fresh rows of a
 * working set.
 *
 * A feature that many of the points have is a row of a matrix, all points' values side by side, so
 * that a row of k nonzeros costs k short vector operations; one that few have is a list of these, so
 * that the points of wide text take about as much room as their nonzeros. */
#ifndef RRM_POINTS_H
#define RRM_POINTS_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"
#include "math/multiply.h"

struct points {
    int64_t count;
    int32_t features; /* of the rows they were made of */
    double *square;   /* ||s_k||^2: count */

    struct multiplier matrix; /* a row for each feature that many points have */
    int32_t *place;           /* of a feature in the matrix; -1: it has none. features */

    int64_t *list; /* of a feature: entries list[j] <= k < list[j + 1]; NULL: no feature has one */
    int32_t *holder; /* the point */
    double *value;
};

/* The rows of DATA that are numbered in `rows` (NULL: all COUNT = data->rows of them), in that order.
 * 0, or -1 with the error set; to be freed in either case. */
int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e);
void points_free(struct points *points);

/* ||x_i||^2 of the rows from <= i < to, into square[i - from]. */
void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square);

/* out[(i - from) * points->count + k] = <s_k, x_i>, from <= i < to. Columns beyond the points' features
 * count as products of 0. By the calling thread, which needs nothing else: others may call as well.
 * What a row gives does not depend on the rows beside it. */
void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out);

/* The same, k(s_k, x_i); square[i - from] = ||x_i||^2. */
void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out);

#endif
