/* multiply.h - rows times a matrix that stays: A M for many A.
 *
 * An entry of the product is summed over M's rows in their order, by fused multiplications where the
 * machine has them: a row of A gives the same bits alone as among others, and entries of A that are 0
 * may be left out. So neither the way in which rows are cut into blocks nor the number of threads
 * shows in a result; a library's dgemm promises neither. M is kept in panels of columns, and
 * multiplied by tiles that registers hold (Goto & van de Geijn 2008, "Anatomy of high-performance
 * matrix multiplication"). */
#ifndef RRM_MULTIPLY_H
#define RRM_MULTIPLY_H

#include "io/error.h"

#include <stdint.h>

enum {
    MULTIPLY_WIDTH = 32, /* columns of a panel */
    MULTIPLY_DEPTH = 128 /* rows of M that are worth taking together */
};

struct multiplier {
    int64_t rows, columns;
    double *panel; /* panels of MULTIPLY_WIDTH columns, the last filled up with zeros; aligned */
    void *memory;
};

/* All zeros. 0, or -1 with the error set; to be freed in either case. */
int multiplier_init(struct multiplier *m, int64_t rows, int64_t columns, struct error *e);
void multiplier_free(struct multiplier *m);

/* Another size, no more than it was made for: rows, and columns rounded up to whole panels. The
 * entries are to be set anew. */
void multiplier_resize(struct multiplier *m, int64_t rows, int64_t columns);

/* Where M's entry is. */
static inline double *multiplier_entry(const struct multiplier *m, int64_t row, int64_t column) {
    int64_t panel = column / MULTIPLY_WIDTH;
    return m->panel + (panel * m->rows + row) * MULTIPLY_WIDTH + column % MULTIPLY_WIDTH;
}

void multiplier_set_row(struct multiplier *m, int64_t row, const double *x);

/* out += A M' for COUNT rows of A that are STRIDE apart, M' being M's DEPTH rows from FIRST on; out:
 * COUNT x columns. */
void multiplier_add(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                    int64_t stride, int64_t count, double *out);

/* The same with rows of out that are OUT_STRIDE apart; and by all of M's rows. */
void multiplier_add_to(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                       int64_t stride, int64_t count, double *out, int64_t out_stride);
void multiplier_add_all(const struct multiplier *m, const double *a, int64_t stride, int64_t count,
                        double *out, int64_t out_stride);

/* out += a M for one row whose COUNT nonzeros are a[k], at row[k], ascending. */
void multiplier_add_sparse(const struct multiplier *m, const int32_t *row, const double *a,
                           int64_t count, double *out);

/* out = A M for COUNT rows of A, one behind the other. */
void multiplier_apply(const struct multiplier *m, const double *a, int64_t count, double *out);

#endif
