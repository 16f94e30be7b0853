/* kernel_scores.c - scores of rows with kernel models; see kernel_scores.h.
 *
 * A tile is so many rows that their kernel values fit into the cache. Each thread has scratch memory for one tile. The
 * score of a row does not depend on the tile or thread. */
#include "prediction/kernel_scores.h"

#include "io/memory.h"
#include "kernel/map.h"
#include "kernel/parametric.h"
#include "kernel/points.h"
#include "math/vector.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { TILE_ROWS = 32, TILE_NUMBERS = 1 << 18, FREQUENCIES_MOST = 1 << 27 };

struct kernel_scores {
    const struct model *model;
    struct kernel kernel;
    struct points points; /* of nystrom and support */
    /* of one-vs-one: the nonzero weights of each vector's points; else empty */
    struct dataset pairs;
    int32_t *hidden;      /* columns that the kernel ignores, ascending, */
    int64_t hidden_count; /* possibly with repetitions */
    struct map *map;      /* of fourier */
    int64_t units, tile;
    int threads;
    double *work; /* for each thread: tile * units, tile, basis.count, map_work_size */
    int64_t work_size;
};

/* The rows that a call scores. */
struct rows {
    const struct dataset *data;
    int64_t first, count;
    double *kernel, *parametric;
};

static int kernel_kind(const char *name) {
    int kind = 0;
    while (kernel_names[kind] != NULL && strcmp(kernel_names[kind], name) != 0)
        kind++;
    return kind;
}

