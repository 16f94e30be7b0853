/* row_products.h - products of a dataset's rows with a fixed matrix (math/matrices/multiply.h). */
#ifndef RRM_ROW_PRODUCTS_H
#define RRM_ROW_PRODUCTS_H

#include "io/dataset.h"
#include "math/matrices/multiply.h"

/* out += X M over rows from <= i < to of the data; out: (to - from) x m->columns. Column c of the data is
 * multiplied with row matrix_row[c] of M, ascending with c; with none if that is negative (NULL: row c).
 * Columns from `features` on are ignored. A row's result does not depend on the other rows. */
void row_products_add(const struct multiplier *m, const int32_t *matrix_row, int32_t features,
                      const struct dataset *rows, int64_t from, int64_t to, double *out);

#endif
