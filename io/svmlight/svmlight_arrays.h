/* svmlight_arrays.h - the memory of the arrays that rows are parsed into. */
#ifndef RRM_SVMLIGHT_ARRAYS_H
#define RRM_SVMLIGHT_ARRAYS_H

#include "io/svmlight/svmlight_rows.h"

#include <stdbool.h>
#include <stdint.h>

/* Resizes the arrays of *rows to exactly ROW_COUNT and NONZERO_COUNT. Values and weights may never be written;
 * pages without a write cost no memory. DENSE: the arrays will be written almost without gaps, so huge pages waste
 * no memory. On failure the arrays stay valid. */
int svmlight_arrays_resize(struct svmlight_rows *rows, int64_t row_count, int64_t nonzero_count,
                           bool dense);

/* Shrinks the arrays to their rows and moves them to *out, without the values or weights if all are 1. An error if
 * there is no row. */
int svmlight_arrays_take(struct svmlight_rows *rows, struct dataset *out);

void svmlight_arrays_free(struct svmlight_rows *rows);

#endif
