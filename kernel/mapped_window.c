/* mapped_window.c - mapped rows that do not fit: they have addresses for all, and memory for some.
 *
 * The values are one mapping of the system's, whose pages take no memory until they are written, and
 * none again once they are given back. Chunks are whole pages, so that no two share one. */
#include "io/memory.h"
#include "io/window.h"
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, ALIGNED_ROWS = PAGE / sizeof(double) };

struct chunk {
    pthread_mutex_t lock; /* held while the values are computed: others wait for them */
    int64_t holders;
};

struct mapped_window {
    struct dataset_window window; /* first: the rest of the program sees this */
    const struct map *map;
    const struct dataset *data;
    double *value;
    size_t bytes; /* of `value` */
    int64_t n, chunks, resident;
    struct chunk *chunk;

    /* Room for map_rows, one for each thread, and those that nobody uses now. */
    double *room, **idle;
    int64_t rooms, idle_rooms;
    pthread_mutex_t lock;
    pthread_cond_t returned;

    double *alone; /* WINDOW_ALONE rows, and which comes next */
    int64_t next;
};

static struct mapped_window *of(struct dataset_window *window) {
    return (struct mapped_window *)window;
}

/* ---- room */

static double *take_room(struct mapped_window *w) {
    pthread_mutex_lock(&w->lock);
    while (w->idle_rooms == 0)
        pthread_cond_wait(&w->returned, &w->lock);
    double *room = w->idle[--w->idle_rooms];
    pthread_mutex_unlock(&w->lock);
    return room;
}

static void give_room(struct mapped_window *w, double *room) {
    pthread_mutex_lock(&w->lock);
    w->idle[w->idle_rooms++] = room;
    pthread_cond_signal(&w->returned);
    pthread_mutex_unlock(&w->lock);
}

/* ---- chunks */

static int64_t chunk_start(const struct mapped_window *w, int64_t k) {
    int64_t from = k * w->window.chunk;
    return from < w->data->rows ? from : w->data->rows;
}

/* The chunk's first row that is not finite, or its end. */
static int64_t compute(struct mapped_window *w, int64_t k) {
    double *room = take_room(w);
    int64_t from = chunk_start(w, k), to = chunk_start(w, k + 1);
    int64_t bad = mapped_rows(w->map, w->data, from, to, w->value + from * w->n, room);
    give_room(w, room);
    return bad;
}

static void forget(const struct mapped_window *w, int64_t k) {
    size_t size = (size_t)(w->window.chunk * w->n) * sizeof(double), from = (size_t)k * size;
    madvise((char *)w->value + from, from + size < w->bytes ? size : w->bytes - from,
            MADV_DONTNEED);
}

static void hold(struct dataset_window *window, int64_t k) {
    struct mapped_window *w = of(window);
    if (k < w->resident)
        return;
    pthread_mutex_lock(&w->chunk[k].lock);
    if (w->chunk[k].holders++ == 0 && !interruption_came(&window->interrupted))
        compute(w, k);
    pthread_mutex_unlock(&w->chunk[k].lock);
}

static void release(struct dataset_window *window, int64_t k) {
    struct mapped_window *w = of(window);
    if (k < w->resident)
        return;
    pthread_mutex_lock(&w->chunk[k].lock);
    if (--w->chunk[k].holders == 0)
        forget(w, k);
    pthread_mutex_unlock(&w->chunk[k].lock);
}

static const double *row(struct dataset_window *window, int64_t i) {
    struct mapped_window *w = of(window);
    if (i < w->resident * window->chunk)
        return w->value + i * w->n;
    double *phi = w->alone + w->next * w->n, *room = take_room(w);
    w->next = (w->next + 1) % WINDOW_ALONE;
    map_rows(w->map, w->data, i, i + 1, phi, room);
    give_room(w, room);
    return phi;
}

/* ---- begin and end */

