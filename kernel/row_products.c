/* row_products.c - rows that are dense enough are unpacked and multiplied together, the others by their entries. */
#include "kernel/row_products.h"

#include <stdbool.h>
#include <string.h>

enum {
    MAX_ROWS_TOGETHER = 48, /* rows */
    MAX_ENTRIES = 4096      /* entries of sparse rows at a time */
};

/* Rows are unpacked if their nonzeros are at least this share of M's rows. */
static const double dense_share = 0.7;

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

/* Entries of sparse rows, one row after another. */
struct entries {
    int32_t start[MAX_ROWS_TOGETHER + 1], matrix_row[MAX_ENTRIES];
    double x[MAX_ENTRIES];
};

/* Adds row i's entries from *next on, as many as fit. */
static bool add_piece(const struct operand *o, struct entries *piece, int64_t i, int64_t *next,
                      double *out) {
    piece->start[0] = 0;
    piece->start[1] =
        (int32_t)next_entries(o, i, next, o->m->rows, MAX_ENTRIES, piece->matrix_row, piece->x);
    multiplier_add_sparse(o->m, piece->start, piece->matrix_row, piece->x, 1, out);
    return piece->start[1] > 0;
}

/* Collects the entries of rows from `from` on, as many rows as fit; returns their number. */
static int64_t collect(const struct operand *o, struct entries *entries, int64_t from, int64_t to) {
    int64_t count = 0;
    entries->start[0] = 0;
    for (; from + count < to; count++) {
        int64_t next = 0, taken = entries->start[count];
        if (taken + dataset_count(o->rows, from + count) > MAX_ENTRIES)
            break;
        taken += next_entries(o, from + count, &next, o->m->rows, MAX_ENTRIES - taken,
                              entries->matrix_row + taken, entries->x + taken);
        entries->start[count + 1] = (int32_t)taken;
    }
    return count;
}

/* Rows together, so that a panel of M is read from the cache; a row of many entries alone. */
static void add_sparse_rows(const struct operand *o, int64_t from, int64_t to, double *out) {
    struct entries entries;
    while (from < to) {
        int64_t next = 0, count = collect(o, &entries, from, to);
        multiplier_add_sparse(o->m, entries.start, entries.matrix_row, entries.x, count, out);
        while (count == 0 && add_piece(o, &entries, from, &next, out))
            ;
        count = count > 0 ? count : 1;
        from += count;
        out += count * o->m->columns;
    }
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
        double entries = (double)(dataset_start(rows, end) - dataset_start(rows, from));
        if (entries >= dense_share * (double)(m->rows * (end - from)))
            add_dense_rows(&o, from, end, out);
        else
            add_sparse_rows(&o, from, end, out);
        out += (end - from) * m->columns;
    }
}
