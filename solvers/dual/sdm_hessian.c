/* sdm_hessian.c - the matrix of a Newton step by Gram matrices of pairs of classes; see sdm_hessian.h. */
#include "solvers/dual/sdm_hessian.h"

#include "io/memory.h"
#include "math/matrices/gram_tiles.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

static const char what[] = "Newton's method";

/* Doubles of a thread: a batch of rows and a block of H. Multiples of PANEL_COLUMNS, for the alignment. */
static int64_t scratch_size(int64_t features) {
    return gram_tiles_size(features) +
           (features * features + PANEL_COLUMNS - 1) / PANEL_COLUMNS * PANEL_COLUMNS;
}

double sdm_hessian_bytes(int64_t rows, int64_t classes, int64_t features) {
    double lists = (double)rows * (double)(classes + 1) + (double)classes + 1;
    return sizeof(double) * (lists + omp_get_max_threads() * (double)scratch_size(features));
}

int sdm_hessian_init(struct sdm_hessian *h, const struct sdm_rows *rows,
                     const struct monitor *monitor, struct error *e) {
    int64_t classes = rows->classes, features = rows->features;
    int64_t scratch = omp_get_max_threads() * scratch_size(features);
    *h = (struct sdm_hessian){.rows = rows, .monitor = monitor, .n = features * classes};
    h->start = memory_new(rows->count * (classes + 1) + classes + 1, sizeof *h->start, what, e);
    if (h->start == NULL)
        return -1;
    h->count = h->start + classes + 1;
    h->listed = h->count + rows->count;
    h->scratch = aligned_alloc(PANEL_ALIGNMENT, sizeof(double) * (size_t)scratch);
    return h->scratch != NULL ? 0 : error_memory(e, what, scratch, sizeof(double));
}

void sdm_hessian_free(struct sdm_hessian *h) {
    free(h->start);
    free(h->scratch);
}

/* The lists of rows and the numbers of positive classes; returns the sum of these. */
static double list_rows(struct sdm_hessian *h, const double *beta) {
    const struct sdm_rows *rows = h->rows;
    int64_t used = 0;
    memset(h->count, 0, sizeof *h->count * (size_t)rows->count);
    for (int64_t i = 0; i < rows->count; i++)
        for (int64_t k = 0; k < rows->classes && rows->cost[i] > 0; k++)
            h->count[i] += beta[i * rows->classes + k] > 0;
    for (int64_t k = 0; k < rows->classes; k++) {
        h->start[k] = used;
        for (int64_t i = 0; i < rows->count; i++)
            if (h->count[i] > 1 && beta[i * rows->classes + k] > 0)
                h->listed[used++] = i;
    }
    h->start[rows->classes] = used;
    return (double)used;
}

/* Unpacks x_i times SCALE into a row of a batch. */
static void unpack(const struct sdm_rows *rows, int64_t i, double scale, int64_t row,
                   double *batch) {
    const double *x = rows->dense + i * rows->width;
    for (int64_t j = 0; j < rows->features; j += PANEL_COLUMNS) {
        double *to = batch + gram_tiles_index(row, j);
        int64_t count = rows->features - j < PANEL_COLUMNS ? rows->features - j : PANEL_COLUMNS;
        for (int64_t l = 0; l < count; l++)
            to[l] = scale * x[j + l];
    }
}

/* The lower triangle of GRAM = the sum of sigma C_i/|S| x_i x_i' over the rows where the classes a and b are
 * positive. */
static void sum_pair(const struct sdm_hessian *h, const double *beta, double sigma, int64_t a,
                     int64_t b, double *batch, double *gram) {
    const struct sdm_rows *rows = h->rows;
    int64_t filled = 0, features = rows->features, end = h->start[a + 1];
    memset(gram, 0, sizeof *gram * (size_t)(features * features));
    for (int64_t at = h->start[a]; at < end; at++) {
        int64_t i = h->listed[at];
        if (beta[i * rows->classes + b] > 0)
            unpack(rows, i, sqrt(sigma * rows->cost[i] / (double)h->count[i]), filled++, batch);
        if (filled == PANEL_ROWS || (at + 1 == end && filled > 0)) {
            if (monitor_poll(h->monitor) != VERDICT_GO_ON)
                return;
            gram_tiles_add_products(gram, features, batch, filled);
            filled = 0;
        }
    }
}

/* The block of MATRIX of the classes a and b. */
static double *block_of(const struct sdm_hessian *h, double *matrix, int64_t a, int64_t b) {
    int64_t features = h->rows->features;
    return matrix + a * features * h->n + b * features;
}

/* The block of the classes a > b: -G_ab. */
static void compute_pair(const struct sdm_hessian *h, const double *beta, double sigma, int64_t a,
                         int64_t b, double *matrix) {
    int64_t features = h->rows->features;
    double *batch = h->scratch + omp_get_thread_num() * scratch_size(features);
    double *gram = batch + gram_tiles_size(features), *block = block_of(h, matrix, a, b);
    sum_pair(h, beta, sigma, a, b, batch, gram);
    for (int64_t j = 0; j < features; j++)
        for (int64_t l = 0; l < features; l++)
            block[j * h->n + l] = -gram[l <= j ? j * features + l : l * features + j];
}

/* The lower triangle of the block of class a: I + the sum of G_ab over the other classes b. */
static void compute_diagonal(const struct sdm_hessian *h, int64_t a, double *matrix) {
    int64_t features = h->rows->features;
    double *block = block_of(h, matrix, a, a);
    for (int64_t j = 0; j < features; j++) {
        double *to = block + j * h->n;
        memset(to, 0, sizeof *to * (size_t)j);
        to[j] = 1;
        for (int64_t b = 0; b < h->rows->classes; b++)
            if (b != a)
                vector_add_wide(
                    to, -1, block_of(h, matrix, a > b ? a : b, a > b ? b : a) + j * h->n, j + 1);
    }
}

double sdm_hessian_compute(struct sdm_hessian *h, const double *beta, double sigma,
                           double *matrix) {
    int64_t classes = h->rows->classes;
    double listed = list_rows(h, beta);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t pair = 0; pair < classes * classes; pair++)
        if (pair % classes < pair / classes)
            compute_pair(h, beta, sigma, pair / classes, pair % classes, matrix);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t a = 0; a < classes; a++)
        compute_diagonal(h, a, matrix);
    return listed * (double)h->rows->features;
}
