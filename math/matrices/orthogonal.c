/* orthogonal.c - modified Gram-Schmidt with reorthogonalization, the longest column first. */
#include "math/matrices/orthogonal.h"

#include "io/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double dependent_length =
    1e-12; /* of a column's length: a shorter remainder counts as 0 */

struct columns {
    double *x;
    int64_t rows, count;
    const double *weight;
};

/* sum_i w_i x_ij x_ik */
static double product(const struct columns *c, int64_t j, int64_t k) {
    double sum = 0;
    for (int64_t i = 0; i < c->rows; i++) {
        const double *x = c->x + i * c->count;
        sum += (c->weight == NULL ? 1 : c->weight[i]) * x[j] * x[k];
    }
    return sum;
}

/* x_k -= <q_j, x_k> q_j; adds the product to row ROW of R. */
static void subtract(const struct columns *c, struct orthogonal *o, int64_t row, int64_t j,
                     int64_t k) {
    double projection = product(c, j, k);
    for (int64_t i = 0; i < c->rows; i++)
        c->x[i * c->count + k] -= projection * c->x[i * c->count + j];
    o->r[row * o->columns + k] += projection;
}

static void divide(const struct columns *c, int64_t j, double divisor) {
    for (int64_t i = 0; i < c->rows; i++)
        c->x[i * c->count + j] /= divisor;
}

/* Divides each column by its largest entry and computes its length; length 0: the column is 0 or has a value that
 * is not finite. */
static void scale(const struct columns *c, struct orthogonal *o, double *length) {
    for (int64_t j = 0; j < c->count; j++) {
        double largest = 0, sum = 0;
        for (int64_t i = 0; i < c->rows; i++) {
            if (c->weight != NULL && c->weight[i] == 0)
                continue;
            double x = fabs(c->x[i * c->count + j]);
            largest = fmax(largest, x);
            sum += x * 0; /* not-a-number if x is not finite */
        }
        bool usable = sum == 0 && largest > 0;
        o->size[j] = usable ? largest : 1;
        length[j] = 0;
        if (!usable)
            continue;
        divide(c, j, largest);
        length[j] = sqrt(product(c, j, j));
    }
}

/* The index in `order` of the column with the largest remainder, relative to its length; -1: no remainder is larger
 * than rounding. */
static int64_t choose(const struct columns *c, const struct orthogonal *o, const double *length) {
    int64_t chosen = -1;
    double largest = dependent_length;
    for (int64_t k = o->rank; k < o->columns; k++) {
        int64_t j = o->order[k];
        double remainder = length[j] > 0 ? sqrt(product(c, j, j)) / length[j] : 0;
        if (remainder > largest) {
            largest = remainder;
            chosen = k;
        }
    }
    return chosen;
}

static void factor(const struct columns *c, struct orthogonal *o, const double *length) {
    int64_t at;
    while (o->rank < o->columns && o->rank < c->rows && (at = choose(c, o, length)) >= 0) {
        int64_t j = o->order[at];
        o->order[at] = o->order[o->rank];
        o->order[o->rank] = j;
        for (int64_t k = 0; k < o->rank; k++)
            subtract(c, o, k, o->order[k], j);
        double remainder = sqrt(product(c, j, j));
        divide(c, j, remainder);
        o->r[o->rank * o->columns + j] = remainder;
        for (int64_t k = ++o->rank; k < o->columns; k++)
            if (length[o->order[k]] > 0)
                subtract(c, o, o->rank - 1, j, o->order[k]);
    }
}

/* Moves the independent columns together: x becomes rows x rank. */
static int compact(const struct columns *c, const struct orthogonal *o, struct error *e) {
    double *row = memory_new(c->count, sizeof *row, "the basis functions", e);
    if (row == NULL)
        return -1;
    for (int64_t i = 0; i < c->rows; i++) {
        for (int64_t k = 0; k < o->rank; k++)
            row[k] = c->x[i * c->count + o->order[k]];
        memcpy(c->x + i * o->rank, row, sizeof *row * (size_t)o->rank);
    }
    free(row);
    return 0;
}

int orthogonal_init(struct orthogonal *o, double *x, int64_t rows, int64_t columns,
                    const double *weight, struct error *e) {
    struct columns c = {x, rows, columns, weight};
    *o = (struct orthogonal){.columns = columns};
    o->r = memory_zeroed(columns * columns, sizeof *o->r, "the basis functions", e);
    o->size = memory_new(2 * columns, sizeof *o->size, "the basis functions", e);
    o->order = memory_new(columns, sizeof *o->order, "the basis functions", e);
    if (o->r == NULL || o->size == NULL || o->order == NULL)
        return -1;
    for (int64_t j = 0; j < columns; j++)
        o->order[j] = j;
    double *length = o->size + columns;
    scale(&c, o, length);
    factor(&c, o, length);
    return compact(&c, o, e);
}

void orthogonal_free(struct orthogonal *o) {
    free(o->r);
    free(o->size);
    free(o->order);
    *o = (struct orthogonal){0};
}

void orthogonal_to_columns(const struct orthogonal *o, const double *y, double *x) {
    for (int64_t k = o->rank; k < o->columns; k++)
        x[o->order[k]] = 0;
    for (int64_t k = o->rank - 1; k >= 0; k--) {
        const double *r = o->r + k * o->columns;
        double remainder = y[k];
        for (int64_t l = k + 1; l < o->rank; l++)
            remainder -= r[o->order[l]] * x[o->order[l]];
        x[o->order[k]] = remainder / r[o->order[k]];
    }
    for (int64_t k = 0; k < o->rank; k++)
        x[o->order[k]] /= o->size[o->order[k]];
}

void orthogonal_to_basis(const struct orthogonal *o, const double *x, double *y) {
    for (int64_t k = 0; k < o->rank; k++) {
        const double *r = o->r + k * o->columns;
        y[k] = 0;
        for (int64_t l = k; l < o->columns; l++)
            y[k] += r[o->order[l]] * o->size[o->order[l]] * x[o->order[l]];
    }
}
