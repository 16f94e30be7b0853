/* float_points.h - kernel values of rows and a fixed set of points in single precision: what points.h computes in
 * doubles, in a third of the time.
 *
 * The points are unpacked side by side, in groups: a vector of a group's values for each feature that a point has. So
 * a row costs a multiplication of that vector for each of its nonzeros. Several rows are multiplied with a group while
 * it is in the processor's cache. */
#ifndef RRM_FLOAT_POINTS_H
#define RRM_FLOAT_POINTS_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

#include <stdbool.h>

struct float_points {
    struct kernel kernel;
    int64_t count;
    int32_t features;  /* of the points' data */
    int32_t *position; /* features: where a feature is in a group, or -1 */
    int64_t found;     /* features that a point has */
    float *value;      /* groups x found x FLOAT_GROUP, from the start of a cache line */
    float *square;     /* ||s_k||^2: groups x FLOAT_GROUP */
    void *memory;      /* of `value` */
};

/* Bytes of the points' values, or infinite if they have too many features. */
double float_points_bytes(const struct dataset *points);

/* The points are all rows of POINTS. 0, or -1 with the error set; to be freed in either case. */
int float_points_init(struct float_points *f, const struct kernel *kernel,
                      const struct dataset *points, struct error *e);
void float_points_free(struct float_points *f);

/* out[(i - from) * count + k] = k(s_k, x_i), from <= i < to; as points_kernel (points.h). */
void float_points_kernel(const struct float_points *f, const struct dataset *rows, int64_t from,
                         int64_t to, float *out);

#endif
