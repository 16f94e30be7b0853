/* mapped_window.c - mapped rows that do not all fit in memory: all have addresses, some have memory.
 *
 * The values are one anonymous memory mapping. Its pages take no memory until they are written, nor after they
 * are given back to the system. Chunks are whole pages, so that no two chunks share a page.
 *
 * Rows that stay in memory are kept as floats, so that they are twice as many and take half the time to read.
 *
 * For products no others are computed: b(x) of the others (kernel/map.h) is computed for
 * some rows at a time, in a workspace that stays in the processor's cache. Their number, on which the rounding of sums
 * depends, is not one of threads. */
#include "io/memory.h"
#include "io/pages.h"
#include "io/window.h"
#include "kernel/map_parts.h"
#include "kernel/mapped_parts.h"
#include "kernel/row_block.h"

#include <omp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum {
    EXPECTED_ROWS = MAP_BLOCK - 1,    /* rows that are computed together */
    SINGLE_ROWS = WINDOW_ALONE + 256, /* those that were asked for, and those expected */
    THREADS_RESERVED = 8              /* threads whose memory is counted, however many there are */
};

struct chunk {
    pthread_mutex_t
        lock; /* held while the values are computed, so that other threads wait for them */
    int64_t holders;
};

struct mapped_window {
    struct dataset_window window; /* first: what the rest of the program sees */
    const struct map *map;
    const struct dataset *data;
    double *value;
    size_t bytes;                /* of `value` */
    int64_t n, chunks, resident; /* numbers of a row, chunks, chunks that stay in memory */
    float *floats;               /* the rows that stay in memory */
    struct chunk *chunk;

    /* Scratch memory of map_rows, a workspace for each thread, and a stack of those that are not in use. */
    double *workspace_memory, **idle;
    int64_t workspaces, idle_count;
    pthread_mutex_t lock;
    pthread_cond_t returned;

    double *single_rows; /* SINGLE_ROWS rows, used in turn, and the next to use */
    int64_t next_single_row;

    struct row_block block;
    float *block_rows; /* ROW_BLOCK_SMALLEST rows */
    int64_t *missing;  /* of the block: those that do not stay in memory */

    /* Rows that are expected, in order; those before `computed` are among the single rows. */
    int64_t expected[EXPECTED_ROWS];
    const double *expected_row[EXPECTED_ROWS];
    int64_t expected_count, computed;
};

static struct mapped_window *mapped_of(struct dataset_window *window) {
    return (struct mapped_window *)window;
}

/* ---- workspaces */

static double *take_workspace(struct dataset_window *window) {
    struct mapped_window *w = mapped_of(window);
    pthread_mutex_lock(&w->lock);
    while (w->idle_count == 0)
        pthread_cond_wait(&w->returned, &w->lock);
    double *workspace = w->idle[--w->idle_count];
    pthread_mutex_unlock(&w->lock);
    return workspace;
}

static void return_workspace(struct dataset_window *window, double *workspace) {
    struct mapped_window *w = mapped_of(window);
    pthread_mutex_lock(&w->lock);
    w->idle[w->idle_count++] = workspace;
    pthread_cond_signal(&w->returned);
    pthread_mutex_unlock(&w->lock);
}

/* ---- chunks */

static int64_t chunk_start(const struct mapped_window *w, int64_t k) {
    int64_t from = k * w->window.chunk;
    return from < w->data->rows ? from : w->data->rows;
}

/* Computes a chunk. Returns its first row that is not finite, or its end. */
static int64_t compute(struct mapped_window *w, int64_t k) {
    double *workspace = take_workspace(&w->window);
    int64_t from = chunk_start(w, k), to = chunk_start(w, k + 1);
    int64_t bad = mapped_rows(w->map, w->data, from, to, w->value + from * w->n, workspace);
    return_workspace(&w->window, workspace);
    return bad;
}

static void drop_values(const struct mapped_window *w, int64_t k) {
    size_t size = (size_t)(w->window.chunk * w->n) * sizeof(double), from = (size_t)k * size;
    pages_drop((char *)w->value + from, (int64_t)(from + size < w->bytes ? size : w->bytes - from));
}

static void expand(const float *x, int64_t count, double *out) {
    for (int64_t k = 0; k < count; k++)
        out[k] = (double)x[k];
}

