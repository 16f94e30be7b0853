/* gram.c - H = X' diag(d) X by sparse outer products or dense batches, whichever is faster. */
#include "matrix/gram.h"

#include "io/memory.h"
#include "math/matrices/gram_tiles.h"
#include "math/simd.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BLOCKS = 64 };
static const double block_matrices_bytes =
    128e6;                            /* for as many matrices as blocks, beyond the first two */
static const double dense_speed = 28; /* products of a dense batch in the time of a scattered one */

/* The number of products of the sparse rows of this process. */
static double count_products(const struct design *design) {
    const struct dataset *data = design->data;
    double sum = 0, constant = (double)(design->columns - data->features);
    for (int64_t i = 0; i < data->rows; i++) {
        double k = (double)dataset_count(data, i) + constant;
        sum += k * (k + 1) / 2;
    }
    return sum;
}

/* The cost of dense batches for so many rows of n columns, in scattered products. */
static double dense_work(int64_t rows, double n) {
    return (double)rows * n * (n + 1) / (2 * dense_speed);
}

/* The cost of what is cheaper, for the rows of all processes. */
static double whole_work(const struct design *design, double products) {
    return fmin(dense_work(dataset_whole_rows(design->data), (double)design->columns),
                communicator_sum_one(design->data->communicator, products));
}

/* As many blocks that clearing and adding a block's matrix costs little compared with filling it. */
static int choose_blocks(int64_t rows, double n, double products) {
    double n2 = n * n, work = fmin(dense_work(rows, n), products);
    double limit = fmin(block_matrices_bytes / (8 * n2), work / (8 * n2));
    return limit < 2 ? 2 : limit > MAX_BLOCKS ? MAX_BLOCKS : (int)limit;
}

double gram_work(const struct design *design, bool *dense) {
    double products = count_products(design);
    *dense = dense_work(design->rows, (double)design->columns) < products;
    return whole_work(design, products);
}

static double bytes_of(int64_t rows, int64_t columns, double products) {
    double n = (double)columns;
    double batch = dense_work(rows, n) < products ? (double)gram_tiles_size(columns) : 0;
    return choose_blocks(rows, n, products) * (n * (n + 1) + batch) * sizeof(double);
}

double gram_bytes(const struct design *design) {
    return bytes_of(design->rows, design->columns, count_products(design));
}

double gram_bytes_of_part(const struct design *design, int64_t columns, double share) {
    return bytes_of(design->rows, columns, share * share * count_products(design));
}

static double *new_batches(int64_t count, struct error *e) {
    size_t size = sizeof(double) * (size_t)count;
    double *batch = aligned_alloc(PANEL_ALIGNMENT, size < PANEL_ALIGNMENT ? PANEL_ALIGNMENT : size);
    if (batch == NULL)
        error_memory(e, "unpacked rows", count, sizeof(double));
    return batch;
}

int gram_init(struct gram *gram, const struct design *design, struct error *e) {
    double products = count_products(design);
    int64_t n = design->columns;
    *gram = (struct gram){.design = design,
                          .n = n,
                          .dense = dense_work(design->rows, (double)n) < products,
                          .work = whole_work(design, products),
                          .blocks = choose_blocks(design->rows, (double)n, products)};
    int threads = design->threads ? omp_get_max_threads() : 1;
    gram->threads = threads < gram->blocks - 1 ? threads : gram->blocks - 1;
    int64_t batch = gram->dense ? gram_tiles_size(n) : 0, matrices = 1 + gram->threads;
    int64_t sums = 2 * (GRAM_MORE + COMMUNICATOR_ROOM); /* for gram_sum, where n is small */
    gram->matrix = memory_new(matrices * n * n + sums, sizeof(double), "the Gram matrix", e);
    gram->vector = memory_new(matrices * n, sizeof(double), "partial gradients", e);
    gram->batch = new_batches(gram->threads * batch, e);
    return gram->matrix == NULL || gram->vector == NULL || gram->batch == NULL ? -1 : 0;
}

void gram_free(struct gram *gram) {
    free(gram->matrix);
    free(gram->vector);
    free(gram->batch);
    *gram = (struct gram){0};
}