static void window_free(struct dataset_window *window) {
    struct mapped_window *w = of(window);
    if (w->value != NULL)
        munmap(w->value, w->bytes);
    for (int64_t k = 0; w->chunk != NULL && k < w->chunks; k++)
        pthread_mutex_destroy(&w->chunk[k].lock);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->returned);
    free(w->chunk);
    free(w->room);
    free(w->idle);
    free(w->alone);
    free(w);
}

/* The least number of rows that make whole pages and whole blocks of the map. */
static int64_t chunk_rows(int64_t n) {
    int64_t rows = ALIGNED_ROWS;
    while (rows > MAP_BLOCK && rows / 2 * n % ALIGNED_ROWS == 0)
        rows /= 2;
    return rows;
}

/* How many chunks stay, where every thread works on one more. */
static int64_t chunks_that_stay(const struct mapped_window *w, double memory) {
    double chunk = (double)(w->window.chunk * w->n) * sizeof(double);
    double room = (double)map_room(w->map, MAP_BLOCK) * sizeof(double);
    double left =
        memory - (double)w->rooms * (chunk + room) - (double)(WINDOW_ALONE * w->n) * sizeof(double);
    return left <= 0 ? 0 : left >= chunk * (double)w->chunks ? w->chunks : (int64_t)(left / chunk);
}

static int allocate(struct mapped_window *w, struct error *e) {
    int64_t room = map_room(w->map, MAP_BLOCK);
    w->chunk = memory_zeroed(w->chunks, sizeof *w->chunk, "chunks of mapped examples", e);
    w->room = memory_new(w->rooms * room, sizeof(double), "room for kernel values", e);
    w->idle = memory_new(w->rooms, sizeof *w->idle, "room for kernel values", e);
    w->alone = memory_new(WINDOW_ALONE, sizeof(double) * (size_t)w->n, "mapped examples", e);
    for (int64_t k = 0; w->chunk != NULL && k < w->chunks; k++)
        pthread_mutex_init(&w->chunk[k].lock, NULL);
    if (w->chunk == NULL || w->room == NULL || w->idle == NULL || w->alone == NULL)
        return -1;
    for (; w->idle_rooms < w->rooms; w->idle_rooms++)
        w->idle[w->idle_rooms] = w->room + w->idle_rooms * room;
    void *value = mmap(NULL, w->bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (value == MAP_FAILED)
        return error_memory(e, "mapped examples", w->data->rows, (size_t)w->n * sizeof(double));
    madvise(value, w->bytes, MADV_NOHUGEPAGE); /* a huge page holds parts of several chunks */
    w->value = value;
    return 0;
}

/* Each chunk once; the first row that is not finite, or all rows; or MAPPED_STOPPED. */
static int64_t compute_all(struct mapped_window *w) {
    int64_t bad = w->data->rows;
    bool stopped = false;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : bad) reduction(|| : stopped)
    for (int64_t k = 0; k < w->chunks; k++) {
        stopped = stopped || interruption_came(&w->map->settings.interrupted);
        if (stopped)
            continue;
        int64_t found = compute(w, k);
        if (found < chunk_start(w, k + 1))
            bad = found < bad ? found : bad;
        if (k >= w->resident)
            forget(w, k);
    }
    return stopped ? MAPPED_STOPPED : bad;
}

int mapped_window(struct dataset *out, const struct map *map, const struct dataset *data,
                  double memory, struct error *e) {
    struct mapped_window *w = memory_zeroed(1, sizeof *w, "mapped examples", e);
    if (w == NULL)
        return -1;
    w->window = (struct dataset_window){.chunk = chunk_rows(out->features),
                                        .hold = hold,
                                        .release = release,
                                        .row = row,
                                        .free = window_free};
    w->map = map;
    w->data = data;
    w->n = out->features;
    w->bytes = (size_t)out->nonzeros * sizeof(double);
    w->chunks = (data->rows + w->window.chunk - 1) / w->window.chunk;
    w->rooms = omp_get_max_threads();
    w->resident = chunks_that_stay(w, memory);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->returned, NULL);
    out->window = &w->window; /* from here on freed with OUT */
    if (allocate(w, e) != 0)
        return -1;
    out->value = w->value;
    return mapped_check(compute_all(w), data->rows, e);
}
