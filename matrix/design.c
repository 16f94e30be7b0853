/* design.c - products with the matrix of examples, in blocks of rows. */
#include "matrix/design.h"

#include "io/memory.h"

#include <stdlib.h>
#include <string.h>

/* Below this number one thread finishes before a second one has started. */
enum { MIN_NONZEROS_FOR_THREADS = 20000 };

/* Enough blocks for many threads, but few enough that clearing and adding the partial sums costs little
 * compared with a pass over the nonzeros. */
static int blocks_for(const struct dataset *data, int64_t columns) {
    int64_t blocks = data->nonzeros / (4 * columns + 1);
    return blocks < 2 ? 2 : blocks > DESIGN_BLOCKS_MOST ? DESIGN_BLOCKS_MOST : (int)blocks;
}

int design_init(struct design *design, const struct dataset *data, double bias, bool intercept,
                struct error *e) {
    *design = (struct design){.data = data,
                              .bias = bias,
                              .intercept = intercept,
                              .rows = data->rows,
                              .regularized = data->features + (bias >= 0)};
    design->columns = design->regularized + intercept;
    design->threads = data->nonzeros > MIN_NONZEROS_FOR_THREADS;
    design->blocks = blocks_for(data, design->columns);
    design->partial =
        memory_new(design->blocks * design->columns, sizeof(double), "partial gradients", e);
    return design->partial == NULL ? -1 : 0;
}

void design_free(struct design *design) {
    free(design->partial);
    *design = (struct design){0};
}

int64_t design_block_start(const struct design *design, int block) {
    return (int64_t)((__int128)design->rows * block / design->blocks);
}

struct window_rows design_block_rows(const struct design *design, int block) {
    return window_rows(design->data, NULL, design_block_start(design, block),
                       design_block_start(design, block + 1));
}

void design_scores(const struct design *design, const double *w, double *u) {
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_rows(design, block);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                u[i] = design_score(design, w, 1, i);
    }
}

void design_combine_rows(const struct design *design, int64_t from, int64_t to, const double *c,
                         double *g) {
    struct window_rows at = window_rows(design->data, c, from, to);
    memset(g, 0, sizeof *g * (size_t)design->columns);
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++)
            if (c[i] != 0)
                design_add(design, g, c[i], i);
}

void design_combine(const struct design *design, const double *c, double *g) {
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        design_combine_rows(design, design_block_start(design, block),
                            design_block_start(design, block + 1), c,
                            design->partial + block * design->columns);
    design_add_partials(design, 1, g);
}

/* g_j += c x_ij^2 over the data's columns */
static void add_squares(const struct dataset *data, int64_t i, double c, double *g) {
    const double *value = dataset_values(data, i);
    const int32_t *column = dataset_columns(data, i);
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        g[column[k]] += value == NULL ? c : c * value[k] * value[k];
}

static void combine_squares_block(const struct design *design, const double *c, int block) {
    const struct dataset *data = design->data;
    double *g = design->partial + block * design->columns, sum = 0;
    int64_t from = design_block_start(design, block), end = design_block_start(design, block + 1);
    struct window_rows at = window_rows(data, c, from, end);
    memset(g, 0, sizeof *g * (size_t)design->columns);
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++)
            if (c[i] != 0)
                add_squares(data, i, c[i], g);
    for (int64_t i = from; i < end; i++)
        sum += c[i];
    if (design->bias >= 0)
        g[data->features] = design->bias * design->bias * sum;
    if (design->intercept)
        g[design->regularized] = sum;
}

void design_combine_squares(const struct design *design, const double *c, double *g) {
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        combine_squares_block(design, c, block);
    design_add_partials(design, 1, g);
}

void design_add_partials(const struct design *design, double scale, double *g) {
    int64_t n = design->columns;
#pragma omp parallel for schedule(static) if (n > 10000)
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int block = 0; block < design->blocks; block++)
            sum += design->partial[block * n + j];
        g[j] = sum * scale;
    }
}
