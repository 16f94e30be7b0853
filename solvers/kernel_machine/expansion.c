/* expansion.c - sums over kernel functions. */
#include "solvers/kernel_machine/expansion.h"

#include "io/memory.h"
#include "kernel/points.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK_TERMS = 128, BLOCK_ROWS = 32 }; /* terms of the sum and rows at a time */

/* f_i += sum_k theta_k K(i, s_k) for from <= i < to, s_k = row index[k]. K(i, i) is computed from ||x_i||^2
 * alone, so that it suffers no cancellation. */
static void add_block(const struct points *points, const struct kernel *kernel,
                      const struct dataset *data, const int64_t *index, const double *theta,
                      int64_t from, int64_t to, double *f) {
    double square[BLOCK_ROWS], block[BLOCK_ROWS * CHUNK_TERMS];
    points_squares(data, from, to, square);
    points_kernel(points, kernel, data, from, to, square, block);
    for (int64_t k = 0; k < points->count; k++)
        if (index[k] >= from && index[k] < to)
            block[(index[k] - from) * points->count + k] = points_diagonal(kernel, data, index[k]);
    for (int64_t i = from; i < to; i++)
        f[i] += vector_dot(theta, block + (i - from) * points->count, points->count);
}

static int add_chunk(const struct kernel *kernel, const struct dataset *data, const int64_t *index,
                     const double *theta, int64_t count, double *f, struct error *e) {
    struct points points;
    int status = points_of_kernel(&points, kernel, data, index, count, e);
    if (status == 0) {
#pragma omp parallel for schedule(dynamic, 4)
        for (int64_t from = 0; from < data->rows; from += BLOCK_ROWS)
            add_block(&points, kernel, data, index, theta, from,
                      from + BLOCK_ROWS < data->rows ? from + BLOCK_ROWS : data->rows, f);
    }
    points_free(&points);
    return status;
}

int expansion_scores(const struct kernel *kernel, const struct dataset *data, const double *theta,
                     double *f, struct error *e) {
    int64_t index[CHUNK_TERMS], count = 0;
    double coefficient[CHUNK_TERMS];
    memset(f, 0, sizeof *f * (size_t)data->rows);
    for (int64_t i = 0; i <= data->rows; i++) {
        if (count == CHUNK_TERMS || (i == data->rows && count > 0)) {
            if (add_chunk(kernel, data, index, coefficient, count, f, e) != 0)
                return -1;
            count = 0;
        }
        if (i < data->rows && theta[i] != 0) {
            index[count] = i;
            coefficient[count++] = theta[i];
        }
    }
    return 0;
}
