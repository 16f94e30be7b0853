/* mapped_file.c - mapped rows in a file, which is mapped into memory. A pass reads it chunk by chunk: what it has read
 * leaves the memory of this process, and stays in the system's cache of files while no program needs that memory.
 * Chunks are whole pages.
 *
 * Online solvers take rows in random order. Those of a block are read together, into memory; others one by one. */
#include "io/memory.h"
#include "io/pages.h"
#include "io/scratch.h"
#include "io/window.h"
#include "kernel/mapped_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    SINGLE_ROWS = WINDOW_ALONE,
    MIN_BLOCK_ROWS = 2048,
    CHUNKS_TOGETHER = 2, /* that a thread may hold at a time */
    THREADS_RESERVED = 8 /* threads whose memory is counted, however many there are */
};

/* The part of the machine's memory in which the system's cache of files has room. */
static const double cache_share = 0.8;

struct mapped_file {
    struct dataset_window window; /* first: what the rest of the program sees */
    int file;
    char *bytes; /* the file, mapped */
    int64_t size, rows, row_bytes;

    double *single_rows; /* SINGLE_ROWS rows, used in turn, and the next to use */
    int64_t next_single_row;

    double memory; /* for a block, or for the file's first bytes, which stay */
    int64_t kept;  /* how many */
    double *block; /* capacity rows; NULL: there are no blocks */
    int64_t capacity, count;
    int64_t *row;   /* capacity: the numbers of the rows */
    int32_t *place; /* for each row: where it is in `block`, or -1 */
};

static struct mapped_file *file_of(struct dataset_window *window) {
    return (struct mapped_file *)window;
}

/* ---- chunks */

/* The system reads on by itself where the file is read in order. */
static void hold(struct dataset_window *window, int64_t k, int64_t end) {
    (void)window, (void)k, (void)end;
}

static int64_t chunk_start(const struct mapped_file *f, int64_t k) {
    int64_t from = k * f->window.chunk * f->row_bytes;
    return from < f->size ? from : f->size;
}

/* A thread that has the same chunk still reads its pages again. */
static void release(struct dataset_window *window, int64_t k) {
    const struct mapped_file *f = file_of(window);
    int64_t from = chunk_start(f, k), end = chunk_start(f, k + 1);
    if (end > f->kept)
        pages_drop(f->bytes + from, end - from);
}

/* ---- single rows */

/* A row that cannot be read is not a number, and so is all that is made of it. */
static void read_row(const struct mapped_file *f, int64_t i, double *row) {
    if (scratch_read(f->file, row, f->row_bytes, i * f->row_bytes) != 0)
        for (int64_t j = 0; j < f->row_bytes / (int64_t)sizeof *row; j++)
            row[j] = NAN;
}

static double *row_at(const struct mapped_file *f, double *rows, int64_t k) {
    return rows + k * (f->row_bytes / (int64_t)sizeof *rows);
}

static const double *row(struct dataset_window *window, int64_t i) {
    struct mapped_file *f = file_of(window);
    if (f->place != NULL && f->place[i] >= 0)
        return row_at(f, f->block, f->place[i]);
    double *values = row_at(f, f->single_rows, f->next_single_row);
    f->next_single_row = (f->next_single_row + 1) % SINGLE_ROWS;
    read_row(f, i, values);
    return values;
}

static void expect(struct dataset_window *window, int64_t i) {
    (void)window, (void)i;
}

/* ---- blocks */

static void free_block(struct mapped_file *f) {
    free(f->block);
    free(f->row);
    free(f->place);
    f->block = NULL;
    f->row = NULL;
    f->place = NULL;
}

static int open_blocks(struct dataset_window *window, struct error *e) {
    struct mapped_file *f = file_of(window);
    if (f->block != NULL)
        return 0;
    double fit = f->memory / (double)f->row_bytes - SINGLE_ROWS;
    f->capacity = (int64_t)fmin(fmax(fit, MIN_BLOCK_ROWS), (double)f->rows);
    f->block = memory_new(f->capacity, (size_t)f->row_bytes, "a block of rows", e);
    f->row = memory_new(f->capacity, sizeof *f->row, "a block of rows", e);
    f->place = memory_new(f->rows, sizeof *f->place, "a block of rows", e);
    if (f->block == NULL || f->row == NULL || f->place == NULL) {
        free_block(f);
        return -1;
    }
    for (int64_t i = 0; i < f->rows; i++)
        f->place[i] = -1;
    f->kept = 0;
    pages_drop(f->bytes, f->size);
    return 0;
}

