/* tridiagonal.c - reduces a symmetric matrix to tridiagonal form by panels of rows. */
#include "math/matrices/tridiagonal.h"

#include "io/memory.h"
#include "math/dense.h"
#include "math/matrices/gram_tiles.h"
#include "math/matrices/multiply.h"
#include "math/matrices/symmetric.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    PANEL_HEIGHT = 32, /* rows that are reduced before the matrix is updated */
    REFLECTIONS = 64,  /* reflections that are applied at once */
    CHUNK_ROWS = 48,   /* rows of X in a thread's task */
    MIN_PARALLEL_COLUMNS = 256,
    GROUP_TILES = 8 /* rows and columns of tiles that fit into the cache together */
};

static const double negligible_entry = 1e-100; /* of a matrix whose largest entry is about 1 */

struct reduction {
    double *a;
    int64_t n;
    double *d, *e, *tau;
    double *w;        /* PANEL_HEIGHT x n */
    double *diagonal; /* of the matrix before the panel */
    double *work;     /* SYMMETRIC_PARTS x n */
    double *left, *right;
    gram_tiles_tile *multiply;
};

static int reduction_init(struct reduction *r, struct error *e) {
    int64_t n = r->n, batch = gram_tiles_size(n);
    size_t bytes = sizeof(double) * (size_t)(2 * batch);
    r->w = memory_new((PANEL_HEIGHT + SYMMETRIC_PARTS + 1) * n, sizeof(double), "eigenvalues", e);
    if (r->w == NULL)
        return -1;
    r->diagonal = r->w + PANEL_HEIGHT * n;
    r->work = r->diagonal + n;
    r->left = aligned_alloc(PANEL_ALIGNMENT, bytes < PANEL_ALIGNMENT ? PANEL_ALIGNMENT : bytes);
    if (r->left == NULL) {
        error_memory(e, "eigenvalues", 2 * batch, sizeof(double));
        return -1;
    }
    r->right = r->left + batch;
    r->multiply = gram_tiles_tile_for_machine();
    return 0;
}

static void reduction_free(struct reduction *r) {
    free(r->w);
    free(r->left);
}

/* Computes the reflection H x = (0 ... 0 beta) of x (n entries). x becomes v, whose last entry is 1; returns tau. */
static double reflect(double *x, int64_t n, double *beta) {
    double last = x[n - 1], largest = vector_largest(x, n - 1);
    x[n - 1] = 1;
    if (!(largest > negligible_entry)) {
        memset(x, 0, sizeof *x * (size_t)(n - 1));
        *beta = last;
        return 0;
    }
    double length = hypot(last, sqrt(vector_dot_wide(x, x, n - 1)));
    *beta = last > 0 ? -length : length;
    vector_scale(x, 1 / (last - *beta), n - 1);
    return (*beta - last) / *beta;
}

/* Row `at` of the panel that began at row `top`: w = tau (A v - V W'v - W V'v), and then w -= tau/2 (w'v) v. */
static void compute_w(struct reduction *r, int64_t top, int64_t at) {
    int64_t n = r->n, i = top - at;
    double *v = r->a + i * n, *w = r->w + at * n, tau = r->tau[i];
    symmetric_multiply(r->a, n, r->diagonal, i, v, w, r->work);
    for (int64_t p = 0; p < at; p++) {
        const double *vp = r->a + (top - p) * n, *wp = r->w + p * n;
        double along_w = vector_dot_wide(wp, v, i), along_v = vector_dot_wide(vp, v, i);
        vector_add_wide(w, -along_w, vp, i);
        vector_add_wide(w, -along_v, wp, i);
    }
    vector_scale(w, tau, i);
    vector_add_wide(w, -tau / 2 * vector_dot_wide(w, v, i), v, i);
}

/* Reduces row i = top - at: first applies the updates of the panel's previous rows, then computes the reflection
 * and w. */
