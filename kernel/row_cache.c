/* row_cache.c - an LRU cache of rows of a kernel matrix.
 *
 * The slots form a doubly linked ring in order of use: the newest precedes the head, the oldest follows it.
 * Values are stored as floats, rounded from the doubles of points_kernel or computed by float_kernel.h; K(i, i) is
 * computed from ||x_i||^2 alone. */
#include "kernel/row_cache.h"

#include "io/memory.h"
#include "kernel/points.h"
#include "kernel/precomputed.h"

#include <math.h>
#include <stdlib.h>

enum {
    MAX_ROWS_TOGETHER = 128,       /* rows that are computed together */
    BLOCK_COLUMNS = 32,            /* columns of these rows that a thread takes at a time */
    MIN_VALUES_FOR_THREADS = 20000 /* values of a call from which on threads pay */
};

struct row_cache {
    struct kernel kernel;
    struct dataset data; /* without what it points to */
    int64_t slots, used;
    float *value;   /* slots x rows */
    int32_t *slot;  /* of each row; -1: not there */
    int64_t *row;   /* of each slot; -1: empty */
    int64_t *newer; /* slots + 1: the ring; entry `slots` is its head */
    int64_t *older;
    int64_t *missing;
    double *square, *diagonal; /* ||x_i||^2, K(i, i) */
    int32_t *number;           /* of a precomputed kernel: the numbers of the rows */
    bool in_floats;            /* values come from `floats` */
    struct float_kernel floats;
};

/* ---- the ring */

static void unlink_slot(struct row_cache *cache, int64_t s) {
    cache->older[cache->newer[s]] = cache->older[s];
    cache->newer[cache->older[s]] = cache->newer[s];
}

static void link_newest(struct row_cache *cache, int64_t s) {
    int64_t head = cache->slots, newest = cache->older[head];
    cache->older[s] = newest;
    cache->newer[s] = head;
    cache->newer[newest] = s;
    cache->older[head] = s;
}

/* A slot for a new row: an unused one, or that of the oldest row. */
static int64_t free_slot(struct row_cache *cache) {
    if (cache->used < cache->slots)
        return cache->used++;
    int64_t s = cache->newer[cache->slots];
    unlink_slot(cache, s);
    if (cache->row[s] >= 0)
        cache->slot[cache->row[s]] = -1;
    return s;
}

/* ---- values */

/* Computes columns from <= i < to of the rows in `points`, into the slots of `index`; false if a value is not
 * finite. */
static bool fill_block(struct row_cache *cache, const struct points *points, const int64_t *index,
                       int64_t from, int64_t to) {
    double block[BLOCK_COLUMNS * MAX_ROWS_TOGETHER];
    int64_t rows = cache->data.rows;
    double sum = 0;
    points_kernel(points, &cache->kernel, &cache->data, from, to, cache->square + from, block);
    for (int64_t k = 0; k < points->count; k++) {
        float *row = cache->value + cache->slot[index[k]] * rows;
        for (int64_t i = from; i < to; i++) {
            row[i] =
                (float)(i == index[k] ? cache->diagonal[i] : block[(i - from) * points->count + k]);
            sum += row[i] - row[i]; /* 0, or not-a-number */
        }
    }
    return sum == 0;
}

static int not_finite(struct error *e) {
    return error_set(e, "a kernel value is beyond all numbers; scale the data");
}

/* Of a result of float_kernel.h. */
static int result_of_floats(int status, struct error *e) {
    return status < 0 ? -1 : status == 0 ? not_finite(e) : 0;
}

static int fill_rounded_rows(struct row_cache *cache, const int64_t *index, int64_t count,
                             struct error *e) {
    struct points points;
    int64_t rows = cache->data.rows, bad = 0;
    int status = points_of_kernel(&points, &cache->kernel, &cache->data, index, count, e);
    if (status == 0) {
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : bad) if (rows * count > MIN_VALUES_FOR_THREADS)
        for (int64_t from = 0; from < rows; from += BLOCK_COLUMNS)
            bad += !fill_block(cache, &points, index, from,
                               from + BLOCK_COLUMNS < rows ? from + BLOCK_COLUMNS : rows);
    }
    points_free(&points);
    return bad > 0 ? not_finite(e) : status;
}