/* The values of a chunk, from memory or anew. */
static void make_values(struct mapped_window *w, int64_t k) {
    int64_t from = chunk_start(w, k), to = chunk_start(w, k + 1);
    if (k < w->resident)
        expand(w->floats + from * w->n, (to - from) * w->n, w->value + from * w->n);
    else if (!interruption_came(&w->window.interrupted))
        compute(w, k);
}

static void hold(struct dataset_window *window, int64_t k, int64_t end) {
    (void)end;
    struct mapped_window *w = mapped_of(window);
    pthread_mutex_lock(&w->chunk[k].lock);
    if (w->chunk[k].holders++ == 0)
        make_values(w, k);
    pthread_mutex_unlock(&w->chunk[k].lock);
}

static void release(struct dataset_window *window, int64_t k) {
    struct mapped_window *w = mapped_of(window);
    pthread_mutex_lock(&w->chunk[k].lock);
    if (--w->chunk[k].holders == 0)
        drop_values(w, k);
    pthread_mutex_unlock(&w->chunk[k].lock);
}

/* ---- single rows */

static double *next_single_rows(struct mapped_window *w, int64_t count) {
    if (w->next_single_row + count > SINGLE_ROWS)
        w->next_single_row = 0;
    double *phi = w->single_rows + w->next_single_row * w->n;
    w->next_single_row += count;
    return phi;
}

/* Computes the rows numbered in `row` together. */
static const double *compute_single_rows(struct mapped_window *w, const int64_t *row,
                                         int64_t count) {
    double *phi = next_single_rows(w, count);
    double *workspace = take_workspace(&w->window);
    map_listed_rows(w->map, w->data, row, count, phi, workspace);
    return_workspace(&w->window, workspace);
    return phi;
}

static void compute_expected_rows(struct mapped_window *w) {
    const double *phi =
        compute_single_rows(w, w->expected + w->computed, w->expected_count - w->computed);
    for (; w->computed < w->expected_count; w->computed++, phi += w->n)
        w->expected_row[w->computed] = phi;
}

static void drop_expected_rows(struct mapped_window *w, int64_t count) {
    w->expected_count -= count;
    w->computed -= count < w->computed ? count : w->computed;
    memmove(w->expected, w->expected + count, sizeof *w->expected * (size_t)w->expected_count);
    memmove(w->expected_row, w->expected_row + count,
            sizeof *w->expected_row * (size_t)w->expected_count);
}

static bool is_resident(const struct mapped_window *w, int64_t i) {
    return i < w->window.resident;
}

static void expect(struct dataset_window *window, int64_t i) {
    struct mapped_window *w = mapped_of(window);
    if (is_resident(w, i))
        return;
    if (w->expected_count == EXPECTED_ROWS)
        drop_expected_rows(w, 1);
    w->expected[w->expected_count++] = i;
}

/* An expected row; those before it are no longer expected. NULL: it is not. */
static const double *take_expected_row(struct mapped_window *w, int64_t i) {
    int64_t k = 0;
    while (k < w->expected_count && w->expected[k] != i)
        k++;
    if (k == w->expected_count)
        return NULL;
    drop_expected_rows(w, k);
    if (w->computed == 0)
        compute_expected_rows(w);
    const double *phi = w->expected_row[0];
    drop_expected_rows(w, 1);
    return phi;
}

static const double *row(struct dataset_window *window, int64_t i) {
    struct mapped_window *w = mapped_of(window);
    const float *kept = is_resident(w, i) ? w->floats + i * w->n : row_block_row(&w->block, i);
    if (kept != NULL) {
        double *values = next_single_rows(w, 1);
        expand(kept, w->n, values);
        return values;
    }
    const double *phi = take_expected_row(w, i);
    return phi != NULL ? phi : compute_single_rows(w, &i, 1);
}

/* ---- blocks */