/* A sparse row, of doubles or of floats; both NULL: ones. */
struct entries {
    const int32_t *column;
    const double *value;
    const float *floats;
};

static SIMD_BODY double entry(struct entries x, int64_t k) {
    return x.value != NULL ? x.value[k] : x.floats != NULL ? (double)x.floats[k] : 1;
}

/* v += c times the first COUNT entries. */
static SIMD_BODY void add_first(double *v, double c, struct entries x, int64_t count) {
    if (x.floats != NULL)
        sparse_add_floats(v, c, x.column, x.floats, count);
    else
        sparse_add(v, c, x.column, x.value, count);
}

/* H += d x x', the lower triangle, for row i. */
static SIMD_BODY void add_outer_of(const struct design *design, double *h, double d, int64_t i,
                                   struct entries x) {
    const struct dataset *data = design->data;
    int64_t k = dataset_count(data, i), n = design->columns;
    for (int64_t a = 0; a < k; a++)
        add_first(h + x.column[a] * n, d * entry(x, a), x, a + 1);
    if (design->bias >= 0) {
        double *row = h + data->features * n;
        add_first(row, d * design->bias, x, k);
        row[data->features] += d * design->bias * design->bias;
    }
    if (design->intercept) {
        double *row = h + design->regularized * n;
        add_first(row, d, x, k);
        if (design->bias >= 0)
            row[data->features] += d * design->bias;
        row[design->regularized] += d;
    }
}

/* Compiled for each type of values. */
static void add_outer(const struct design *design, double *h, double d, int64_t i) {
    const struct dataset *data = design->data;
    const int32_t *column = dataset_columns(data, i);
    if (data->floats != NULL)
        add_outer_of(design, h, d, i, (struct entries){column, NULL, dataset_floats(data, i)});
    else
        add_outer_of(design, h, d, i, (struct entries){column, dataset_values(data, i), NULL});
}

static bool is_stopped(const struct gram *gram) {
    return gram->stop != NULL && gram->stop(gram->opaque);
}

static void add_sparse_rows(const struct gram *gram, struct window_rows *at, const double *d,
                            const double *c, double *h, double *g) {
    while (window_next(at))
        for (int64_t i = at->from; i < at->to; i++) {
            if ((i - at->from) % PANEL_ROWS == 0 && is_stopped(gram))
                break;
            if (d[i] > 0)
                add_outer(gram->design, h, d[i], i);
            if (g != NULL && c[i] != 0)
                design_add(gram->design, g, c[i], i);
        }
}

/* Unpacks row i times `scale` into a row of the batch, which holds 0. */
static void unpack(const struct design *design, double *batch, int64_t row, double scale,
                   int64_t i) {
    const struct dataset *data = design->data;
    const struct entries x = {dataset_columns(data, i), dataset_values(data, i),
                              dataset_floats(data, i)};
    for (int64_t k = 0; k < dataset_count(data, i); k++)
        batch[gram_tiles_index(row, x.column[k])] = scale * entry(x, k);
    if (design->bias >= 0)
        batch[gram_tiles_index(row, data->features)] = scale * design->bias;
    if (design->intercept)
        batch[gram_tiles_index(row, design->regularized)] = scale;
}

/* Adds rows by dense batches, scaled by sqrt d; rows with d = 0 are skipped. */
static void add_dense_rows(const struct gram *gram, struct window_rows *at, const double *d,
                           const double *c, double *h, double *g, double *batch) {
    int64_t n = gram->n, filled = 0, end = at->end;
    while (window_next(at))
        for (int64_t i = at->from; i < at->to; i++) {
            if (d[i] > 0 && filled == 0)
                memset(batch, 0, sizeof *batch * (size_t)gram_tiles_size(n));
            if (d[i] > 0)
                unpack(gram->design, batch, filled++, sqrt(d[i]), i);
            if (g != NULL && c[i] != 0)
                design_add(gram->design, g, c[i], i);
            if (filled == PANEL_ROWS || (i + 1 == end && filled > 0)) {
                if (!is_stopped(gram))
                    gram_tiles_add_products(h, n, batch, filled);
                filled = 0;
            }
        }
}

