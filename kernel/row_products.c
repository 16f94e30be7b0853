/* row_products.c - rows that are dense enough are unpacked and multiplied together, the others one by one. */
#include "kernel/row_products.h"

#include <string.h>

enum {
    MAX_ROWS_TOGETHER = 48, /* rows */
    SPARSE_PIECE = 256      /* entries of a sparse row at a time */
};

/* Rows are unpacked if their nonzeros are at least this share of M's rows. */
static const double dense_share = 0.3;

struct operand {
    const struct multiplier *m;
    const int32_t *matrix_row;
    int32_t features;
    const struct dataset *rows;
};

static int32_t matrix_row_of(const struct operand *o, int32_t column) {
    return o->matrix_row == NULL ? column : o->matrix_row[column];
}

/* Collects up to `limit` entries of row i, from entry *next on, whose rows of M are below `end`; returns their
 * number. */
static int64_t next_entries(const struct operand *o, int64_t i, int64_t *next, int64_t end,
                            int64_t limit, int32_t *matrix_row, double *x) {
    const int32_t *column = dataset_columns(o->rows, i);
    const double *value = dataset_values(o->rows, i);
    int64_t count = dataset_count(o->rows, i), taken = 0, k = *next;
    for (; k < count && column[k] < o->features && taken < limit; k++) {
        int32_t at = matrix_row_of(o, column[k]);
        if (at >= end)
            break;
        matrix_row[taken] = at;
        x[taken] = value == NULL ? 1 : value[k];
        taken += at >= 0;
    }
    *next = k;
    return taken;
}

static void add_sparse_row(const struct operand *o, int64_t i, double *out) {
    int32_t matrix_row[SPARSE_PIECE];
    double x[SPARSE_PIECE];
    int64_t next = 0, taken;
    while ((taken = next_entries(o, i, &next, o->m->rows, SPARSE_PIECE, matrix_row, x)) > 0)
        multiplier_add_sparse(o->m, matrix_row, x, taken, out);
}

/* Unpacks row i's entries for M's rows first <= r < first + depth into a; the others are 0. */
static void unpack(const struct operand *o, int64_t i, int64_t *next, int64_t first, int64_t depth,
                   double *a) {
    int32_t matrix_row[MULTIPLY_DEPTH];
    double x[MULTIPLY_DEPTH];
    int64_t taken = next_entries(o, i, next, first + depth, MULTIPLY_DEPTH, matrix_row, x);
    memset(a, 0, sizeof *a * (size_t)depth);
    for (int64_t k = 0; k < taken; k++)
        a[matrix_row[k] - first] = x[k];
}

static void add_dense_rows(const struct operand *o, int64_t from, int64_t to, double *out) {
    double a[MAX_ROWS_TOGETHER * MULTIPLY_DEPTH];
    int64_t next[MAX_ROWS_TOGETHER] = {0};
    for (int64_t first = 0; first < o->m->rows; first += MULTIPLY_DEPTH) {
        int64_t left = o->m->rows - first, depth = left < MULTIPLY_DEPTH ? left : MULTIPLY_DEPTH;
        for (int64_t i = from; i < to; i++)
            unpack(o, i, &next[i - from], first, depth, a + (i - from) * depth);
        multiplier_add(o->m, first, depth, a, depth, to - from, out);
    }
}

void row_products_add(const struct multiplier *m, const int32_t *matrix_row, int32_t features,
                      const struct dataset *rows, int64_t from, int64_t to, double *out) {
    struct operand o = {m, matrix_row, features, rows};
    for (int64_t end; from < to; from = end) {
        end = to - from < MAX_ROWS_TOGETHER ? to : from + MAX_ROWS_TOGETHER;
        double entries = (double)(rows->start[end] - rows->start[from]);
        if (entries >= dense_share * (double)(m->rows * (end - from)))
            add_dense_rows(&o, from, end, out);
        else
            for (int64_t i = from; i < end; i++)
                add_sparse_row(&o, i, out + (i - from) * m->columns);
        out += (end - from) * m->columns;
    }
}