/* The block's space is the last quarter of the rows that stay in memory, if that is many. */
static int open_blocks(struct dataset_window *window, struct error *e) {
    struct mapped_window *w = mapped_of(window);
    int64_t outside = w->chunks - w->resident, spared = w->resident / 4;
    float *rows = w->block_rows;
    int64_t capacity = ROW_BLOCK_SMALLEST;
    if (w->block.rows != NULL)
        return 0;
    spared = spared < outside ? spared : outside;
    if (spared * window->chunk > ROW_BLOCK_SMALLEST) {
        capacity = spared * window->chunk;
        w->resident -= spared;
        window->resident = chunk_start(w, w->resident);
        rows = w->floats + window->resident * w->n;
    }
    w->missing = memory_new(capacity, sizeof *w->missing, "a block of rows", e);
    if (w->missing != NULL && row_block_init(&w->block, w->map, w->data, rows, capacity, e) == 0)
        return 0;
    row_block_free(&w->block);
    free(w->missing);
    w->missing = NULL;
    return -1;
}

static int64_t load(struct dataset_window *window, const int64_t *list, int64_t count) {
    struct mapped_window *w = mapped_of(window);
    int64_t taken = 0, missing = 0;
    for (; taken < count; taken++) {
        if (is_resident(w, list[taken]))
            continue;
        if (missing == w->block.capacity)
            break;
        w->missing[missing++] = list[taken];
    }
    row_block_fill(&w->block, w->missing, missing, &window->interrupted);
    return taken;
}

/* ---- products */

static const double *base(struct dataset_window *window, int64_t from, int64_t to, double *work) {
    const struct mapped_window *w = mapped_of(window);
    return interruption_came(&window->interrupted) ? work
                                                   : map_base(w->map, w->data, from, to, work);
}

static void to_base(const struct dataset_window *window, const double *weights, double *v) {
    map_to_base(((const struct mapped_window *)window)->map, weights, v);
}

static void from_base(const struct dataset_window *window, const double *sum, double *g) {
    map_from_base(((const struct mapped_window *)window)->map, sum, g);
}

/* ---- memory */

static void window_free(struct dataset_window *window) {
    struct mapped_window *w = mapped_of(window);
    pages_free(w->value, (int64_t)w->bytes);
    for (int64_t k = 0; w->chunk != NULL && k < w->chunks; k++)
        pthread_mutex_destroy(&w->chunk[k].lock);
    pthread_mutex_destroy(&w->lock);
    pthread_cond_destroy(&w->returned);
    free(w->floats);
    free(w->chunk);
    free(w->workspace_memory);
    free(w->idle);
    free(w->single_rows);
    row_block_free(&w->block);
    free(w->block_rows);
    free(w->missing);
    free(w);
}

/* The number of chunks that stay in memory, as floats, if THREADS_RESERVED threads work on one more each. */
static int64_t count_resident(const struct mapped_window *w, double memory) {
    double numbers = (double)(w->window.chunk * w->n), kept = numbers * sizeof(float);
    double workspace =
        (double)(map_work_size(w->map, MAP_BLOCK) + row_block_work(w->map)) * sizeof(double);
    double left = memory - THREADS_RESERVED * (numbers * sizeof(double) + workspace) -
                  (double)(SINGLE_ROWS * w->n) * sizeof(double) -
                  (double)(ROW_BLOCK_SMALLEST * w->n) * sizeof(float);
    return left <= 0 ? 0 : left >= kept * (double)w->chunks ? w->chunks : (int64_t)(left / kept);
}

static int allocate_floats(struct mapped_window *w, struct error *e) {
    w->window.resident = chunk_start(w, w->resident);
    if (w->resident == 0)
        return 0;
    w->floats = memory_new(w->window.resident, sizeof(float) * (size_t)w->n, "mapped examples", e);
    w->window.floats = w->floats;
    return w->floats == NULL ? -1 : 0;
}

static int allocate(struct mapped_window *w, struct error *e) {
    int64_t workspace = map_work_size(w->map, MAP_BLOCK);
    w->chunk = memory_zeroed(w->chunks, sizeof *w->chunk, "chunks of mapped examples", e);
    w->workspace_memory =
        memory_zeroed(w->workspaces * workspace, sizeof(double), "kernel values", e);
    w->idle = memory_new(w->workspaces, sizeof *w->idle, "kernel values", e);
    w->single_rows = memory_new(SINGLE_ROWS, sizeof(double) * (size_t)w->n, "mapped examples", e);
    w->block_rows =
        memory_new(ROW_BLOCK_SMALLEST, sizeof(float) * (size_t)w->n, "mapped examples", e);
    for (int64_t k = 0; w->chunk != NULL && k < w->chunks; k++)
        pthread_mutex_init(&w->chunk[k].lock, NULL);
    if (w->chunk == NULL || w->workspace_memory == NULL || w->idle == NULL ||
        w->single_rows == NULL || w->block_rows == NULL)
        return -1;
    for (; w->idle_count < w->workspaces; w->idle_count++)
        w->idle[w->idle_count] = w->workspace_memory + w->idle_count * workspace;
    w->value = pages_new((int64_t)w->bytes, "mapped examples", e);
    return w->value != NULL ? 0 : -1;
}

