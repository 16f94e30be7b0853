/* smo_interior_kernel.c - the kernel matrix of interior points. */
#include "solvers/kernel_machine/smo_interior_kernel.h"

#include "io/memory.h"
#include "kernel/map.h"
#include "kernel/points.h"
#include "math/dense.h"
#include "math/matrices/cholesky.h"
#include "math/matrices/gram_tiles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "interior points";
static const double rounding_of_diagonal = 1e-14; /* of the largest K_ii: less is rounding */

/* ---- memory */

static bool is_left_out(const struct canonical *c, int64_t i) {
    for (int64_t t = i; t < c->count; t += c->rows)
        if (c->upper[t] > 0)
            return false;
    return true;
}

static int allocate(struct interior_kernel *k, const struct canonical *c, int64_t rank,
                    struct error *e) {
    int64_t n = c->rows, order = rank > 0 ? rank : n;
    *k = (struct interior_kernel){.n = n, .rank = rank};
    k->value = memory_zeroed(order, (size_t)n * sizeof *k->value, what, e);
    k->diagonal = memory_zeroed(3 * n, sizeof *k->diagonal, what, e);
    k->factor = memory_zeroed(order, (size_t)order * sizeof *k->factor, what, e);
    k->factor_diagonal =
        memory_zeroed(2 * order + cholesky_work_size(order), sizeof *k->factor_diagonal, what, e);
    k->batch = aligned_alloc(PANEL_ALIGNMENT,
                             (size_t)gram_tiles_size(rank > 0 ? rank : 1) * sizeof *k->batch);
    if (k->value == NULL || k->diagonal == NULL || k->factor == NULL ||
        k->factor_diagonal == NULL || k->batch == NULL)
        return k->batch == NULL ? error_set(e, "out of memory for %s", what) : -1;
    k->rest = k->diagonal + n;
    k->scaled = k->rest + n;
    k->sums = k->factor_diagonal + order;
    k->work = k->sums + order;
    for (int64_t i = 0; i < n; i++)
        k->diagonal[i] = is_left_out(c, i) ? 0 : points_diagonal(&c->kernel, &c->data, i);
    return 0;
}

void interior_kernel_free(struct interior_kernel *k) {
    free(k->value);
    free(k->diagonal);
    free(k->factor);
    free(k->factor_diagonal);
    free(k->batch);
    *k = (struct interior_kernel){0};
}

/* ---- K */

static void leave_out(struct interior_kernel *k, const struct canonical *c) {
    for (int64_t i = 0; i < k->n; i++)
        if (is_left_out(c, i))
            for (int64_t j = 0; j < k->n; j++)
                k->value[i * k->n + j] = k->value[j * k->n + i] = i == j;
}

int interior_kernel_init(struct interior_kernel *k, const struct canonical *c, struct error *e) {
    struct points points;
    int64_t n = c->rows;
    if (allocate(k, c, 0, e) != 0)
        return -1;
    int status = points_of_kernel(&points, &c->kernel, &c->data, NULL, n, e);
    for (int64_t from = 0; status == 0 && from < n; from += MAP_BLOCK) {
        int64_t to = from + MAP_BLOCK < n ? from + MAP_BLOCK : n;
        points_squares(&c->data, from, to, k->scaled);
        points_kernel(&points, &c->kernel, &c->data, from, to, k->scaled, k->value + from * n);
    }
    points_free(&points);
    leave_out(k, c);
    return status;
}

/* The row with the largest entry of the diagonal that is left. */
static int64_t find_pivot(const struct interior_kernel *k) {
    int64_t pivot = 0;
    for (int64_t i = 1; i < k->n; i++)
        if (k->rest[i] > k->rest[pivot])
            pivot = i;
    return pivot;
}

/* Column j of L, from the pivot's row of K, which it holds. */
static void find_column(struct interior_kernel *k, int64_t j, int64_t pivot) {
    int64_t n = k->n;
    double *column = k->value + j * n, scale = 1 / sqrt(k->rest[pivot]);
    for (int64_t l = 0; l < j; l++) {
        const double *other = k->value + l * n;
        vector_add_wide(column, -other[pivot], other, n);
    }
    for (int64_t i = 0; i < n; i++) {
        column[i] = k->diagonal[i] > 0 && k->rest[i] > 0 ? column[i] * scale : 0;
        k->rest[i] = fmax(0, k->rest[i] - column[i] * column[i]);
    }
    k->rest[pivot] = 0;
}

