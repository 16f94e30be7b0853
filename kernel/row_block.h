/* row_block.h - some mapped rows in memory, as floats, which are then read in any order. */
#ifndef RRM_ROW_BLOCK_H
#define RRM_ROW_BLOCK_H

#include "kernel/map.h"

struct row_block {
    const struct map *map;
    const struct dataset *data;
    float *rows;             /* capacity x map_dimension; not freed with the block */
    int64_t capacity, count; /* rows */
    int64_t *row;            /* capacity: the numbers of the rows */
    int32_t *place;          /* for each row of the data: where it is in `rows`, or -1 */
    int64_t workspaces;      /* threads that map rows at the same time */
    int64_t work_size;       /* doubles of one of them */
    double *work;
};

enum { ROW_BLOCK_SMALLEST = 2048 /* rows */ };

/* Doubles of memory that a thread needs. */
int64_t row_block_work(const struct map *map);

/* An empty block in ROWS, which has space for CAPACITY rows. 0, or -1 with the error set; to be freed in either case.
 */
int row_block_init(struct row_block *block, const struct map *map, const struct dataset *data,
                   float *rows, int64_t capacity, struct error *e);
void row_block_free(struct row_block *block);

/* Replaces the block by the rows numbered in `row`, COUNT <= capacity, mapped together in parallel. Those that do not
 * fit in floats are left out; after an interruption, others too. */
void row_block_fill(struct row_block *block, const int64_t *row, int64_t count,
                    const struct interruption *interrupted);

/* out = a row of phi, rounded to floats. Whether it has about the same norm: its numbers are neither too large nor too
 * small for floats. */
bool row_block_round(const double *phi, int64_t n, float *out);

/* Row i; NULL: it is not in the block. */
static inline const float *row_block_row(const struct row_block *block, int64_t i) {
    return block->place == NULL || block->place[i] < 0
               ? NULL
               : block->rows + block->place[i] * map_dimension(block->map);
}

#endif
