/* gram_tiles.h - symmetric products of batches of dense rows, C += B'B, by tiles of 8 x 8.
 *
 * A batch is stored as panels of 8 columns, each PANEL_ROWS x 8 and contiguous: what the kernel
 * reads lies in the order in which it is read, and sparse rows can be unpacked to there at once. */
#ifndef RRM_GRAM_TILES_H
#define RRM_GRAM_TILES_H

#include <stdint.h>

enum { PANEL_COLUMNS = 8, PANEL_ROWS = 128, PANEL_ALIGNMENT = 64 };

/* Doubles of a batch for n columns; it must be aligned to PANEL_ALIGNMENT bytes. */
static inline int64_t gram_tiles_size(int64_t n) {
    return (n + PANEL_COLUMNS - 1) / PANEL_COLUMNS * PANEL_COLUMNS * PANEL_ROWS;
}

/* Where (row, column) of a batch lies. */
static inline int64_t gram_tiles_index(int64_t row, int64_t column) {
    return (column & -PANEL_COLUMNS) * PANEL_ROWS + row * PANEL_COLUMNS +
           (column & (PANEL_COLUMNS - 1));
}

/* C += B'B, the lower triangle of the n x n C (row by row), over the first `rows` rows of the
 * batch; columns from n to the last panel's end hold 0 or any numbers. rows n^2 operations. */
void gram_tiles_add_products(double *c, int64_t n, const double *batch, int64_t rows);

/* tile[8 a + b] = the sum over the rows of two panels of left[8 row + a] right[8 row + b]; both
 * panels and the tile are aligned to PANEL_ALIGNMENT bytes. The entries are summed in the order of
 * the rows. */
typedef void gram_tiles_tile(const double *left, const double *right, int64_t rows, double *tile);

/* That for the machine's widest vectors. */
gram_tiles_tile *gram_tiles_tile_for_machine(void);

#endif