/* The first row of a chunk whose b(x) is not finite, or the chunk's end. */
static int64_t check_chunk(struct mapped_window *w, int64_t k) {
    int64_t width = w->window.width, end = chunk_start(w, k + 1), bad = end;
    double *workspace = take_workspace(&w->window);
    for (int64_t from = chunk_start(w, k); from < end && bad == end; from += MAP_BLOCK) {
        int64_t to = from + MAP_BLOCK < end ? from + MAP_BLOCK : end;
        const double *b = map_base(w->map, w->data, from, to, workspace);
        for (int64_t i = to - 1; i >= from; i--)
            bad = map_finite(b + (i - from) * width, width) ? bad : i;
    }
    return_workspace(&w->window, workspace);
    return bad;
}

/* Computes a chunk that stays in memory. Returns as compute; *fits becomes false if a row does not fit in floats. */
static int64_t keep_chunk(struct mapped_window *w, int64_t k, bool *fits) {
    int64_t bad = compute(w, k), end = chunk_start(w, k + 1);
    for (int64_t i = chunk_start(w, k); i < end && bad == end; i++)
        *fits = row_block_round(w->value + i * w->n, w->n, w->floats + i * w->n) && *fits;
    drop_values(w, k);
    return bad;
}

/* No row stays in memory. */
static void keep_none(struct mapped_window *w) {
    free(w->floats);
    w->floats = NULL;
    w->window.floats = NULL;
    w->resident = w->window.resident = 0;
}

/* Computes the chunks that stay in memory, and checks the others. Returns the first row that is not finite, or `rows`;
 * or MAP_STOPPED. */
static int64_t compute_all(struct mapped_window *w) {
    int64_t bad = w->data->rows;
    bool stopped = false, fits = true;
#pragma omp parallel for schedule(dynamic, 1) reduction(min : bad) reduction(|| : stopped)         \
    reduction(&& : fits)
    for (int64_t k = 0; k < w->chunks; k++) {
        stopped = stopped || interruption_came(&w->map->settings.interrupted);
        if (stopped)
            continue;
        int64_t found = k < w->resident ? keep_chunk(w, k, &fits) : check_chunk(w, k);
        if (found < chunk_start(w, k + 1))
            bad = found < bad ? found : bad;
    }
    if (!fits)
        keep_none(w);
    return stopped ? MAP_STOPPED : bad;
}

int mapped_window(struct dataset *out, const struct map *map, const struct dataset *data,
                  double memory, struct error *e) {
    struct mapped_window *w = memory_zeroed(1, sizeof *w, "mapped examples", e);
    if (w == NULL)
        return -1;
    w->window = (struct dataset_window){.chunk = mapped_chunk_rows(out->features),
                                        .together = 1,
                                        .hold = hold,
                                        .release = release,
                                        .row = row,
                                        .expect = expect,
                                        .open_blocks = open_blocks,
                                        .load = load,
                                        .free = window_free,
                                        .width = map_base_width(map),
                                        .take_work = take_workspace,
                                        .return_work = return_workspace,
                                        .base_rows = MAP_BLOCK,
                                        .base = base,
                                        .to_base = to_base,
                                        .from_base = from_base};
    w->map = map;
    w->data = data;
    w->n = out->features;
    w->bytes = (size_t)out->nonzeros * sizeof(double);
    w->chunks = (data->rows + w->window.chunk - 1) / w->window.chunk;
    w->workspaces = omp_get_max_threads();
    w->resident = count_resident(w, memory);
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->returned, NULL);
    out->window = &w->window; /* from here on freed with OUT */
    if (allocate(w, e) != 0 || allocate_floats(w, e) != 0)
        return -1;
    out->value = w->value;
    return map_check(compute_all(w), data->rows, e);
}
