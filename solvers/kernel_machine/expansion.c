/* expansion.c - sums over kernel functions. */
#include "solvers/kernel_machine/expansion.h"

#include "io/memory.h"
#include "kernel/points.h"
#include "math/vector.h"

#include <stdlib.h>
#include <string.h>

/* Rows at a time: whole tiles of math/matrices/multiply.h, and a block that fits on the stack of any thread (with musl
 * 128 KB). */
enum { BLOCK_ROWS = 16 };

/* Some terms of the sum. */
struct chunk {
    const struct kernel *kernel;
    const struct dataset *data;
    double *square; /* ||x_i||^2 of all rows */
    int64_t count, index[EXPANSION_TERMS];
    double theta[EXPANSION_TERMS];
    struct points points;
};

/* f_i += sum_k theta_k K(i, s_k) for from <= i < to, s_k = row index[k]. K(i, i) is computed from ||x_i||^2
 * alone, so that it suffers no cancellation. */
static void add_block(const struct chunk *c, int64_t from, int64_t to, double *f) {
    double block[BLOCK_ROWS * EXPANSION_TERMS];
    points_kernel(&c->points, c->kernel, c->data, from, to, c->square + from, block);
    for (int64_t k = 0; k < c->count; k++)
        if (c->index[k] >= from && c->index[k] < to)
            block[(c->index[k] - from) * c->count + k] =
                points_diagonal(c->kernel, c->data, c->index[k]);
    for (int64_t i = from; i < to; i++)
        f[i] += vector_dot(c->theta, block + (i - from) * c->count, c->count);
}

static int add_chunk(struct chunk *c, double *f, struct error *e) {
    int64_t rows = c->data->rows;
    int status = points_of_kernel(&c->points, c->kernel, c->data, c->index, c->count, e);
    if (status == 0) {
#pragma omp parallel for schedule(dynamic, 4)
        for (int64_t from = 0; from < rows; from += BLOCK_ROWS)
            add_block(c, from, from + BLOCK_ROWS < rows ? from + BLOCK_ROWS : rows, f);
    }
    points_free(&c->points);
    c->count = 0;
    return status;
}

int expansion_scores(const struct kernel *kernel, const struct dataset *data, const double *theta,
                     double *f, struct error *e) {
    struct chunk c = {.kernel = kernel, .data = data};
    int status = 0;
    memset(f, 0, sizeof *f * (size_t)data->rows);
    c.square = memory_new(data->rows, sizeof *c.square, "scores", e);
    if (c.square == NULL)
        return -1;
    points_squares(data, 0, data->rows, c.square);
    for (int64_t i = 0; i < data->rows && status == 0; i++) {
        if (theta[i] != 0) {
            c.index[c.count] = i;
            c.theta[c.count++] = theta[i];
        }
        if (c.count == EXPANSION_TERMS || (i + 1 == data->rows && c.count > 0))
            status = add_chunk(&c, f, e);
    }
    free(c.square);
    return status;
}
