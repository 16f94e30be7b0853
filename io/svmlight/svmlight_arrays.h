/* svmlight_arrays.h - the arrays that rows are parsed into: making room, and handing them over. */
#ifndef RRM_SVMLIGHT_ARRAYS_H
#define RRM_SVMLIGHT_ARRAYS_H

#include "io/svmlight/svmlight_row.h"

#include <stdbool.h>
#include <stdint.h>

/* Resizes the arrays of *rows to exactly ROW_COUNT and NONZERO_COUNT; those of values and weights
 * too, although they may never be written: pages that nobody touches cost no memory. DENSE: what is
 * written leaves no gaps to speak of, so that huge pages waste nothing. On failure the arrays stay
 * valid. */
int svmlight_arrays_resize(struct svmlight_rows *rows, int64_t row_count, int64_t nonzero_count,
                           bool dense);

/* Shrinks the arrays to the rows that are there and moves them to *out, without the values or
 * weights when all are 1. Refuses to return no row. */
int svmlight_arrays_take(struct svmlight_rows *rows, struct dataset *out);

void svmlight_arrays_free(struct svmlight_rows *rows);

#endif