/* Row i of a precomputed kernel, which is symmetric, stands in the data. */
static int fill_given_rows(struct row_cache *cache, const int64_t *index, int64_t count,
                           struct error *e) {
    int64_t rows = cache->data.rows;
    float sum = 0;
    for (int64_t k = 0; k < count; k++) {
        float *row = cache->value + cache->slot[index[k]] * rows;
        for (int64_t i = 0; i < rows; i++) {
            row[i] = (float)dataset_value(&cache->data, index[k], cache->number[i]);
            sum += row[i] - row[i]; /* 0, or not-a-number */
        }
    }
    return sum == 0 ? 0 : not_finite(e);
}

static int fill_fast_rows(struct row_cache *cache, const int64_t *index, int64_t count,
                          struct error *e) {
    float *row[FLOAT_KERNEL_ROWS] = {NULL};
    for (int64_t k = 0; k < count; k++)
        row[k] = cache->value + cache->slot[index[k]] * cache->data.rows;
    int status = float_kernel_rows(&cache->floats, index, count, row, e);
    for (int64_t k = 0; k < count; k++)
        row[k][index[k]] = (float)cache->diagonal[index[k]];
    return result_of_floats(status, e);
}

/* Computes the rows, whose slots are assigned, in groups. */
static int fill_rows(struct row_cache *cache, const int64_t *index, int64_t count,
                     struct error *e) {
    if (cache->number != NULL)
        return fill_given_rows(cache, index, count, e);
    int64_t together = cache->in_floats ? FLOAT_KERNEL_ROWS : MAX_ROWS_TOGETHER;
    int status = 0;
    for (int64_t k = 0; k < count && status == 0; k += together) {
        int64_t group = count - k < together ? count - k : together;
        status = cache->in_floats ? fill_fast_rows(cache, index + k, group, e)
                                  : fill_rounded_rows(cache, index + k, group, e);
    }
    return status;
}

static int fill_diagonal(struct row_cache *cache, struct error *e) {
    double sum = 0;
    points_squares(&cache->data, 0, cache->data.rows, cache->square);
    for (int64_t i = 0; i < cache->data.rows; i++) {
        cache->diagonal[i] = points_diagonal(&cache->kernel, &cache->data, i);
        sum += cache->diagonal[i] - cache->diagonal[i];
    }
    return sum == 0 ? 0 : not_finite(e);
}

/* Computes in floats from now on, if they suit the data. */
static int prepare_floats(struct row_cache *cache, struct error *e) {
    double max_square = 0;
    for (int64_t i = 0; i < cache->data.rows; i++)
        max_square = cache->square[i] > max_square ? cache->square[i] : max_square;
    cache->in_floats = float_kernel_suits(&cache->kernel, max_square);
    return cache->in_floats
               ? float_kernel_init(&cache->floats, &cache->kernel, &cache->data, cache->square, e)
               : 0;
}

/* ---- public */

struct row_cache *row_cache_new(const struct kernel *kernel, const struct dataset *data,
                                double bytes, int64_t min_rows, enum row_precision precision,
                                struct error *e) {
    struct row_cache *cache = memory_zeroed(1, sizeof *cache, "the kernel's rows", e);
    if (cache == NULL)
        return NULL;
    int64_t rows = data->rows;
    double capacity = bytes / (double)sizeof *cache->value / (double)(rows > 0 ? rows : 1);
    int64_t slots = capacity < (double)rows ? (int64_t)capacity : rows;
    slots = slots < min_rows ? min_rows : slots;
    *cache = (struct row_cache){
        .kernel = *kernel,
        .data = *data,
        .slots = slots,
        .value = memory_new(slots * rows, sizeof *cache->value, "rows of the kernel matrix", e),
        .slot = memory_new(rows, sizeof *cache->slot, "the kernel's rows", e),
        .row = memory_new(slots, sizeof *cache->row, "the kernel's rows", e),
        .newer = memory_new(slots + 1, sizeof *cache->newer, "the kernel's rows", e),
        .older = memory_new(slots + 1, sizeof *cache->older, "the kernel's rows", e),
        .missing = memory_new(slots, sizeof *cache->missing, "the kernel's rows", e),
        .square = memory_new(rows, sizeof *cache->square, "the kernel's rows", e),
        .diagonal = memory_new(rows, sizeof *cache->diagonal, "the kernel's rows", e)};
    if (kernel->kind == KERNEL_PRECOMPUTED)
        cache->number = precomputed_numbers(data, e);
    if (cache->value == NULL || cache->slot == NULL || cache->row == NULL || cache->newer == NULL ||
        cache->older == NULL || cache->missing == NULL || cache->square == NULL ||
        cache->diagonal == NULL || (kernel->kind == KERNEL_PRECOMPUTED && cache->number == NULL) ||
        fill_diagonal(cache, e) != 0 || (precision == ROWS_FAST && prepare_floats(cache, e) != 0)) {
        row_cache_free(cache);
        return NULL;
    }
    cache->newer[slots] = cache->older[slots] = slots;
    for (int64_t i = 0; i < rows; i++)
        cache->slot[i] = -1;
    return cache;
}

