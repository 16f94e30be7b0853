/* cache_window.c - blocks of a mapped file, one behind another. */
#include "io/cache/cache_window.h"

#include "io/cache/overlay.h"
#include "io/dataset_window.h"
#include "io/memory.h"
#include "io/pages.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

enum { PAGE_BYTES = 4096, PAGES_TOGETHER = 16, ROUND_ROWS = 256, CHUNKS_AHEAD = 4 };

/* Bytes of a chunk: large for the disk, and small beside the memory. */
static const double least_chunk = 1 << 16, largest_chunk = 4 << 20, chunk_share = 1.0 / 64;

/* For an overlay: of the memory for examples, and of what that leaves of the machine's, as a solver may take as much
 * for itself. And the part of the machine's memory in which its cache of files has room. */
static const double overlay_share = 0.75, cache_share = 0.8;

/* Of the memory for examples: the chunks of a thread leave so much for copies. */
static const double spare_share = 0.6;

struct cache_window {
    struct dataset_window window; /* first: what the rest of the program sees */
    int64_t rows;
    const int64_t *start;
    const int32_t *column;
    const double *value; /* NULL: all are 1 */

    struct overlay *overlay; /* NULL: the file fits in the system's cache, or there is none */
    int64_t held;            /* chunks, by all threads */
    int64_t frontier;        /* the furthest row that a thread reads, or will read next */
};

/* Calls ADVISE for the pages of these bytes; the last one belongs to what follows. */
static void for_pages(const void *bytes, int64_t length,
                      void (*advise)(void *from, int64_t bytes)) {
    uintptr_t from = (uintptr_t)bytes / PAGE_BYTES * PAGE_BYTES;
    uintptr_t end = ((uintptr_t)bytes + (uintptr_t)length) / PAGE_BYTES * PAGE_BYTES;
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

/* The bytes of a chunk's columns and values. */
struct chunk_bytes {
    const void *from[2];
    int64_t bytes[2]; /* 0: there are none */
};

static struct chunk_bytes chunk_bytes(const struct cache_window *w, int64_t k) {
    int64_t from = chunk_start(w, k), count = chunk_start(w, k + 1) - from;
    bool values = w->value != NULL;
    if (count == 0)
        return (struct chunk_bytes){.bytes = {0, 0}};
    return (struct chunk_bytes){.from = {w->column + from, values ? w->value + from : NULL},
                                .bytes = {count * (int64_t)sizeof *w->column,
                                          values ? count * (int64_t)sizeof(double) : 0}};
}

static void for_chunk(const struct cache_window *w, int64_t k,
                      void (*advise)(void *from, int64_t bytes)) {
    struct chunk_bytes chunk = chunk_bytes(w, k);
    for (int i = 0; i < 2; i++)
        for_pages(chunk.from[i], chunk.bytes[i], advise);
}

static void over_chunk(const struct cache_window *w, int64_t k,
                       void (*act)(struct overlay *overlay, const void *bytes, int64_t length)) {
    struct chunk_bytes chunk = chunk_bytes(w, k);
    for (int i = 0; i < 2; i++)
        if (chunk.bytes[i] > 0)
            act(w->overlay, chunk.from[i], chunk.bytes[i]);
}

/* Asks for the chunks behind chunk K of a thread whose rows end at END; behind these it will take the rows that no
 * thread has begun, or begin anew. A thread that holds many chunks at a time uses as many before the next ones. */
static void ask_ahead(struct cache_window *w, int64_t k, int64_t end) {
    int64_t chunk = w->window.chunk, chunks = (w->rows + chunk - 1) / chunk, frontier, count;
#pragma omp critical(cache_window)
    {
        if (k == 0 || end > w->frontier)
            w->frontier = end;
        frontier = (w->frontier + chunk - 1) / chunk;
        count = CHUNKS_AHEAD + ++w->held / omp_get_num_threads();
    }
    for (int64_t last = (end - 1) / chunk, d = 1; d <= count; d++)
        over_chunk(w, (k + d <= last ? k + d : frontier + k + d - last - 1) % chunks, overlay_ask);
}

/* The disk reads the next chunk while this one is used. */
static void hold(struct dataset_window *window, int64_t k, int64_t end) {
    struct cache_window *w = (struct cache_window *)window;
    if (w->overlay == NULL) {
        for_chunk(w, k + 1, pages_read_ahead);
        return;
    }
    over_chunk(w, k, overlay_hold);
    ask_ahead(w, k, end);
}

/* A thread that has the same chunk still reads its pages again. */
static void release(struct dataset_window *window, int64_t k) {
    struct cache_window *w = (struct cache_window *)window;
    if (w->overlay == NULL) {
        for_chunk(w, k, pages_drop);
        return;
    }
    over_chunk(w, k, overlay_release);
#pragma omp critical(cache_window)
    w->held--;
}

static const double *row(struct dataset_window *window, int64_t i) {
    const struct cache_window *w = (const struct cache_window *)window;
    return w->value == NULL ? NULL : w->value + w->start[i];
}

static void expect(struct dataset_window *window, int64_t i) {
    (void)window, (void)i;
}

static void window_free(struct dataset_window *window) {
    overlay_free(((struct cache_window *)window)->overlay);
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

int cache_window(struct dataset *data, int file, double memory, struct error *e) {
    struct cache_window *w = memory_zeroed(1, sizeof *w, "a window", e);
    if (w == NULL)
        return -1;
    w->window = (struct dataset_window){.chunk = chunk_rows(data, memory),
                                        .together = PAGES_TOGETHER,
                                        .spare = spare_share * memory,
                                        .hold = hold,
                                        .release = release,
                                        .row = row,
                                        .expect = expect,
                                        .free = window_free};
    w->rows = data->rows;
    w->start = data->start;
    w->column = data->column;
    w->value = data->value;
    double machine = memory_of_machine(), room = overlay_share * fmin(memory, machine - memory);
    if ((double)data->map_bytes > cache_share * machine &&
        overlay_new(file, data->map, data->map_bytes, (int64_t)room, &w->overlay, e) != 0) {
        free(w);
        return -1;
    }
    if (w->overlay != NULL)
        w->window.spare = (1 - overlay_share) * memory;
    data->window = &w->window;
    return 0;
}
