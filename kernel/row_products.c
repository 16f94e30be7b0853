/* row_products.c - rows that are dense enough are unpacked and multiplied together, others alone. */
#include "kernel/row_products.h"

#include <string.h>

enum {
    TOGETHER = 48, /* rows */
    PIECE = 256    /* nonzeros of a row alone */
};

/* A row is unpacked where its nonzeros are at least this part of M's rows. */
static const double dense_part = 0.3;

struct operand {
    const struct multiplier *m;
    const int32_t *place;
    int32_t features;
    const struct dataset *rows;
};

static int32_t place_of(const struct operand *o, int32_t column) {
    return o->place == NULL ? column : o->place[column];
}

/* The entries of row i from *next on that meet M's rows below `end`; their number. */
static int64_t take(const struct operand *o, int64_t i, int64_t *next, int64_t end, int64_t most,
                    int32_t *place, double *x) {
    const int32_t *column = dataset_columns(o->rows, i);
    const double *value = dataset_values(o->rows, i);
    int64_t count = dataset_count(o->rows, i), taken = 0, k = *next;
    for (; k < count && column[k] < o->features && taken < most; k++) {
        int32_t at = place_of(o, column[k]);
        if (at >= end)
            break;
        place[taken] = at;
        x[taken] = value == NULL ? 1 : value[k];
        taken += at >= 0;
    }
    *next = k;
    return taken;
}

static void add_alone(const struct operand *o, int64_t i, double *out) {
    int32_t place[PIECE];
    double x[PIECE];
    int64_t next = 0, taken;
    while ((taken = take(o, i, &next, o->m->rows, PIECE, place, x)) > 0)
        multiplier_add_sparse(o->m, place, x, taken, out);
}

/* Row i's entries that meet M's rows first <= r < first + depth, the others 0. */
static void unpack(const struct operand *o, int64_t i, int64_t *next, int64_t first, int64_t depth,
                   double *a) {
    int32_t place[MULTIPLY_DEPTH];
    double x[MULTIPLY_DEPTH];
    int64_t taken = take(o, i, next, first + depth, MULTIPLY_DEPTH, place, x);
    memset(a, 0, sizeof *a * (size_t)depth);
    for (int64_t k = 0; k < taken; k++)
        a[place[k] - first] = x[k];
}

static void add_together(const struct operand *o, int64_t from, int64_t to, double *out) {
    double a[TOGETHER * MULTIPLY_DEPTH];
    int64_t next[TOGETHER] = {0};
    for (int64_t first = 0; first < o->m->rows; first += MULTIPLY_DEPTH) {
        int64_t left = o->m->rows - first, depth = left < MULTIPLY_DEPTH ? left : MULTIPLY_DEPTH;
        for (int64_t i = from; i < to; i++)
            unpack(o, i, &next[i - from], first, depth, a + (i - from) * depth);
        multiplier_add(o->m, first, depth, a, depth, to - from, out);
    }
}

void row_products_add(const struct multiplier *m, const int32_t *place, int32_t features,
                      const struct dataset *rows, int64_t from, int64_t to, double *out) {
    struct operand o = {m, place, features, rows};
    for (int64_t end; from < to; from = end) {
        end = to - from < TOGETHER ? to : from + TOGETHER;
        double entries = (double)(rows->start[end] - rows->start[from]);
        if (entries >= dense_part * (double)(m->rows * (end - from)))
            add_together(&o, from, end, out);
        else
            for (int64_t i = from; i < end; i++)
                add_alone(&o, i, out + (i - from) * m->columns);
        out += (end - from) * m->columns;
    }
}