void row_cache_free(struct row_cache *cache) {
    if (cache == NULL)
        return;
    float_kernel_free(&cache->floats);
    free(cache->value);
    free(cache->slot);
    free(cache->row);
    free(cache->newer);
    free(cache->older);
    free(cache->missing);
    free(cache->square);
    free(cache->diagonal);
    free(cache->number);
    free(cache);
}

/* Makes the cached rows the newest, and lists the others in `missing`; returns their number. */
static int64_t find_missing(struct row_cache *cache, const int64_t *index, int64_t count) {
    int64_t missing = 0;
    for (int64_t k = 0; k < count; k++) {
        int64_t s = cache->slot[index[k]];
        if (s < 0) {
            cache->missing[missing++] = index[k];
            continue;
        }
        unlink_slot(cache, s);
        link_newest(cache, s);
    }
    return missing;
}

static void drop_row(struct row_cache *cache, int64_t row) {
    cache->row[cache->slot[row]] = -1;
    cache->slot[row] = -1;
}

int row_cache_get(struct row_cache *cache, const int64_t *index, int64_t count, const float **row,
                  struct error *e) {
    int64_t missing = find_missing(cache, index, count);
    for (int64_t k = 0; k < missing; k++) {
        int64_t s = free_slot(cache);
        cache->slot[cache->missing[k]] = (int32_t)s;
        cache->row[s] = cache->missing[k];
        link_newest(cache, s);
    }
    int status = fill_rows(cache, cache->missing, missing, e);
    if (status != 0) {
        for (int64_t k = 0; k < missing; k++)
            drop_row(cache, cache->missing[k]);
        return -1;
    }
    for (int64_t k = 0; k < count; k++)
        row[k] = cache->value + cache->slot[index[k]] * cache->data.rows;
    return 0;
}

bool row_cache_lacks(const struct row_cache *cache, int64_t i) {
    return cache->in_floats && cache->slot[i] < 0;
}

int row_cache_values(struct row_cache *cache, const int64_t *index, int64_t count,
                     const int64_t *column, int64_t columns, float *const *out, struct error *e) {
    int status = float_kernel_values(&cache->floats, index, count, column, columns, out, e);
    for (int64_t k = 0; k < count; k++)
        for (int64_t c = 0; c < columns; c++)
            if (column[c] == index[k])
                out[k][c] = (float)cache->diagonal[index[k]];
    return result_of_floats(status, e);
}

void row_cache_touch(struct row_cache *cache, const int64_t *index, int64_t count) {
    find_missing(cache, index, count < cache->slots ? count : cache->slots);
}

bool row_cache_refine(struct row_cache *cache) {
    if (!cache->in_floats)
        return false;
    cache->in_floats = false;
    float_kernel_free(&cache->floats);
    for (int64_t s = 0; s < cache->used; s++)
        if (cache->row[s] >= 0)
            drop_row(cache, cache->row[s]);
    return true;
}

void row_cache_visit(struct row_cache *cache, struct state *state) {
    if (!state_flag(state, cache->in_floats))
        row_cache_refine(cache);
}

int64_t row_cache_slots(const struct row_cache *cache) {
    return cache->slots;
}

const double *row_cache_diagonal(const struct row_cache *cache) {
    return cache->diagonal;
}
