/* multiply.h - rows times a matrix that stays: A M for many A.
 *
 * An entry of the product is summed over M's rows in their order, by fused multiplications where the
 * machine has them: a row of A gives the same bits alone as among others, so that neither the way rows
 * are cut into blocks nor the number of threads shows in a result. A library's dgemm promises neither.
 * M is kept in panels of columns, as Goto & van de Geijn 2008, "Anatomy of high-performance matrix
 * multiplication", pack it. */
#ifndef RRM_MULTIPLY_H
#define RRM_MULTIPLY_H

#include "io/error.h"

#include <stdint.h>

enum { MULTIPLY_WIDTH = 32 }; /* columns of a panel */

struct multiplier {
    int64_t rows, columns;
    double *panel; /* panels of MULTIPLY_WIDTH columns, the last filled up with zeros */
};

/* All zeros. 0, or -1 with the error set; to be freed in either case. */
int multiplier_init(struct multiplier *m, int64_t rows, int64_t columns, struct error *e);
void multiplier_free(struct multiplier *m);

/* Where M's entry is. */
static inline double *multiplier_entry(const struct multiplier *m, int64_t row, int64_t column) {
    int64_t panel = column / MULTIPLY_WIDTH;
    return m->panel + (panel * m->rows + row) * MULTIPLY_WIDTH + column % MULTIPLY_WIDTH;
}

/* out = A M for COUNT rows of A, one behind the other; out: COUNT x columns. By the calling thread. */
void multiplier_apply(const struct multiplier *m, const double *a, int64_t count, double *out);

#endif
