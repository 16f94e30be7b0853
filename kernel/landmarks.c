/* landmarks.c - the choice of landmark rows: uniformly, or by k-means++. */
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "math/random.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

enum {
    BLOCK_ROWS = 1024,               /* rows whose distances are summed together */
    MIN_NONZEROS_FOR_THREADS = 20000 /* nonzeros */
};

/* Takes each row in turn with probability (rows still needed)/(rows left) (Knuth, algorithm S). */
static void draw_uniform(uint64_t seed, int64_t rows, int64_t *chosen, int64_t count) {
    struct random random;
    random_seed(&random, seed, 0);
    for (int64_t i = 0, found = 0; found < count; i++)
        if ((int64_t)random_below(&random, (uint64_t)(rows - i)) < count - found)
            chosen[found++] = i;
}

struct seeding {
    const struct kernel *kernel;
    const struct interruption *interrupted;
    const struct dataset *data;
    double *square;   /* ||x_i||^2 */
    double *distance; /* squared distance to the nearest chosen row; -1: chosen */
    double *sum;      /* sum of a block's distances */
    double *latest;   /* the row chosen last, unpacked */
    int64_t blocks;
};

static int64_t block_end(const struct seeding *s, int64_t block) {
    int64_t end = (block + 1) * BLOCK_ROWS;
    return end < s->data->rows ? end : s->data->rows;
}

static double diagonal_value(const struct seeding *s, int64_t i) {
    return kernel_value(s->kernel, s->square[i], s->square[i], s->square[i]);
}

/* Lowers the distances of a block's rows to those from CHOSEN, where these are smaller. */
static void update_block(struct seeding *s, int64_t chosen, int64_t block) {
    const struct dataset *data = s->data;
    int64_t from = block * BLOCK_ROWS, to = block_end(s, block);
    double value[BLOCK_ROWS], sum = 0, chosen_value = diagonal_value(s, chosen);
    for (int64_t i = from; i < to; i++)
        value[i - from] = sparse_dot(s->latest, dataset_columns(data, i), dataset_values(data, i),
                                     dataset_count(data, i));
    kernel_apply(s->kernel, s->square + from, s->square[chosen], value, to - from);
    for (int64_t i = from; i < to; i++) {
        double distance = chosen_value + diagonal_value(s, i) - 2 * value[i - from];
        if (i == chosen)
            s->distance[i] = -1;
        else if (distance < s->distance[i])
            s->distance[i] = distance > 0 ? distance : 0;
        sum += fmax(0, s->distance[i]);
    }
    s->sum[block] = sum;
}

static void update_distances(struct seeding *s, int64_t chosen) {
    const int32_t *column = dataset_columns(s->data, chosen);
    int64_t count = dataset_count(s->data, chosen);
    sparse_add(s->latest, 1, column, dataset_values(s->data, chosen), count);
#pragma omp parallel for schedule(static) if (s->data->nonzeros > MIN_NONZEROS_FOR_THREADS)
    for (int64_t block = 0; block < s->blocks; block++)
        update_block(s, chosen, block);
    for (int64_t k = 0; k < count; k++)
        s->latest[column[k]] = 0;
}

/* Draws a row with probability proportional to its distance; -1: all are 0, or some are not finite. */
static int64_t draw_by_distance(const struct seeding *s, struct random *random) {
    double total = 0;
    for (int64_t block = 0; block < s->blocks; block++)
        total += s->sum[block];
    double left = total * random_unit(random);
    int64_t block = 0, last = -1;
    if (!(total > 0) || isinf(total))
        return -1;
    while (block + 1 < s->blocks && left >= s->sum[block])
        left -= s->sum[block++];
    for (; last < 0; block--) /* goes back a block if rounding led past the last distance */
        for (int64_t i = block * BLOCK_ROWS; i < block_end(s, block) && left >= 0; i++)
            if (s->distance[i] > 0) {
                left -= s->distance[i];
                last = i;
            }
    return last;
}

/* Draws a row that is not chosen: the first one from a uniformly drawn index on. */
static int64_t draw_unchosen(const struct seeding *s, struct random *random) {
    int64_t i = (int64_t)random_below(random, (uint64_t)s->data->rows);
    while (s->distance[i] < 0)
        i = i + 1 < s->data->rows ? i + 1 : 0;
    return i;
}

/* -1 if it was interrupted. */
static int draw_all(struct seeding *s, uint64_t seed, int64_t count) {
    struct random random;
    random_seed(&random, seed, 0);
    points_squares(s->data, 0, s->data->rows, s->square);
    for (int64_t i = 0; i < s->data->rows; i++)
        s->distance[i] = INFINITY;
    for (int64_t k = 0; k < count; k++) {
        if (interruption_came(s->interrupted))
            return -1;
        int64_t i = k == 0 ? -1 : draw_by_distance(s, &random);
        update_distances(s, i < 0 ? draw_unchosen(s, &random) : i);
    }
    return 0;
}

static int draw_kmeans(const struct map_settings *settings, const struct dataset *data,
                       int64_t *chosen, int64_t count, struct error *e) {
    struct seeding s = {
        .kernel = &settings->kernel, .interrupted = &settings->interrupted, .data = data};
    s.blocks = (data->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    s.square = memory_new(data->rows, sizeof(double), "squared norms", e);
    s.distance = memory_new(data->rows, sizeof(double), "distances to landmarks", e);
    s.sum = memory_new(s.blocks, sizeof(double), "distances to landmarks", e);
    s.latest = memory_zeroed(data->features, sizeof(double), "a landmark", e);
    bool complete = s.square != NULL && s.distance != NULL && s.sum != NULL && s.latest != NULL;
    if (complete && draw_all(&s, settings->seed, count) != 0) {
        map_check(MAP_STOPPED, 0, e);
        complete = false;
    }
    for (int64_t i = 0, found = 0; complete && i < data->rows; i++)
        if (s.distance[i] < 0)
            chosen[found++] = i;
    free(s.square);
    free(s.distance);
    free(s.sum);
    free(s.latest);
    return complete ? 0 : -1;
}

int landmarks_draw(const struct map_settings *settings, const struct dataset *data, int64_t *rows,
                   int64_t count, struct error *e) {
    if (settings->seeding == SEEDING_KMEANS && count < data->rows)
        return draw_kmeans(settings, data, rows, count, e);
    draw_uniform(settings->seed, data->rows, rows, count);
    return 0;
}