static int compare(const void *left, const void *right) {
    int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

static int find_hidden(struct kernel_scores *scores, struct error *e) {
    const struct basis *basis = &scores->model->basis;
    scores->hidden_count = basis->count - basis->shared;
    scores->hidden = memory_new(scores->hidden_count, sizeof *scores->hidden, "basis columns", e);
    if (scores->hidden == NULL)
        return -1;
    for (int64_t j = 0; j < scores->hidden_count; j++)
        scores->hidden[j] = basis->function[basis->shared + j].column;
    if (scores->hidden_count > 0)
        qsort(scores->hidden, (size_t)scores->hidden_count, sizeof *scores->hidden, compare);
    return 0;
}

static int make_map(struct kernel_scores *scores, struct error *e) {
    const struct model *model = scores->model;
    struct map_settings settings = {.kind = MAP_FOURIER,
                                    .kernel = scores->kernel,
                                    .size = model->map_size,
                                    .seed = model->seed};
    scores->map = map_new(&settings, NULL, e);
    return scores->map == NULL ? -1 : 0;
}

/* Only the points of its two labels have weights in a vector of one-vs-one. */
static int gather_pairs(struct kernel_scores *scores, struct error *e) {
    const struct model *model = scores->model;
    struct dataset *pairs = &scores->pairs;
    int64_t count = 0;
    for (int64_t v = 0; v < model->vectors; v++)
        count += vector_nonzeros(model->w + v * model->dimension, scores->units);
    pairs->start = memory_new(model->vectors + 1, sizeof *pairs->start, "weights", e);
    pairs->column = memory_new(count, sizeof *pairs->column, "weights", e);
    pairs->value = memory_new(count, sizeof *pairs->value, "weights", e);
    if (pairs->start == NULL || pairs->column == NULL || pairs->value == NULL)
        return -1;
    for (int64_t v = 0; v < model->vectors; v++) {
        const double *w = model->w + v * model->dimension;
        pairs->start[v] = pairs->nonzeros;
        for (int64_t u = 0; u < scores->units; u++)
            if (w[u] != 0) {
                pairs->column[pairs->nonzeros] = (int32_t)u;
                pairs->value[pairs->nonzeros++] = w[u];
            }
    }
    pairs->start[model->vectors] = pairs->nonzeros;
    pairs->rows = model->vectors;
    return 0;
}

static int prepare(struct kernel_scores *scores, struct error *e) {
    const struct model *model = scores->model;
    bool fourier = strcmp(model->map, "fourier") == 0;
    if (kernel_names[scores->kernel.kind] == NULL)
        return error_set(e, "unknown kernel '%s'", model->kernel);
    if (find_hidden(scores, e) != 0)
        return -1;
    if (fourier ? make_map(scores, e) != 0
                : points_init(&scores->points, &model->points, NULL, model->points.rows, e) != 0)
        return -1;
    scores->points.near.hidden = scores->hidden;
    scores->points.near.hidden_count = scores->hidden_count;
    scores->points.near.known =
        (int32_t)(model->features < INT32_MAX ? model->features : INT32_MAX);
    if (scores->model->pairs && !fourier && gather_pairs(scores, e) != 0)
        return -1;
    int64_t rows = scores->units > 0 ? TILE_NUMBERS / scores->units : TILE_ROWS;
    scores->tile = rows < 1 ? 1 : rows > TILE_ROWS ? TILE_ROWS : rows;
    scores->threads = omp_get_max_threads();
    scores->work_size = scores->tile * (scores->units + 1) + model->basis.count +
                        (fourier ? map_work_size(scores->map, scores->tile) : 0);
    scores->work =
        memory_new(scores->threads, (size_t)scores->work_size * sizeof(double), "kernel values", e);
    return scores->work == NULL ? -1 : 0;
}

struct kernel_scores *kernel_scores_new(const struct model *model, struct error *e) {
    struct kernel_scores *scores = memory_zeroed(1, sizeof *scores, "kernel scores", e);
    if (scores == NULL)
        return NULL;
    scores->model = model;
    scores->kernel = (struct kernel){.kind = kernel_kind(model->kernel),
                                     .gamma = model->gamma,
                                     .shift = model->shift,
                                     .degree = model->degree};
    scores->units = model_units(model);
    if (prepare(scores, e) != 0) {
        kernel_scores_free(scores);
        return NULL;
    }
    return scores;
}

void kernel_scores_free(struct kernel_scores *scores) {
    if (scores == NULL)
        return;
    points_free(&scores->points);
    map_free(scores->map);
    dataset_free(&scores->pairs);
    free(scores->hidden);
    free(scores->work);
    free(scores);
}

/* The number of entries whose features the model knows. */
static int64_t known_count(const struct model *model, const struct dataset *data, int64_t i) {
    const int32_t *column = dataset_columns(data, i);
    int64_t count = dataset_count(data, i);
    while (count > 0 && column[count - 1] >= model->features)
        count--;
    return count;
}

/* ||x||^2 over the columns that the kernel uses. */
static double square_of(const struct kernel_scores *scores, const struct dataset *data, int64_t i) {
    const int32_t *column = dataset_columns(data, i);
    const double *value = dataset_values(data, i);
    int64_t count = known_count(scores->model, data, i), h = 0;
    if (scores->hidden_count == 0)
        return sparse_square(value, count);
    double sum = 0;
    for (int64_t n = 0; n < count; n++) {
        while (h < scores->hidden_count && scores->hidden[h] < column[n])
            h++;
        if (h < scores->hidden_count && scores->hidden[h] == column[n])
            continue;
        sum += value == NULL ? 1 : value[n] * value[n];
    }
    return sum;
}

/* Kernel values or random features of the rows from <= i < to. */
static int fill_tile(const struct kernel_scores *scores, const struct dataset *data, int64_t from,
                     int64_t to, double *tile, double *work) {
    if (scores->map != NULL)
        return map_rows(scores->map, data, from, to, tile, work);
    for (int64_t i = from; i < to; i++)
        work[i - from] = square_of(scores, data, i);
    points_kernel(&scores->points, &scores->kernel, data, from, to, work, tile);
    return 0;
}

/* The contribution of bias, intercept and basis functions; their weights begin at w. */
static double parametric_of(const struct model *model, const double *w, const double *psi) {
    double sum = 0;
    if (model->bias >= 0)
        sum += *w++ * model->bias;
    if (model->intercept)
        sum += *w++;
    for (int64_t j = 0; j < model->basis.count; j++)
        sum += w[j] * psi[j];
    return sum;
}

static int score_tile(const struct kernel_scores *scores, const struct rows *rows, int64_t from,
                      int64_t to, double *work) {
    const struct model *model = scores->model;
    const struct dataset *pairs = &scores->pairs;
    double *psi = work + scores->tile * scores->units;
    int64_t start = rows->first + from;
    if (fill_tile(scores, rows->data, start, rows->first + to, work, psi + model->basis.count) != 0)
        return -1;
    for (int64_t i = from; i < to; i++) {
        const double *unit = work + (i - from) * scores->units;
        if (model->basis.count > 0)
            parametric_row(&model->basis, rows->data, rows->first + i, psi);
        for (int64_t v = 0; v < model->vectors; v++) {
            const double *w = model->w + v * model->dimension;
            rows->kernel[i * model->vectors + v] =
                pairs->rows > 0 ? sparse_dot(unit, dataset_columns(pairs, v),
                                             dataset_values(pairs, v), dataset_count(pairs, v))
                                : vector_dot(w, unit, scores->units);
            rows->parametric[i * model->vectors + v] = parametric_of(model, w + scores->units, psi);
        }
    }
    return 0;
}

static int score_tiles(const struct kernel_scores *scores, const struct rows *rows,
                       struct error *e) {
    int bad = 0;
#pragma omp parallel num_threads(scores->threads) reduction(+ : bad) if (rows->count > scores->tile)
    {
        double *work = scores->work + omp_get_thread_num() * scores->work_size;
#pragma omp for schedule(dynamic)
        for (int64_t from = 0; from < rows->count; from += scores->tile) {
            int64_t to = from + scores->tile < rows->count ? from + scores->tile : rows->count;
            bad += score_tile(scores, rows, from, to, work) != 0;
        }
    }
    return bad == 0 ? 0 : error_set(e, "a feature of the map is no finite number");
}

/* Copies the rows without the features that the model does not know. */
static int copy_known(const struct kernel_scores *scores, const struct rows *rows,
                      struct dataset *out, struct error *e) {
    const struct dataset *data = rows->data;
    int64_t nonzeros =
        dataset_start(data, rows->first + rows->count) - dataset_start(data, rows->first);
    int64_t k = 0;
    *out = (struct dataset){.rows = rows->count, .features = (int32_t)scores->model->features};
    out->start = memory_new(rows->count + 1, sizeof *out->start, "rows", e);
    out->column = memory_new(nonzeros, sizeof *out->column, "rows", e);
    out->value = data->value == NULL ? NULL : memory_new(nonzeros, sizeof *out->value, "rows", e);
    if (out->start == NULL || out->column == NULL || (out->value == NULL && data->value != NULL)) {
        dataset_free(out);
        return -1;
    }
    for (int64_t i = 0; i < rows->count; i++) {
        int64_t known = known_count(scores->model, data, rows->first + i);
        out->start[i] = k;
        memcpy(out->column + k, dataset_columns(data, rows->first + i),
               (size_t)known * sizeof *out->column);
        if (data->value != NULL)
            memcpy(out->value + k, dataset_values(data, rows->first + i),
                   (size_t)known * sizeof *out->value);
        k += known;
    }
    out->start[rows->count] = out->nonzeros = k;
    return 0;
}

/* Computes the frequencies of all features of the rows in advance. If that takes too much memory, those of the last
 * features are computed at each entry instead. */
static int prepare_map(struct kernel_scores *scores, const struct rows *rows, struct error *e) {
    int64_t max_features = FREQUENCIES_MOST / scores->units, features = 0;
    for (int64_t i = rows->first; i < rows->first + rows->count; i++) {
        int64_t count = dataset_count(rows->data, i);
        int64_t width = count == 0 ? 0 : (int64_t)dataset_columns(rows->data, i)[count - 1] + 1;
        features = width > features ? width : features;
    }
    return map_prepare(scores->map, (int32_t)(features < max_features ? features : max_features),
                       e);
}

/* The map uses all features of the rows, so features that the model does not know are removed first. */
static int score_mapped(struct kernel_scores *scores, struct rows *rows, struct error *e) {
    struct dataset known = {0};
    bool strange = false;
    for (int64_t i = rows->first; i < rows->first + rows->count && !strange; i++)
        strange = known_count(scores->model, rows->data, i) < dataset_count(rows->data, i);
    if (strange) {
        if (copy_known(scores, rows, &known, e) != 0)
            return -1;
        rows->data = &known;
        rows->first = 0;
    }
    int status = prepare_map(scores, rows, e) == 0 ? score_tiles(scores, rows, e) : -1;
    dataset_free(&known);
    return status;
}

int kernel_scores_rows(struct kernel_scores *scores, const struct dataset *block, int64_t first,
                       int64_t count, double *kernel, double *parametric, struct error *e) {
    struct rows rows = {block, first, count, kernel, parametric};
    return scores->map == NULL ? score_tiles(scores, &rows, e) : score_mapped(scores, &rows, e);
}
