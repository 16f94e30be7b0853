/* float_kernel.h - rows of a kernel matrix in single precision, up to FLOAT_KERNEL_ROWS at a time.
 *
 * The rows that are wanted are unpacked side by side: one vector of their values for each feature that they have.
 * Each example of the data then costs, for each of its nonzeros that they share, one multiplication of that vector.
 * A Gaussian is computed from products and squared norms in floats; its error is that of their rounding, some
 * 2^-24 gamma (||s||^2 + ||x||^2). Joachims 1999 and Fan, Chen & Lin 2005 keep floats, too. */
#ifndef RRM_FLOAT_KERNEL_H
#define RRM_FLOAT_KERNEL_H

#include "io/dataset.h"
#include "io/error.h"
#include "kernel/kernel.h"

#include <stdbool.h>

enum { FLOAT_KERNEL_ROWS = 64 };

struct float_kernel {
    struct kernel kernel;
    const struct dataset *data;
    float *square;       /* rows: ||x_i||^2 */
    bool *same_columns;  /* rows: whether the next row has the same columns, and values */
    int32_t *position;   /* features: where a feature of the wanted rows is in `value`, or -1 */
    int32_t *feature;    /* the features of the wanted rows */
    int64_t found;       /* how many */
    int64_t capacity;    /* features that `value` and `feature` hold */
    float *value;        /* capacity x FLOAT_KERNEL_ROWS */
    float *point_square; /* FLOAT_KERNEL_ROWS */
};

/* Whether single precision is good enough for this kernel and examples with squared norms up to max_square. */
bool float_kernel_suits(const struct kernel *kernel, double max_square);

/* Over the rows of DATA, which must outlive it; `square` has their squared norms. 0, or -1 with the error set; to be
 * freed in either case. */
int float_kernel_init(struct float_kernel *f, const struct kernel *kernel,
                      const struct dataset *data, const double *square, struct error *e);
void float_kernel_free(struct float_kernel *f);

/* out[k][i] = K(index[k], i) for k < count <= FLOAT_KERNEL_ROWS and all rows i; in parallel, with the same result for
 * any number of threads and for any rows computed together. 1; 0 if a value is not finite; -1 with the error set. */
int float_kernel_rows(struct float_kernel *f, const int64_t *index, int64_t count,
                      float *const *out, struct error *e);

/* out[k][c] = K(index[k], list[c]) for c < list_count: to the bit the values of float_kernel_rows. */
int float_kernel_values(struct float_kernel *f, const int64_t *index, int64_t count,
                        const int64_t *list, int64_t list_count, float *const *out,
                        struct error *e);

#endif
