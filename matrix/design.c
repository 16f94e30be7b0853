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
    design->width = data->window != NULL ? data->window->width : 0;
    design->partial = memory_new(design->blocks * (design->columns + design->width), sizeof(double),
                                 "partial gradients", e);
    if (design->partial == NULL || design->width == 0)
        return design->partial == NULL ? -1 : 0;
    design->base_weights = memory_new(2 * design->width, sizeof(double), "weights of rows", e);
    if (design->base_weights == NULL)
        return -1;
    design->base_sum = design->base_weights + design->width;
    return 0;
}

void design_free(struct design *design) {
    free(design->partial);
    free(design->base_weights);
    *design = (struct design){0};
}

int64_t design_block_start(const struct design *design, int block) {
    return design->rows * block / design->blocks;
}

struct window_rows design_block_rows(const struct design *design, int block) {
    return window_rows(design->data, NULL, design_block_start(design, block),
                       design_block_start(design, block + 1));
}

struct window_rows design_block_products(const struct design *design, int block) {
    return window_products(design->data, NULL, design_block_start(design, block),
                           design_block_start(design, block + 1));
}

void design_prepare(const struct design *design, const double *w) {
    const struct dataset_window *window = design->data->window;
    if (design->width > 0)
        window->to_base(window, w, design->base_weights);
}

void design_scores(const struct design *design, const double *w, double *u) {
    design_prepare(design, w);
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++) {
        struct window_rows at = design_block_products(design, block);
        while (window_next(&at))
            for (int64_t i = at.from; i < at.to; i++)
                u[i] = design_product(design, &at, w, i);
    }
}

void design_combine_rows(const struct design *design, int64_t from, int64_t to, const double *c,
                         double *partial) {
    struct window_rows at = window_products(design->data, c, from, to);
    memset(partial, 0, sizeof *partial * (size_t)(design->columns + design->width));
    while (window_next(&at))
        for (int64_t i = at.from; i < at.to; i++)
            if (c[i] != 0)
                design_add_product(design, &at, partial, c[i], i);
}

void design_finish_partial(const struct design *design, double *partial) {
    const struct dataset_window *window = design->data->window;
    if (design->width > 0)
        window->from_base(window, partial + design->columns, partial);
}

void design_combine_own(const struct design *design, const double *c, double *g) {
#pragma omp parallel for schedule(dynamic, 1) if (design->threads)
    for (int block = 0; block < design->blocks; block++)
        design_combine_rows(design, design_block_start(design, block),
                            design_block_start(design, block + 1), c,
                            design_partial(design, block));
    design_add_partials(design, 1, g);
}

void design_combine(const struct design *design, const double *c, double *g) {
    design_combine_own(design, c, g);
    communicator_sum(design->data->communicator, g, design->columns);
}

/* g_j += c x_ij^2 over the data's columns */
static void add_squares(const struct dataset *data, int64_t i, double c, double *g) {
    const int32_t *column = dataset_columns(data, i);
    for (int64_t k = 0; k < dataset_count(data, i); k++) {
        double x = dataset_entry(data, dataset_start(data, i) + k);
        g[column[k]] += c * x * x;
    }
}

static void combine_squares_block(const struct design *design, const double *c, int block) {
    const struct dataset *data = design->data;
    double *g = design_partial(design, block), sum = 0;
    int64_t from = design_block_start(design, block), end = design_block_start(design, block + 1);
    struct window_rows at = window_rows(data, c, from, end);
    memset(g, 0, sizeof *g * (size_t)(design->columns + design->width));
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
    communicator_sum(design->data->communicator, g, design->columns);
}

/* out_j = scale times the sum of the blocks' numbers FIRST + j, j < COUNT. */
static void add_blocks(const struct design *design, int64_t first, int64_t count, double scale,
                       double *out) {
#pragma omp parallel for schedule(static) if (count > 10000)
    for (int64_t j = 0; j < count; j++) {
        double sum = 0;
        for (int block = 0; block < design->blocks; block++)
            sum += design_partial(design, block)[first + j];
        out[j] = sum * scale;
    }
}

void design_add_partials(const struct design *design, double scale, double *g) {
    const struct dataset_window *window = design->data->window;
    add_blocks(design, 0, design->columns, scale, g);
    if (design->width == 0)
        return;
    add_blocks(design, design->columns, design->width, scale, design->base_sum);
    window->from_base(window, design->base_sum, g);
}
