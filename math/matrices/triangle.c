/* triangle.c - Cholesky's factor by rows of blocks.
 *
 * A row of blocks is PANEL_ROWS rows of U from `first` on. It is kept twice: in the matrix and, for
 * the products, as a batch (math/matrices/gram_tiles.h), whose panel p has the columns from first + 8 p on. */
#include "math/matrices/triangle.h"

#include "math/matrices/gram_tiles.h"
#include "math/simd.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

enum {
    SIDE = PANEL_COLUMNS,
    LANES = 4,
    TILE = SIDE * SIDE,
    TILES = PANEL_ROWS / SIDE, /* in a block */
    GROUP = 8,                 /* panels whose products are made together: they stay in the cache */
    MIN_PARALLEL_COLUMNS = 256 /* columns from which on threads pay */
};

typedef double loose __attribute__((vector_size(LANES * sizeof(double)), aligned(8)));

/* A row of a tile; x[SIDE] is one. */
struct tile_row {
    _Alignas(PANEL_ALIGNMENT) double at[SIDE];
};

struct block_row {
    double *a;      /* of the matrix at (first, first) */
    int64_t stride; /* n */
    int64_t rows;   /* PANEL_ROWS, fewer in the last */
    int64_t columns;
    double *batch;
    double *inverse; /* 1 / u_ii, PANEL_ROWS */
    gram_tiles_tile *multiply;
};