static void reduce_row(struct reduction *r, int64_t top, int64_t at) {
    int64_t n = r->n, i = top - at;
    double *row = r->a + i * n;
    for (int64_t p = 0; p < at; p++) {
        const double *vp = r->a + (top - p) * n, *wp = r->w + p * n;
        vector_add_wide(row, -wp[i], vp, i + 1);
        vector_add_wide(row, -vp[i], wp, i + 1);
    }
    r->d[i] = row[i];
    memset(row + i, 0, sizeof *row * (size_t)(n - i));
    if (i == 0)
        return;
    r->tau[i] = reflect(row, i, &r->e[i - 1]);
    compute_w(r, top, at);
}

/* Packs the panel's v and w for the product: `left` has v above w, `right` w above v. */
static void pack(struct reduction *r, int64_t top, int64_t rows, int64_t columns) {
#pragma omp parallel for schedule(static) if (columns >= MIN_PARALLEL_COLUMNS)
    for (int64_t at = 0; at < rows; at++)
        for (int64_t j = 0; j < columns; j++) {
            double v = r->a[(top - at) * r->n + j], w = r->w[at * r->n + j];
            r->left[gram_tiles_index(at, j)] = r->right[gram_tiles_index(rows + at, j)] = v;
            r->left[gram_tiles_index(rows + at, j)] = r->right[gram_tiles_index(at, j)] = w;
        }
}

static void subtract_tile(struct reduction *r, int64_t i, int64_t j, int64_t rows, int64_t size) {
    _Alignas(PANEL_ALIGNMENT) double tile[PANEL_COLUMNS * PANEL_COLUMNS];
    r->multiply(r->left + i * PANEL_ROWS, r->right + j * PANEL_ROWS, rows, tile);
    for (int64_t a = 0; a < PANEL_COLUMNS && i + a < size; a++) {
        double *to = r->a + (i + a) * r->n + j;
        if (i > j)
            for (int b = 0; b < PANEL_COLUMNS; b++)
                to[b] -= tile[a * PANEL_COLUMNS + b];
        else
            for (int64_t b = 0; b <= a; b++)
                to[b] -= tile[a * PANEL_COLUMNS + b];
    }
}

/* A -= V W' + W V' for the rows above the panel. */
static void subtract_panel(struct reduction *r, int64_t top, int64_t rows) {
    int64_t size = top + 1 - rows, step = GROUP_TILES * PANEL_COLUMNS;
    pack(r, top, rows, size);
#pragma omp parallel for schedule(dynamic, 1) if (size >= MIN_PARALLEL_COLUMNS)
    for (int64_t group = (size - 1) / step * step; group >= 0; group -= step)
        for (int64_t j = 0; j < size && j < group + step; j += PANEL_COLUMNS)
            for (int64_t i = j > group ? j : group; i < size && i < group + step;
                 i += PANEL_COLUMNS)
                subtract_tile(r, i, j, 2 * rows, size);
}

/* Reduces the rows of the panel at TOP and updates the rows above it; -1 if interrupted. */
static int reduce_panel(struct reduction *r, int64_t top, const struct interruption *interrupted) {
    int64_t rows = top + 1 < PANEL_HEIGHT ? top + 1 : PANEL_HEIGHT;
    for (int64_t i = 0; i <= top; i++)
        r->diagonal[i] = r->a[i * r->n + i];
    for (int64_t at = 0; at < rows; at++) {
        if (interruption_came(interrupted))
            return -1;
        reduce_row(r, top, at);
    }
    if (top + 1 > rows)
        subtract_panel(r, top, rows);
    return 0;
}

int tridiagonal_reduce(double *a, int64_t n, double *d, double *e, double *tau,
                       const struct interruption *interrupted, struct error *error) {
    struct reduction r = {.a = a, .n = n, .d = d, .e = e, .tau = tau};
    int status = reduction_init(&r, error);
    for (int64_t top = n - 1; status == 0 && top >= 0; top -= PANEL_HEIGHT)
        status = reduce_panel(&r, top, interrupted);
    reduction_free(&r);
    return status;
}

