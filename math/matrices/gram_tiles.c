/* gram_tiles.c - a tile of 8 x 8 products at a time, held in registers. */
#include "math/matrices/gram_tiles.h"

#include "math/simd.h"

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

typedef double lanes
    __attribute__((vector_size(PANEL_COLUMNS * sizeof(double)), aligned(PANEL_ALIGNMENT)));

/* COUNT of the a at a time: as many as the registers hold. */
#define PRODUCTS(COUNT)                                                                            \
    const lanes *panel = (const lanes *)right;                                                     \
    lanes *sums = (lanes *)tile;                                                                   \
    for (int from = 0; from < PANEL_COLUMNS; from += COUNT) {                                      \
        lanes sum[COUNT] = {0};                                                                    \
        for (int64_t row = 0; row < rows; row++)                                                   \
            for (int a = 0; a < COUNT; a++)                                                        \
                sum[a] += left[row * PANEL_COLUMNS + from + a] * panel[row];                       \
        for (int a = 0; a < COUNT; a++)                                                            \
            sums[from + a] = sum[a];                                                               \
    }

static void tile_any(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(2);
}

#ifdef __x86_64__
static SIMD_512 void tile_512(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(8);
}

static SIMD_256 void tile_256(const double *left, const double *right, int64_t rows, double *tile) {
    PRODUCTS(4);
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
