/* points.h - rows that many others are multiplied with: landmarks, support vectors, the fresh rows of a
 * working set.
 *
 * They are kept feature by feature, all points' values of a feature side by side, so that a sparse row
 * of k nonzeros costs k short vector operations, and only features that some point has take room. */
#ifndef RRM_POINTS_H
#define RRM_POINTS_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

struct points {
    int64_t count;
    int32_t features; /* of the rows they were made of */
    double *square;   /* ||s_k||^2: count */
    int64_t *place;   /* features: of a feature's values in `value`; -1: no point has it */
    double *value;    /* count values for each feature that is there */
};

/* The rows of DATA that are numbered in `rows` (NULL: all COUNT = data->rows of them), in that order.
 * 0, or -1 with the error set; to be freed in either case. */
int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e);
void points_free(struct points *points);

/* ||x_i||^2 of the rows from <= i < to, into square[i - from]. */
void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square);

/* out[(i - from) * points->count + k] = <s_k, x_i>, from <= i < to. Columns beyond the points' features
 * count as products of 0. By the calling thread, which needs nothing else: others may call as well. */
void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out);

/* The same, k(s_k, x_i); square[i - from] = ||x_i||^2. */
void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out);

#endif
