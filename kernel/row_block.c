/* row_block.c - some mapped rows in memory. */
#include "kernel/row_block.h"

#include "io/memory.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 60 /* rows that a thread maps together: whole tiles of math/matrices/multiply.h */ };

int64_t row_block_work(const struct map *map) {
    return map_work_size(map, MAP_BLOCK) + PIECE * map_dimension(map);
}

int row_block_init(struct row_block *block, const struct map *map, const struct dataset *data,
                   float *rows, int64_t capacity, struct error *e) {
    *block = (struct row_block){.map = map, .data = data, .rows = rows, .capacity = capacity};
    block->workspaces = omp_get_max_threads();
    block->work_size = row_block_work(map);
    block->row = memory_new(capacity, sizeof *block->row, "a block of rows", e);
    block->place = memory_new(data->rows, sizeof *block->place, "a block of rows", e);
    block->work =
        memory_new(block->workspaces * block->work_size, sizeof *block->work, "a block of rows", e);
    if (block->row == NULL || block->place == NULL || block->work == NULL)
        return -1;
    for (int64_t i = 0; i < data->rows; i++)
        block->place[i] = -1;
    return 0;
}

void row_block_free(struct row_block *block) {
    free(block->row);
    free(block->place);
    free(block->work);
    *block = (struct row_block){0};
}

bool row_block_round(const double *phi, int64_t n, float *out) {
    static const double relative_rounding = 1e-5;
    double square = 0, kept = 0;
    for (int64_t j = 0; j < n; j++) {
        out[j] = (float)phi[j];
        square += phi[j] * phi[j];
        kept += (double)out[j] * (double)out[j];
    }
    return fabs(square - kept) <= relative_rounding * square;
}

/* Maps rows from <= k < to of the block. */
static void map_piece(struct row_block *block, int64_t from, int64_t to, double *work) {
    int64_t n = map_dimension(block->map);
    double *phi = work + map_work_size(block->map, MAP_BLOCK);
    map_listed_rows(block->map, block->data, block->row + from, to - from, phi, work);
    for (int64_t k = from; k < to; k++, phi += n)
        if (row_block_round(phi, n, block->rows + k * n))
            block->place[block->row[k]] = (int32_t)k;
}

void row_block_fill(struct row_block *block, const int64_t *row, int64_t count,
                    const struct interruption *interrupted) {
    for (int64_t k = 0; k < block->count; k++)
        block->place[block->row[k]] = -1;
    memcpy(block->row, row, sizeof *row * (size_t)count);
    block->count = count;
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)block->workspaces)
    for (int64_t from = 0; from < count; from += PIECE)
        if (!interruption_came(interrupted))
            map_piece(block, from, from + PIECE < count ? from + PIECE : count,
                      block->work + omp_get_thread_num() * block->work_size);
}