int64_t triangle_work_size(int64_t n) {
    return gram_tiles_size(n) + PANEL_ROWS + PANEL_ALIGNMENT / (int64_t)sizeof(double);
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* A tile of the matrix without the products of the rows above it: row 8 t and column 8 p. */
static SIMD_BODY void reduce_tile(const struct block_row *r, int64_t t, int64_t p, int64_t rows,
                                  struct tile_row *x) {
    int64_t columns = smaller(SIDE, r->columns - p * SIDE);
    const double *from = r->a + t * SIDE * r->stride + p * SIDE;
    r->multiply(r->batch + t * SIDE * PANEL_ROWS, r->batch + p * SIDE * PANEL_ROWS, t * SIDE,
                x[0].at);
    for (int64_t a = 0; a < rows; a++, from += r->stride) {
        if (columns == SIDE)
            for (int64_t b = 0; b < SIDE; b++)
                x[a].at[b] = from[b] - x[a].at[b];
        else
            for (int64_t b = 0; b < columns; b++)
                x[a].at[b] = from[b] - x[a].at[b];
    }
}

/* Rows of a tile, to the batch and, from column `from` (a) on, to the matrix. */
static SIMD_BODY void store_tile(const struct block_row *r, int64_t t, int64_t p, int64_t rows,
                                 const struct tile_row *x, bool diagonal) {
    int64_t columns = smaller(SIDE, r->columns - p * SIDE);
    double *to = r->a + t * SIDE * r->stride + p * SIDE;
    struct tile_row *panel = (struct tile_row *)(r->batch + p * SIDE * PANEL_ROWS) + t * SIDE;
    for (int64_t a = 0; a < rows; a++, to += r->stride) {
        panel[a] = x[a];
        for (int64_t b = diagonal ? a : 0; b < columns; b++)
            to[b] = x[a].at[b];
    }
}

/* x -= c y */
static SIMD_BODY void subtract_row(struct tile_row *x, double c, const struct tile_row *y) {
    for (int b = 0; b < SIDE; b++)
        x->at[b] -= c * y->at[b];
}

static SIMD_BODY void scale_row(struct tile_row *x, double c) {
    for (int b = 0; b < SIDE; b++)
        x->at[b] *= c;
}

/* x <- U_tt'^-1 x, U_tt the tile on the diagonal. */
static SIMD_BODY void solve_tile(const struct block_row *r, int64_t t, int64_t rows,
                                 struct tile_row *x) {
    const double *u = r->batch + t * SIDE * PANEL_ROWS + t * TILE;
    for (int64_t a = 0; a < rows; a++) {
        for (int64_t above = 0; above < a; above++)
            subtract_row(&x[a], u[above * SIDE + a], &x[above]);
        scale_row(&x[a], r->inverse[t * SIDE + a]);
    }
}

/* Factors the tile on the diagonal; false where it is not positive definite. */
static SIMD_BODY bool factor_tile(const struct block_row *r, int64_t t, int64_t rows,
                                  struct tile_row *x) {
    for (int64_t a = 0; a < rows; a++) {
        for (int64_t above = 0; above < a; above++)
            subtract_row(&x[a], x[above].at[a], &x[above]);
        double pivot = x[a].at[a];
        if (!(pivot > 0) || !isfinite(pivot))
            return false;
        double inverse = 1 / sqrt(pivot);
        r->inverse[t * SIDE + a] = inverse;
        scale_row(&x[a], inverse);
        for (int64_t b = 0; b < a; b++)
            x[a].at[b] = 0;
        x[a].at[a] = sqrt(pivot);
    }
    return true;
}

/* Panel p of the row of blocks: those within the diagonal block end there. */
static SIMD_BODY void triangle_panel_body(const struct block_row *r, int64_t p, bool *sound) {
    struct tile_row x[SIDE] = {0};
    for (int64_t t = 0; t * SIDE < r->rows && t <= p; t++) {
        int64_t rows = smaller(SIDE, r->rows - t * SIDE);
        reduce_tile(r, t, p, rows, x);
        if (t < p)
            solve_tile(r, t, rows, x);
        else
            *sound = factor_tile(r, t, rows, x);
        if (!*sound)
            return;
        store_tile(r, t, p, rows, x, t == p);
    }
}
SIMD_CLONES(void, triangle_panel, (const struct block_row *r, int64_t p, bool *sound),
            (r, p, sound))

/* Subtracts a tile of products from the matrix at row 8 p and column 8 q. */
static SIMD_BODY void subtract_tile(const struct block_row *r, int64_t p, int64_t q) {
    struct tile_row x[SIDE];
    int64_t rows = smaller(SIDE, r->columns - p * SIDE),
            columns = smaller(SIDE, r->columns - q * SIDE);
    double *to = r->a + p * SIDE * r->stride + q * SIDE;
    r->multiply(r->batch + p * SIDE * PANEL_ROWS, r->batch + q * SIDE * PANEL_ROWS, r->rows,
                x[0].at);
    for (int64_t a = 0; a < rows; a++, to += r->stride) {
        if (columns == SIDE && p < q)
            for (int64_t b = 0; b < SIDE; b++)
                to[b] -= x[a].at[b];
        else
            for (int64_t b = p < q ? 0 : a; b < columns; b++)
                to[b] -= x[a].at[b];
    }
}

/* The products of the panels from `from` on, GROUP of them, with those behind. */
static SIMD_BODY void triangle_group_body(const struct block_row *r, int64_t from) {
    int64_t panels = (r->columns + SIDE - 1) / SIDE;
    for (int64_t q = from; q < panels; q++)
        for (int64_t p = from; p < from + GROUP && p <= q; p++)
            subtract_tile(r, p, q);
}
SIMD_CLONES(void, triangle_group, (const struct block_row *r, int64_t from), (r, from))

static bool factor_row(const struct block_row *r) {
    int64_t panels = (r->columns + SIDE - 1) / SIDE, block_panels = (r->rows + SIDE - 1) / SIDE;
    bool sound = true;
    for (int64_t p = 0; p < block_panels && sound; p++)
        triangle_panel(r, p, &sound);
    if (!sound)
        return false;
#pragma omp parallel if (r->columns >= MIN_PARALLEL_COLUMNS)
    {
#pragma omp for schedule(static)
        for (int64_t p = block_panels; p < panels; p++)
            triangle_panel(r, p, &(bool){true});
#pragma omp for schedule(dynamic, 1)
        for (int64_t from = block_panels; from < panels; from += GROUP)
            triangle_group(r, from);
    }
    return true;
}

int triangle_factor(double *a, int64_t n, double *work, const struct interruption *interrupted) {
    uintptr_t past = (uintptr_t)work % PANEL_ALIGNMENT;
    work += (PANEL_ALIGNMENT - past) % PANEL_ALIGNMENT / sizeof *work;
    struct block_row r = {.stride = n,
                          .batch = work,
                          .inverse = work + gram_tiles_size(n),
                          .multiply = gram_tiles_tile_for_machine()};
    for (int64_t first = 0; first < n; first += PANEL_ROWS) {
        r.a = a + first * n + first;
        r.columns = n - first;
        r.rows = smaller(PANEL_ROWS, n - first);
        if (interruption_came(interrupted) || !factor_row(&r))
            return -1;
    }
    return 0;
}

/* SIDE rows of the triangle at a time: its corner on the diagonal, then the rest of the rows. */
static SIMD_BODY void triangle_solve_transposed_body(const double *u, int64_t n, double *x) {
    for (int64_t i = 0; i < n; i += SIDE) {
        int64_t end = smaller(i + SIDE, n);
        const double *row = u + i * n;
        for (int64_t a = i; a < end; a++) {
            x[a] /= u[a * n + a];
            for (int64_t b = a + 1; b < end; b++)
                x[b] -= x[a] * u[a * n + b];
        }
        for (int64_t j = end; j < n; j++) /* end < n: there are SIDE rows */
            x[j] -= ((x[i] * row[j] + x[i + 1] * row[n + j]) +
                     (x[i + 2] * row[2 * n + j] + x[i + 3] * row[3 * n + j])) +
                    ((x[i + 4] * row[4 * n + j] + x[i + 5] * row[5 * n + j]) +
                     (x[i + 6] * row[6 * n + j] + x[i + 7] * row[7 * n + j]));
    }
}
SIMD_CLONES(void, triangle_solve_transposed, (const double *u, int64_t n, double *x), (u, n, x))

/* <u, x> over n coordinates */
static SIMD_BODY double dot(const double *u, const double *x, int64_t n) {
    loose sum[4] = {{0}};
    double remainder = 0;
    int64_t k = 0;
    for (; k + 4 * LANES <= n; k += 4 * LANES)
        for (int s = 0; s < 4; s++)
            sum[s] += *(const loose *)(u + k + s * LANES) * *(const loose *)(x + k + s * LANES);
    for (; k < n; k++)
        remainder += u[k] * x[k];
    sum[0] += sum[1] + (sum[2] + sum[3]);
    for (int lane = 0; lane < LANES; lane++)
        remainder += sum[0][lane];
    return remainder;
}

static SIMD_BODY void triangle_solve_body(const double *u, int64_t n, double *x) {
    for (int64_t i = n - 1; i >= 0; i--) {
        const double *row = u + i * n;
        x[i] = (x[i] - dot(row + i + 1, x + i + 1, n - i - 1)) / row[i];
    }
}
SIMD_CLONES(void, triangle_solve, (const double *u, int64_t n, double *x), (u, n, x))
