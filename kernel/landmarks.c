/* landmarks.c - the choice of landmark rows: uniformly, by k-means++, or by a randomly pivoted Cholesky factor
 * (Chen, Epperly, Tropp & Webber 2023, Algorithm 2.1).
 *
 * The latter two draw rows one by one, each with probability in proportion to a weight: its squared distance from the
 * landmarks, or its residual k(x,x) - ||F_x||^2, where F F' is the Nystrom approximation of K by the landmarks. Both
 * look at a uniform sample of the rows. Where the rows lie in several processes (io/communicator.h), each of these gets
 * the sample, and draws as one process does. */
#include "io/dataset_gather.h"
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "math/dense.h"
#include "math/random/random.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>

enum {
    BLOCK_ROWS = 1024,               /* rows whose weights are summed together */
    MIN_SAMPLE = 8192,               /* rows of a sample, at least; */
    SAMPLE_FACTOR = 4,               /* and rows of a sample for each landmark */
    MIN_NONZEROS_FOR_THREADS = 20000 /* nonzeros */
};

/* Takes each row in turn with probability (rows still needed)/(rows left) (Knuth, algorithm S). */
static void draw_uniform(uint64_t seed, uint64_t stream, int64_t rows, int64_t *chosen,
                         int64_t count) {
    struct random random;
    random_seed(&random, seed, stream);
    for (int64_t i = 0, found = 0; found < count; i++)
        if ((int64_t)random_below(&random, (uint64_t)(rows - i)) < count - found)
            chosen[found++] = i;
}

/* Streams of random numbers. */
enum { STREAM_LANDMARKS, STREAM_SAMPLE };

struct seeding {
    const struct kernel *kernel;
    const struct interruption *interrupted;
    const struct dataset *data;
    double *square; /* ||x_i||^2 */
    double *weight; /* squared distance to the nearest chosen row, or residual; -1: chosen */
    double *sum;    /* sum of a block's weights */
    double *latest; /* the row chosen last, unpacked */
    double *factor; /* F: rows x count; NULL: k-means++ */
    int64_t blocks, count, drawn;
};

static int64_t block_end(const struct seeding *s, int64_t block) {
    int64_t end = (block + 1) * BLOCK_ROWS;
    return end < s->data->rows ? end : s->data->rows;
}

static double diagonal_value(const struct seeding *s, int64_t i) {
    return kernel_value(s->kernel, s->square[i], s->square[i], s->square[i]);
}

/* k(chosen, x_i) of a block's rows. */
static void block_kernel(const struct seeding *s, int64_t chosen, int64_t block, double *value) {
    const struct dataset *data = s->data;
    int64_t from = block * BLOCK_ROWS, to = block_end(s, block);
    for (int64_t i = from; i < to; i++)
        value[i - from] = sparse_dot(s->latest, dataset_columns(data, i), dataset_values(data, i),
                                     dataset_count(data, i));
    kernel_apply(s->kernel, s->square + from, s->square[chosen], value, to - from);
}

static double lower_distance(const struct seeding *s, int64_t i, double chosen_value,
                             double value) {
    double distance = chosen_value + diagonal_value(s, i) - 2 * value;
    return distance < s->weight[i] ? fmax(0, distance) : s->weight[i];
}

/* Appends a column to F; PIVOT is the residual of the row chosen. A residual that is only rounding becomes 0. */
static double lower_residual(const struct seeding *s, int64_t i, int64_t chosen, double pivot,
                             double value) {
    static const double relative_rounding = 1e-13;
    double *row = s->factor + i * s->count;
    const double *chosen_row = s->factor + chosen * s->count;
    row[s->drawn] = 0;
    if (!(pivot > 0) || isinf(pivot))
        return s->weight[i];
    row[s->drawn] = (value - vector_dot_wide(row, chosen_row, s->drawn)) / sqrt(pivot);
    double residual = s->weight[i] - row[s->drawn] * row[s->drawn];
    return residual > relative_rounding * diagonal_value(s, i) ? residual : 0;
}

/* Lowers the weights of a block's rows, now that a row is CHOSEN whose weight was PIVOT. */
static void update_block(struct seeding *s, int64_t chosen, double pivot, int64_t block) {
    int64_t from = block * BLOCK_ROWS, to = block_end(s, block);
    double value[BLOCK_ROWS], sum = 0, chosen_value = diagonal_value(s, chosen);
    block_kernel(s, chosen, block, value);
    for (int64_t i = from; i < to; i++) {
        if (i == chosen || s->weight[i] < 0)
            s->weight[i] = -1;
        else if (s->factor == NULL)
            s->weight[i] = lower_distance(s, i, chosen_value, value[i - from]);
        else
            s->weight[i] = lower_residual(s, i, chosen, pivot, value[i - from]);
        sum += fmax(0, s->weight[i]);
    }
    s->sum[block] = sum;
}

static void choose_row(struct seeding *s, int64_t chosen) {
    const int32_t *column = dataset_columns(s->data, chosen);
    int64_t count = dataset_count(s->data, chosen);
    double pivot = s->weight[chosen];
    sparse_add(s->latest, 1, column, dataset_values(s->data, chosen), count);
#pragma omp parallel for schedule(static) if (s->data->nonzeros > MIN_NONZEROS_FOR_THREADS)
    for (int64_t block = 0; block < s->blocks; block++)
        update_block(s, chosen, pivot, block);
    for (int64_t k = 0; k < count; k++)
        s->latest[column[k]] = 0;
    s->drawn++;
}

