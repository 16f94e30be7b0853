/* row_products.h - rows of a dataset times a matrix that stays (math/multiply.h). */
#ifndef RRM_ROW_PRODUCTS_H
#define RRM_ROW_PRODUCTS_H

#include "io/dataset.h"
#include "math/multiply.h"

/* out += X M over rows from <= i < to of the data; out: (to - from) x m->columns. Column c meets M's
 * row place[c], ascending with c, none where that is negative (NULL: row c); columns from `features`
 * on meet none. What a row gives does not depend on the rows beside it. */
void row_products_add(const struct multiplier *m, const int32_t *place, int32_t features,
                      const struct dataset *rows, int64_t from, int64_t to, double *out);

#endif
