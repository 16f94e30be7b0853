/* columns.h - a column-wise copy of a design, for inner products with few of its columns.
 *
 * A pass over the rows costs all nonzeros, however few components are needed; a product with a column costs the
 * column's nonzeros. Making the copy costs about two passes and as much memory as the data. It pays if some
 * components of gradients are computed again and again. */
#ifndef RRM_COLUMNS_H
#define RRM_COLUMNS_H

#include "matrix/design.h"

struct columns {
    const struct design *design; /* the caller's */
    int64_t *start;              /* features + 1 */
    int32_t *row;                /* the rows of each column's nonzeros, ascending */
    double *value;               /* NULL: all are 1 */
};

/* 0, or -1 with the error set (also for more than 2^31 - 1 rows); to be freed in either case. */
int columns_init(struct columns *columns, const struct design *design, struct error *e);
void columns_free(struct columns *columns);

/* g_j = sum_i c_i x_ij for the `count` columns j in `list`, bias and offset included; the other entries of g
 * stay. The same for any number of threads. */
void columns_combine(const struct columns *columns, const double *c, const int64_t *list,
                     int64_t count, double *g);

#endif