static int64_t block_start(const struct gram *gram, int block) {
    return (int64_t)((__int128)gram->design->rows * block / gram->blocks);
}

static void copy(double *to, const double *from, int64_t count) {
    if (count > 0)
        memcpy(to, from, sizeof *to * (size_t)count);
}

/* The sum of a block's rows in H and G (NULL: not needed). */
static void compute_block(const struct gram *gram, int block, const double *d, const double *c,
                          double *h, double *g, double *batch) {
    struct window_rows at = window_rows(gram->design->data, NULL, block_start(gram, block),
                                        block_start(gram, block + 1));
    int64_t n = gram->n;
    memset(h, 0, sizeof *h * (size_t)(n * n));
    if (g != NULL)
        memset(g, 0, sizeof *g * (size_t)n);
    if (gram->dense)
        add_dense_rows(gram, &at, d, c, h, g, batch);
    else
        add_sparse_rows(gram, &at, d, c, h, g);
}

/* Adds the matrices and vectors of so many blocks to the first ones, in order; FIRST: these are not there yet. */
static void add_blocks(struct gram *gram, int count, bool first, bool with_vector) {
    int64_t n = gram->n;
    size_t size = sizeof(double) * (size_t)n;
#pragma omp parallel for schedule(static)                                                          \
    num_threads(gram->threads) if (gram->threads > 1 && n > 100)
    for (int64_t i = 0; i < n; i++) {
        double *to = gram->matrix + i * n;
        if (first)
            memcpy(to, to + n * n, sizeof *to * (size_t)(i + 1));
        for (int block = 1 + first; block <= count; block++) {
            const double *from = to + block * n * n;
            for (int64_t j = 0; j <= i; j++)
                to[j] += from[j];
        }
    }
    if (with_vector && first)
        memcpy(gram->vector, gram->vector + n, size);
    for (int block = 1 + first; with_vector && block <= count; block++)
        for (int64_t j = 0; j < n; j++)
            gram->vector[j] += gram->vector[block * n + j];
}

/* The threads' blocks at a time, each in a matrix of its own. */
bool gram_compute_own(struct gram *gram, const double *d, const double *c, double *g) {
    int64_t n = gram->n, batch = gram->dense ? gram_tiles_size(n) : 0;
    for (int from = 0; from < gram->blocks; from += gram->threads) {
        int left = gram->blocks - from, count = left < gram->threads ? left : gram->threads;
#pragma omp parallel for schedule(static, 1) num_threads(gram->threads) if (gram->threads > 1)
        for (int k = 0; k < count; k++)
            compute_block(gram, from + k, d, c, gram->matrix + (1 + k) * n * n,
                          g == NULL ? NULL : gram->vector + (1 + k) * n, gram->batch + k * batch);
        add_blocks(gram, count, from == 0, g != NULL);
    }
    copy(g, gram->vector, g == NULL ? 0 : n);
    return !is_stopped(gram);
}

/* The first matrix is packed in place, with the other numbers behind its lower triangle. */
void gram_sum(struct gram *gram, double *g, double *more, int64_t count) {
    struct communicator *c = gram->design->data->communicator;
    double *h = gram->matrix;
    int64_t n = gram->n, length = g == NULL ? 0 : n;
    if (c == NULL)
        return;
    for (int64_t i = 1; i < n; i++)
        memmove(h + i * (i + 1) / 2, h + i * n, sizeof *h * (size_t)(i + 1));
    double *behind = h + n * (n + 1) / 2, *last = behind + length;
    copy(behind, g, length);
    copy(last, more, count);
    communicator_combine(c, h, n * (n + 1) / 2 + length + count, 0);
    copy(g, behind, length);
    copy(more, last, count);
    for (int64_t i = n - 1; i > 0; i--)
        memmove(h + i * n, h + i * (i + 1) / 2, sizeof *h * (size_t)(i + 1));
}

bool gram_compute(struct gram *gram, const double *d, const double *c, double *g) {
    bool complete = gram_compute_own(gram, d, c, g);
    gram_sum(gram, g, NULL, 0);
    return complete;
}