/* H_from ... H_to-1 = I - V F V', applied as X += (X V) (-F V'): `v_columns` is V, `minus_f_v` is -F V'. */
struct reflections {
    const double *v, *tau;
    int64_t n;
    struct multiplier v_columns, minus_f_v;
    double f[REFLECTIONS][REFLECTIONS];
};

static void compute_f(struct reflections *b, int64_t from, int64_t count) {
    double v_products[REFLECTIONS];
    for (int64_t c = 0; c < count; c++) {
        double tau = b->tau[from + c];
        for (int64_t p = 0; p < c; p++)
            v_products[p] =
                vector_dot_wide(b->v + (from + p) * b->n, b->v + (from + c) * b->n, from + p);
        for (int64_t p = 0; p < c; p++) {
            double sum = 0;
            for (int64_t q = p; q < c; q++)
                sum += b->f[p][q] * v_products[q];
            b->f[p][c] = -tau * sum;
        }
        b->f[c][c] = tau;
    }
}

/* Sets the two factors; `row` is scratch memory for a row. */
static void set_factors(struct reflections *b, int64_t from, int64_t count, double *row) {
    int64_t length = from + count - 1;
    compute_f(b, from, count);
    multiplier_resize(&b->v_columns, length, count);
    multiplier_resize(&b->minus_f_v, count, length);
    for (int64_t c = 0; c < count; c++) {
        const double *v = b->v + (from + c) * b->n;
        for (int64_t k = 0; k < length; k++)
            *multiplier_entry(&b->v_columns, k, c) = v[k];
        memset(row, 0, sizeof *row * (size_t)length);
        for (int64_t q = c; q < count; q++)
            vector_add_wide(row, -b->f[c][q], b->v + (from + q) * b->n, length);
        multiplier_set_row(&b->minus_f_v, c, row);
    }
}

/* X <- X H_from ... H_to-1. -1 if interrupted. */
static int reflect_rows(const struct reflections *b, double *x,
                        const struct interruption *interrupted) {
    int64_t count = b->minus_f_v.rows;
#pragma omp parallel for schedule(dynamic, 1) if (b->n >= MIN_PARALLEL_COLUMNS)
    for (int64_t top = 0; top < b->n; top += CHUNK_ROWS) {
        double y[CHUNK_ROWS * REFLECTIONS];
        if (interruption_came(interrupted))
            continue;
        int64_t rows = b->n - top < CHUNK_ROWS ? b->n - top : CHUNK_ROWS;
        memset(y, 0, sizeof *y * (size_t)(rows * count));
        multiplier_add_all(&b->v_columns, x + top * b->n, b->n, rows, y, count);
        multiplier_add_all(&b->minus_f_v, y, count, rows, x + top * b->n, b->n);
    }
    return interruption_came(interrupted) ? -1 : 0;
}

int tridiagonal_restore(const double *v, int64_t n, const double *tau, double *x,
                        const struct interruption *interrupted, struct error *e) {
    struct reflections *b = memory_zeroed(1, sizeof *b, "eigenvectors", e);
    double *row = memory_new(n, sizeof *row, "eigenvectors", e);
    int status = -1;
    if (b != NULL && row != NULL && multiplier_init(&b->v_columns, n, REFLECTIONS, e) == 0 &&
        multiplier_init(&b->minus_f_v, REFLECTIONS, n, e) == 0) {
        b->v = v;
        b->n = n;
        b->tau = tau;
        status = 0;
        for (int64_t from = 1; status == 0 && from < n; from += REFLECTIONS) {
            set_factors(b, from, n - from < REFLECTIONS ? n - from : REFLECTIONS, row);
            status = reflect_rows(b, x, interrupted);
        }
    }
    if (b != NULL) {
        multiplier_free(&b->v_columns);
        multiplier_free(&b->minus_f_v);
    }
    free(b);
    free(row);
    return status;
}