int interior_kernel_init_low(struct interior_kernel *k, const struct canonical *c, int64_t rank,
                             struct error *e) {
    struct points points;
    if (allocate(k, c, rank, e) != 0)
        return -1;
    int status = points_of_kernel(&points, &c->kernel, &c->data, NULL, k->n, e);
    double largest = 0;
    memcpy(k->rest, k->diagonal, sizeof *k->rest * (size_t)k->n);
    for (int64_t j = 0; status == 0 && j < rank; j++) {
        int64_t pivot = find_pivot(k);
        double square;
        largest = fmax(largest, k->rest[pivot]);
        if (!(k->rest[pivot] > rounding_of_diagonal * largest)) {
            k->rank = j > 0 ? j : 1;
            break;
        }
        points_squares(&c->data, pivot, pivot + 1, &square);
        points_kernel(&points, &c->kernel, &c->data, pivot, pivot + 1, &square,
                      k->value + j * k->n);
        find_column(k, j, pivot);
    }
    k->complete = !(k->rest[find_pivot(k)] > rounding_of_diagonal * largest);
    points_free(&points);
    return status;
}

void interior_kernel_multiply(const struct interior_kernel *k, const double *x, double *y) {
    int64_t n = k->n;
    if (k->rank == 0) {
        for (int64_t i = 0; i < n; i++)
            y[i] = vector_dot_wide(k->value + i * n, x, n);
        return;
    }
    memset(y, 0, sizeof *y * (size_t)n);
    for (int64_t j = 0; j < k->rank; j++) {
        const double *column = k->value + j * n;
        vector_add_wide(y, vector_dot_wide(column, x, n), column, n);
    }
}

/* ---- systems */

/* factor = I + L'W L */
static void weigh_columns(struct interior_kernel *k) {
    int64_t n = k->n, rank = k->rank;
    memset(k->factor, 0, sizeof *k->factor * (size_t)(rank * rank));
    for (int64_t j = 0; j < rank; j++)
        k->factor[j * rank + j] = 1;
    for (int64_t i = 0; i < n; i++)
        k->scaled[i] = sqrt(k->w[i]);
    for (int64_t from = 0; from < n; from += PANEL_ROWS) {
        int64_t rows = n - from < PANEL_ROWS ? n - from : PANEL_ROWS;
        for (int64_t j = 0; j < rank; j++)
            for (int64_t i = 0; i < rows; i++)
                k->batch[gram_tiles_index(i, j)] = k->value[j * n + from + i] * k->scaled[from + i];
        gram_tiles_add_products(k->factor, rank, k->batch, rows);
    }
}

int interior_kernel_factor(struct interior_kernel *k, const double *w) {
    int64_t n = k->n;
    k->w = w;
    if (k->rank > 0) {
        weigh_columns(k);
        return cholesky_factor(k->factor, k->factor_diagonal, k->rank, k->work, NULL);
    }
    memcpy(k->factor, k->value, sizeof *k->value * (size_t)(n * n));
    for (int64_t i = 0; i < n; i++)
        k->factor[i * n + i] += 1 / w[i];
    return cholesky_factor(k->factor, k->factor_diagonal, n, k->work, NULL);
}

void interior_kernel_solve(const struct interior_kernel *k, double *x) {
    int64_t n = k->n;
    if (k->rank == 0) {
        cholesky_solve(k->factor, k->factor_diagonal, x, k->work, n);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        k->scaled[i] = k->w[i] * x[i];
    for (int64_t j = 0; j < k->rank; j++)
        k->sums[j] = vector_dot_wide(k->value + j * n, k->scaled, n);
    cholesky_solve(k->factor, k->factor_diagonal, k->sums, k->work, k->rank);
    for (int64_t j = 0; j < k->rank; j++)
        vector_add_wide(x, -k->sums[j], k->value + j * n, n);
    for (int64_t i = 0; i < n; i++)
        x[i] *= k->w[i];
}
