/* multiply.h - products A M of many A with one fixed matrix M.
 *
 * An entry of the product is summed over M's rows in their order, by fused multiply-adds if the machine has them. So a
 * row of A gives the same bits alone and among other rows, and zeros of A may be left out. Results do not depend on
 * the blocking of rows or the number of threads; a library's dgemm does not guarantee this. M is stored in panels of
 * columns and multiplied by tiles that fit into registers (Goto & van de Geijn 2008, "Anatomy of high-performance
 * matrix multiplication"). */
#ifndef RRM_MULTIPLY_H
#define RRM_MULTIPLY_H

#include "io/error.h"

#include <stdint.h>

enum {
    MULTIPLY_WIDTH = 32, /* columns of a panel */
    MULTIPLY_DEPTH = 128 /* rows of M in a block: they stay in the cache */
};

struct multiplier {
    int64_t rows, columns;
    double *panel; /* panels of MULTIPLY_WIDTH columns, the last padded with zeros; aligned */
    void *memory;
};

/* A matrix of zeros. 0, or -1 with the error set; the caller frees it in either case. */
int multiplier_init(struct multiplier *m, int64_t rows, int64_t columns, struct error *e);
void multiplier_free(struct multiplier *m);

/* Changes the size, which must not exceed the first one (columns rounded up to full panels). The caller must set all
 * entries again. */
void multiplier_resize(struct multiplier *m, int64_t rows, int64_t columns);

/* The address of an entry of M. */
static inline double *multiplier_entry(const struct multiplier *m, int64_t row, int64_t column) {
    int64_t panel = column / MULTIPLY_WIDTH;
    return m->panel + (panel * m->rows + row) * MULTIPLY_WIDTH + column % MULTIPLY_WIDTH;
}

void multiplier_set_row(struct multiplier *m, int64_t row, const double *x);

/* out += A M_block for COUNT rows of A, STRIDE numbers apart. M_block: DEPTH rows of M from FIRST on. out: COUNT x
 * columns. */
void multiplier_add(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                    int64_t stride, int64_t count, double *out);

/* The same with rows of out OUT_STRIDE numbers apart; and with all rows of M. */
void multiplier_add_to(const struct multiplier *m, int64_t first, int64_t depth, const double *a,
                       int64_t stride, int64_t count, double *out, int64_t out_stride);
void multiplier_add_all(const struct multiplier *m, const double *a, int64_t stride, int64_t count,
                        double *out, int64_t out_stride);

/* out += A M for COUNT rows of a sparse A: row i has the nonzeros a[k] in the columns row[k], ascending,
 * start[i] <= k < start[i + 1]. */
void multiplier_add_sparse(const struct multiplier *m, const int32_t *start, const int32_t *row,
                           const double *a, int64_t count, double *out);

/* out = A M for COUNT rows of A, stored one after another. */
void multiplier_apply(const struct multiplier *m, const double *a, int64_t count, double *out);

#endif
