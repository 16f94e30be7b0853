/* points.h - a fixed set of points that many rows are multiplied with: landmarks, support vectors, new rows of
 * a working set.
 *
 * A feature that many of the points have is a row of a matrix with the values of all points side by side, so
 * that a row of k nonzeros costs k short vector operations. A feature that few points have is a list of them,
 * so that the points of wide text take about as much memory as their nonzeros. */
#ifndef RRM_POINTS_H
#define RRM_POINTS_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"
#include "kernel/near_points.h"
#include "math/matrices/multiply.h"

struct points {
    int64_t count;
    int32_t features; /* features of the rows that the points were made of */
    double *square;   /* ||s_k||^2: count */

    struct near_points near;

    struct multiplier matrix; /* a row for each feature that many points have */
    int32_t *matrix_row;      /* features: a feature's row in the matrix; -1: it has a list */

    /* features + 1: list of feature j is list_start[j] <= k < list_start[j + 1]; NULL: there are no lists */
    int64_t *list_start;
    int32_t *list_point; /* the point of an entry, */
    double *list_value;  /* and its value */
};

/* The points are the rows of DATA, which must outlive them, listed in `rows` (NULL: all COUNT = data->rows of them), in
 * that order. 0, or -1 with the error set; to be freed in either case. */
int points_init(struct points *points, const struct dataset *data, const int64_t *rows,
                int64_t count, struct error *e);

/* The same as the kernel's points: of a precomputed kernel these are unit vectors (precomputed.h). */
int points_of_kernel(struct points *points, const struct kernel *kernel, const struct dataset *data,
                     const int64_t *rows, int64_t count, struct error *e);
void points_free(struct points *points);

/* ||x_i||^2 of the rows from <= i < to, into square[i - from]. */
void points_squares(const struct dataset *rows, int64_t from, int64_t to, double *square);

/* k(x_i, x_i), from ||x_i||^2 alone. */
double points_diagonal(const struct kernel *kernel, const struct dataset *rows, int64_t i);

/* out[(i - from) * points->count + k] = <s_k, x_i>, from <= i < to. Columns beyond the points' features are
 * ignored. On the calling thread; other threads may call at the same time. A row's result does not depend on
 * the other rows. */
void points_products(const struct points *points, const struct dataset *rows, int64_t from,
                     int64_t to, double *out);

/* The same, k(s_k, x_i); square[i - from] = ||x_i||^2. Values of a Gaussian are right to some units of 2^-44, however
 * large its gamma and the features are. */
void points_kernel(const struct points *points, const struct kernel *kernel,
                   const struct dataset *rows, int64_t from, int64_t to, const double *square,
                   double *out);

#endif
