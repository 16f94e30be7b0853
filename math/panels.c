/* panels.c - a tile of 8 x 8 products at a time, held in registers; the widest vectors that the machine
 * has, found when the program runs. */
#include "math/panels.h"

#include <stdbool.h>

#ifndef __clang__
#pragma GCC optimize("fp-contract=fast")
#endif

typedef double lanes __attribute__((vector_size(PANEL_COLUMNS * sizeof(double)), aligned(64)));

/* tile[a][b] = sum over the rows of left[row][a] right[row][b], COUNT of the a. */
#define PRODUCTS(COUNT)                                                                            \
    do {                                                                                           \
        lanes sum[COUNT] = {0};                                                                    \
        for (int64_t row = 0; row < rows; row++) {                                                 \
            lanes values = right[row];                                                             \
            for (int a = 0; a < COUNT; a++)                                                        \
                sum[a] += left[row * PANEL_COLUMNS + a] * values;                                  \
        }                                                                                          \
        for (int a = 0; a < COUNT; a++)                                                            \
            tile[a] = sum[a];                                                                      \
    } while (0)

typedef void tile_function(const double *left, const lanes *right, int64_t rows, lanes *tile);

static void tile_any(const double *left, const lanes *right, int64_t rows, lanes *tile) {
    for (int half = 0; half < PANEL_COLUMNS; half += 2, left += 2, tile += 2)
        PRODUCTS(2);
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) static void tile_avx512(const double *left, const lanes *right,
                                                           int64_t rows, lanes *tile) {
    PRODUCTS(8);
}

__attribute__((target("avx2,fma"))) static void tile_avx2(const double *left, const lanes *right,
                                                          int64_t rows, lanes *tile) {
    for (int half = 0; half < PANEL_COLUMNS; half += 4, left += 4, tile += 4)
        PRODUCTS(4);
}

static tile_function *tile_for_machine(void) {
    if (__builtin_cpu_supports("avx512f"))
        return tile_avx512;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? tile_avx2 : tile_any;
}
#else
static tile_function *tile_for_machine(void) {
    return tile_any;
}
#endif

/* Adds the tile of rows i.. and columns j.. to C, below the diagonal and within n. */
static void add_tile(double *c, int64_t n, int64_t i, int64_t j, const lanes *tile) {
    for (int64_t a = 0; a < PANEL_COLUMNS && i + a < n; a++) {
        const double *from = (const double *)&tile[a];
        double *to = c + (i + a) * n + j;
        int64_t count = i > j ? PANEL_COLUMNS : a + 1;
        for (int64_t b = 0; b < count; b++)
            to[b] += from[b];
    }
}

void panels_add_products(double *c, int64_t n, const double *batch, int64_t rows) {
    tile_function *multiply = tile_for_machine();
    lanes tile[PANEL_COLUMNS];
    for (int64_t i = 0; i < n; i += PANEL_COLUMNS)
        for (int64_t j = 0; j <= i; j += PANEL_COLUMNS) {
            multiply(batch + i * PANEL_ROWS, (const lanes *)(batch + j * PANEL_ROWS), rows, tile);
            add_tile(c, n, i, j, tile);
        }
}