/* Draws a row with probability proportional to its weight; -1: all are 0, or some are not finite. */
static int64_t draw_by_weight(const struct seeding *s, struct random *random) {
    double total = 0;
    for (int64_t block = 0; block < s->blocks; block++)
        total += s->sum[block];
    if (!(total > 0) || isinf(total))
        return -1;
    double left = total * random_unit(random);
    int64_t block = 0, last = -1;
    while (block + 1 < s->blocks && left >= s->sum[block])
        left -= s->sum[block++];
    for (; last < 0; block--) /* goes back a block if rounding led past the last weight */
        for (int64_t i = block * BLOCK_ROWS; i < block_end(s, block) && left >= 0; i++)
            if (s->weight[i] > 0) {
                left -= s->weight[i];
                last = i;
            }
    return last;
}

/* Draws a row that is not chosen: the first one from a uniformly drawn index on. */
static int64_t draw_unchosen(const struct seeding *s, struct random *random) {
    int64_t i = (int64_t)random_below(random, (uint64_t)s->data->rows);
    while (s->weight[i] < 0)
        i = i + 1 < s->data->rows ? i + 1 : 0;
    return i;
}

/* The weights before the first draw: infinite, or the diagonal of K. */
static void begin_weights(struct seeding *s) {
    points_squares(s->data, 0, s->data->rows, s->square);
    for (int64_t block = 0; block < s->blocks; block++) {
        s->sum[block] = 0;
        for (int64_t i = block * BLOCK_ROWS; i < block_end(s, block); i++) {
            s->weight[i] = s->factor == NULL ? INFINITY : diagonal_value(s, i);
            s->sum[block] += s->weight[i];
        }
    }
}

/* -1 if it was interrupted. */
static int draw_all(struct seeding *s, uint64_t seed) {
    struct random random;
    random_seed(&random, seed, STREAM_LANDMARKS);
    begin_weights(s);
    while (s->drawn < s->count) {
        if (interruption_came(s->interrupted))
            return -1;
        int64_t i = draw_by_weight(s, &random);
        choose_row(s, i < 0 ? draw_unchosen(s, &random) : i);
    }
    return 0;
}

/* Draws COUNT rows of DATA one by one. */
static int draw_one_by_one(const struct map_settings *settings, const struct dataset *data,
                           int64_t *chosen, int64_t count, struct error *e) {
    bool pivoted = settings->seeding == SEEDING_RPCHOLESKY;
    struct seeding s = {.kernel = &settings->kernel,
                        .interrupted = &settings->interrupted,
                        .data = data,
                        .count = count};
    s.blocks = (data->rows + BLOCK_ROWS - 1) / BLOCK_ROWS;
    s.square = memory_new(data->rows, sizeof(double), "squared norms", e);
    s.weight = memory_new(data->rows, sizeof(double), "weights of landmarks", e);
    s.sum = memory_new(s.blocks, sizeof(double), "weights of landmarks", e);
    s.latest = memory_zeroed(data->features, sizeof(double), "a landmark", e);
    s.factor =
        pivoted ? memory_new(data->rows, (size_t)count * sizeof(double), "a factor", e) : NULL;
    bool complete = s.square != NULL && s.weight != NULL && s.sum != NULL && s.latest != NULL &&
                    (s.factor != NULL || !pivoted);
    if (complete && draw_all(&s, settings->seed) != 0) {
        map_check(MAP_STOPPED, 0, e);
        complete = false;
    }
    for (int64_t i = 0, found = 0; complete && i < data->rows; i++)
        if (s.weight[i] < 0)
            chosen[found++] = i;
    free(s.square);
    free(s.weight);
    free(s.sum);
    free(s.latest);
    free(s.factor);
    return complete ? 0 : -1;
}

int64_t map_sample_rows(const struct map_settings *settings, int64_t rows) {
    int64_t sample = SAMPLE_FACTOR * settings->size;
    sample = sample < MIN_SAMPLE ? MIN_SAMPLE : sample;
    return sample < rows ? sample : rows;
}

/* Draws COUNT rows one by one from a uniform sample of SIZE rows. */
static int draw_from_sample(const struct map_settings *settings, const struct dataset *data,
                            int64_t size, int64_t *chosen, int64_t count, struct error *e) {
    struct dataset sample = {0};
    int64_t *row = memory_new(size, sizeof *row, "a sample of the examples", e);
    int status = communicator_agree(data->communicator, row == NULL ? -1 : 0, e);
    if (status == 0) {
        draw_uniform(settings->seed, STREAM_SAMPLE, dataset_whole_rows(data), row, size);
        status = dataset_gather(data, row, size, &sample, e);
    }
    if (status == 0)
        status = draw_one_by_one(settings, &sample, chosen, count, e);
    for (int64_t k = 0; status == 0 && k < count; k++)
        chosen[k] = row[chosen[k]];
    dataset_free(&sample);
    free(row);
    return status;
}

int landmarks_draw(const struct map_settings *settings, const struct dataset *data, int64_t *rows,
                   int64_t count, struct error *e) {
    int64_t all = dataset_whole_rows(data), sample = map_sample_rows(settings, all);
    if (settings->seeding == SEEDING_UNIFORM || count == all) {
        draw_uniform(settings->seed, STREAM_LANDMARKS, all, rows, count);
        return 0;
    }
    return sample < all || data->communicator != NULL
               ? draw_from_sample(settings, data, sample, rows, count, e)
               : draw_one_by_one(settings, data, rows, count, e);
}
