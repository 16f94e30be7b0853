/* cache_window.c - blocks of a mapped file, one behind another. */
#include "io/cache/cache_window.h"

#include "io/dataset_window.h"
#include "io/memory.h"
#include "io/pages.h"

#include <math.h>
#include <stdlib.h>

enum { PAGE = 4096, TOGETHER = 16, ROUND_ROWS = 256 };

/* Bytes of a chunk: large for the disk, and small beside the memory. */
static const double least_chunk = 1 << 16, largest_chunk = 4 << 20, chunk_share = 1.0 / 64;

struct cache_window {
    struct dataset_window window; /* first: what the rest of the program sees */
    int64_t rows;
    const int64_t *start;
    const int32_t *column;
    const double *value; /* NULL: all are 1 */
};

/* Calls ADVISE for the pages of these bytes; the last one belongs to what follows. */
static void for_pages(const void *bytes, int64_t length,
                      void (*advise)(void *from, int64_t bytes)) {
    uintptr_t from = (uintptr_t)bytes / PAGE * PAGE;
    uintptr_t end = ((uintptr_t)bytes + (uintptr_t)length) / PAGE * PAGE;
    if (end > from)
        advise((void *)from, (int64_t)(end - from));
}

void cache_window_drop(const void *bytes, int64_t length) {
    for_pages(bytes, length, pages_drop);
}

static int64_t chunk_start(const struct cache_window *w, int64_t k) {
    int64_t from = k * w->window.chunk;
    return w->start[from < w->rows ? from : w->rows];
}

static void for_chunk(const struct cache_window *w, int64_t k,
                      void (*advise)(void *from, int64_t bytes)) {
    int64_t from = chunk_start(w, k), count = chunk_start(w, k + 1) - from;
    for_pages(w->column + from, count * (int64_t)sizeof *w->column, advise);
    if (w->value != NULL)
        for_pages(w->value + from, count * (int64_t)sizeof *w->value, advise);
}

/* The disk reads the next chunk while this one is used. */
static void hold(struct dataset_window *window, int64_t k) {
    for_chunk((struct cache_window *)window, k + 1, pages_read_ahead);
}

/* A thread that has the same chunk still reads its pages again. */
static void release(struct dataset_window *window, int64_t k) {
    for_chunk((struct cache_window *)window, k, pages_drop);
}

static const double *row(struct dataset_window *window, int64_t i) {
    const struct cache_window *w = (const struct cache_window *)window;
    return w->value == NULL ? NULL : w->value + w->start[i];
}

static void expect(struct dataset_window *window, int64_t i) {
    (void)window, (void)i;
}

static void window_free(struct dataset_window *window) {
    free(window);
}

/* The rows of a chunk, on average of so many bytes as suit the memory; if they are that many, whole chunks of ipm. */
static int64_t chunk_rows(const struct dataset *data, double memory) {
    double bytes = fmin(fmax(chunk_share * memory, least_chunk), largest_chunk);
    double entry = sizeof *data->column + (data->value == NULL ? 0 : sizeof *data->value);
    double rows = bytes * (double)data->rows / (entry * (double)data->nonzeros + 1);
    if (rows > ROUND_ROWS)
        rows -= fmod(rows, ROUND_ROWS);
    return (int64_t)fmin(fmax(floor(rows), 1), (double)data->rows);
}

int cache_window(struct dataset *data, double memory, struct error *e) {
    struct cache_window *w = memory_zeroed(1, sizeof *w, "a window", e);
    if (w == NULL)
        return -1;
    w->window = (struct dataset_window){.chunk = chunk_rows(data, memory),
                                        .together = TOGETHER,
                                        .hold = hold,
                                        .release = release,
                                        .row = row,
                                        .expect = expect,
                                        .free = window_free};
    w->rows = data->rows;
    w->start = data->start;
    w->column = data->column;
    w->value = data->value;
    data->window = &w->window;
    return 0;
}