static int by_number(const void *a, const void *b) {
    int64_t i = *(const int64_t *)a, k = *(const int64_t *)b;
    return (i > k) - (i < k);
}

/* The first of the block's rows, in order, that is not before row I. */
static int64_t find_row(const struct mapped_file *f, int64_t i) {
    int64_t from = 0, to = f->count;
    while (from < to) {
        int64_t middle = (from + to) / 2;
        if (f->row[middle] < i)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

/* The block's rows of a chunk, by way of the map: a call of the system for each row takes longer than its use. */
static void copy_chunk(struct mapped_file *f, int64_t chunk) {
    int64_t first = chunk * f->window.chunk, end = find_row(f, first + f->window.chunk);
    for (int64_t k = find_row(f, first); k < end; k++) {
        memcpy(row_at(f, f->block, k), f->bytes + f->row[k] * f->row_bytes, (size_t)f->row_bytes);
        f->place[f->row[k]] = (int32_t)k;
    }
    release(&f->window, chunk);
}

/* After an interruption rows are left out. */
static int64_t load(struct dataset_window *window, const int64_t *list, int64_t count) {
    struct mapped_file *f = file_of(window);
    for (int64_t k = 0; k < f->count; k++)
        f->place[f->row[k]] = -1;
    f->count = count < f->capacity ? count : f->capacity;
    memcpy(f->row, list, sizeof *list * (size_t)f->count);
    qsort(f->row, (size_t)f->count, sizeof *f->row, by_number);
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t chunk = 0; chunk < (f->rows + window->chunk - 1) / window->chunk; chunk++)
        if (!interruption_came(&window->interrupted))
            copy_chunk(f, chunk);
    return f->count;
}

/* ---- the file */

static void window_free(struct dataset_window *window) {
    struct mapped_file *f = file_of(window);
    if (f->bytes != NULL)
        munmap(f->bytes, (size_t)f->size);
    if (f->file >= 0)
        close(f->file);
    free_block(f);
    free(f->single_rows);
    free(f);
}

static int open_file(struct mapped_file *f, const struct map *map, const struct dataset *data,
                     struct error *e) {
    if (mapped_check(mapped_compute(map, data, NULL, f->file), data, e) != 0)
        return -1;
    void *bytes = mmap(NULL, (size_t)f->size, PROT_READ, MAP_SHARED, f->file, 0);
    if (bytes == MAP_FAILED)
        return error_memory(e, "mapped examples", f->size, 1);
    f->bytes = bytes;
    return 0;
}

/* The first bytes that stay, beside the chunks that threads hold. */
static int64_t count_kept(const struct mapped_file *f) {
    double held = THREADS_RESERVED * CHUNKS_TOGETHER * (double)(f->window.chunk * f->row_bytes);
    return (int64_t)fmin(fmax(f->memory - held, 0), (double)f->size);
}

int mapped_file(struct dataset *out, const struct map *map, const struct dataset *data,
                const char *folder, double memory, struct error *e) {
    int64_t size = out->nonzeros * (int64_t)sizeof(double);
    if ((double)size + memory > cache_share * memory_of_machine() || data->rows > INT32_MAX)
        return 0;
    int file = scratch_open(folder, size);
    if (file < 0)
        return 0;
    struct mapped_file *f = memory_zeroed(1, sizeof *f, "mapped examples", e);
    if (f == NULL) {
        close(file);
        return -1;
    }
    *f = (struct mapped_file){.window = {.chunk = mapped_file_rows(out->features),
                                         .together = CHUNKS_TOGETHER,
                                         .hold = hold,
                                         .release = release,
                                         .row = row,
                                         .expect = expect,
                                         .open_blocks = open_blocks,
                                         .load = load,
                                         .free = window_free},
                              .file = file,
                              .size = size,
                              .rows = data->rows,
                              .row_bytes = out->features * (int64_t)sizeof(double),
                              .memory = memory};
    out->window = &f->window; /* from here on freed with OUT */
    f->single_rows = memory_new(SINGLE_ROWS, (size_t)f->row_bytes, "mapped examples", e);
    if (f->single_rows == NULL || open_file(f, map, data, e) != 0)
        return -1;
    f->kept = count_kept(f);
    out->value = (double *)(void *)f->bytes;
    return 1;
}
