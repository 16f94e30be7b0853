/* orthogonal.c - modified Gram-Schmidt, twice, the longest column first. */
#include "math/orthogonal.h"

#include "io/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const double dependent_length =
    1e-12; /* of a column's length: what is left of it counts as 0 */

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

/* x_k -= its part along q_j, which R gets. */
static void subtract(const struct columns *c, struct orthogonal *o, int64_t row, int64_t j,
                     int64_t k) {
    double part = product(c, j, k);
    for (int64_t i = 0; i < c->rows; i++)
        c->x[i * c->count + k] -= part * c->x[i * c->count + j];
    o->r[row * o->columns + k] += part;
}

static void divide(const struct columns *c, int64_t j, double by) {
    for (int64_t i = 0; i < c->rows; i++)
        c->x[i * c->count + j] /= by;
}

/* Columns by their largest entry, then length 1; length 0 where there is none. */
static void scale(const struct columns *c, struct orthogonal *o, double *length) {
    for (int64_t j = 0; j < c->count; j++) {
        double most = 0, sum = 0;
        for (int64_t i = 0; i < c->rows; i++) {
            if (c->weight != NULL && c->weight[i] == 0)
                continue;
            double x = fabs(c->x[i * c->count + j]);
            most = fmax(most, x);
            sum += x * 0; /* not-a-number where x is no number */
        }
        bool sound = sum == 0 && most > 0;
        o->size[j] = sound ? most : 1;
        length[j] = 0;
        if (!sound)
            continue;
        divide(c, j, most);
        length[j] = sqrt(product(c, j, j));
    }
}

/* The place in the order of the column of which most is left; -1: of none more than rounding. */
static int64_t choose(const struct columns *c, const struct orthogonal *o, const double *length) {
    int64_t chosen = -1;
    double most = dependent_length;
    for (int64_t k = o->rank; k < o->columns; k++) {
        int64_t j = o->order[k];
        double left = length[j] > 0 ? sqrt(product(c, j, j)) / length[j] : 0;
        if (left > most) {
            most = left;
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
        double left = sqrt(product(c, j, j));
        divide(c, j, left);
        o->r[o->rank * o->columns + j] = left;
        for (int64_t k = ++o->rank; k < o->columns; k++)
            if (length[o->order[k]] > 0)
                subtract(c, o, o->rank - 1, j, o->order[k]);
    }
}

/* The independent columns become neighbours, in their order. */
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

void orthogonal_leave(const struct orthogonal *o, const double *y, double *x) {
    for (int64_t k = o->rank; k < o->columns; k++)
        x[o->order[k]] = 0;
    for (int64_t k = o->rank - 1; k >= 0; k--) {
        const double *r = o->r + k * o->columns;
        double left = y[k];
        for (int64_t l = k + 1; l < o->rank; l++)
            left -= r[o->order[l]] * x[o->order[l]];
        x[o->order[k]] = left / r[o->order[k]];
    }
    for (int64_t k = 0; k < o->rank; k++)
        x[o->order[k]] /= o->size[o->order[k]];
}

void orthogonal_enter(const struct orthogonal *o, const double *x, double *y) {
    for (int64_t k = 0; k < o->rank; k++) {
        const double *r = o->r + k * o->columns;
        y[k] = 0;
        for (int64_t l = k; l < o->columns; l++)
            y[k] += r[o->order[l]] * o->size[o->order[l]] * x[o->order[l]];
    }
}
