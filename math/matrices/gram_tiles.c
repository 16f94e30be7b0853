/* gram_tiles.c - a tile of 8 x 8 products at a time, held in registers. */
#include "math/matrices/gram_tiles.h"

#include "math/simd.h"

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

/* Vectors of the machine's widths. gcc keeps wider ones on the stack. */
typedef double two __attribute__((vector_size(16), aligned(PANEL_ALIGNMENT / 4)));
typedef double four __attribute__((vector_size(32), aligned(PANEL_ALIGNMENT / 2)));
typedef double eight __attribute__((vector_size(64), aligned(PANEL_ALIGNMENT)));

/* COUNT of the a at a time, all b in vectors of a width: as many sums as the registers hold. */
#define PRODUCTS(vector, COUNT)                                                                    \
    enum { VECTORS = PANEL_COLUMNS * sizeof(double) / sizeof(vector) };                            \
    const vector *panel = (const vector *)right;                                                   \
    vector *sums = (vector *)tile;                                                                 \
    for (int from = 0; from < PANEL_COLUMNS; from += COUNT) {                                      \
        vector sum[COUNT][VECTORS] = {0};                                                          \
        for (int64_t row = 0; row < rows; row++)                                                   \
            for (int a = 0; a < COUNT; a++)                                                        \
                for (int b = 0; b < VECTORS; b++)                                                  \
                    sum[a][b] += left[row * PANEL_COLUMNS + from + a] * panel[row * VECTORS + b];  \
        for (int a = 0; a < COUNT; a++)                                                            \
            for (int b = 0; b < VECTORS; b++)                                                      \
                sums[(from + a) * VECTORS + b] = sum[a][b];                                        \
    }

static void tile_any(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(two, 2);
}

#ifdef __x86_64__
static SIMD_512 void tile_512(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(eight, 8);
}

static SIMD_256 void tile_256(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(four, 4);
}

gram_tiles_tile *gram_tiles_tile_for_machine(void) {
    int width = simd_width();
    return width == 512 ? tile_512 : width == 256 ? tile_256 : tile_any;
}
#else
gram_tiles_tile *gram_tiles_tile_for_machine(void) {
    return tile_any;
}
#endif

/* Adds the tile of rows i.. and columns j.. to C, below the diagonal and within n. */
static void add_tile(double *c, int64_t n, int64_t i, int64_t j, const double *tile) {
    for (int64_t a = 0; a < PANEL_COLUMNS && i + a < n; a++) {
        const double *from = tile + a * PANEL_COLUMNS;
        double *to = c + (i + a) * n + j;
        int64_t count = i > j ? PANEL_COLUMNS : a + 1;
        for (int64_t b = 0; b < count; b++)
            to[b] += from[b];
    }
}

void gram_tiles_add_products(double *c, int64_t n, const double *batch, int64_t rows) {
    gram_tiles_tile *multiply = gram_tiles_tile_for_machine();
    _Alignas(PANEL_ALIGNMENT) double tile[PANEL_COLUMNS * PANEL_COLUMNS];
    for (int64_t i = 0; i < n; i += PANEL_COLUMNS)
        for (int64_t j = 0; j <= i; j += PANEL_COLUMNS) {
            multiply(batch + i * PANEL_ROWS, batch + j * PANEL_ROWS, rows, tile);
            add_tile(c, n, i, j, tile);
        }
}
