/* nystrom.c - phi(x) = D^(-1/2) P' k(S, x). */
#include "io/memory.h"
#include "kernel/map_parts.h"
#include "math/matrices/eigen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void nystrom_free(struct nystrom *nystrom) {
    dataset_free(&nystrom->landmarks);
    points_free(&nystrom->points);
    multiplier_free(&nystrom->whiten);
    free(nystrom->root);
}

static int check_finite(const double *k, int64_t count, const int64_t *row, struct error *e) {
    for (int64_t a = 0; a < count; a++)
        for (int64_t b = 0; b <= a; b++)
            if (!isfinite(k[a * count + b]))
                return error_set(e, "the kernel value of %s %lld and %lld is not finite",
                                 row == NULL ? "landmarks" : "examples",
                                 (long long)(row == NULL ? b : row[b]) + 1,
                                 (long long)(row == NULL ? a : row[a]) + 1);
    return 0;
}

/* k(S, S), count x count; NULL: the error is set, or it was interrupted. */
static double *landmark_kernel(const struct map *map, const int64_t *row, struct error *e) {
    const struct nystrom *nystrom = &map->nystrom;
    const struct points *points = &nystrom->points;
    int64_t count = points->count;
    double *k = memory_new(count, (size_t)count * sizeof(double), "the landmarks' kernel", e);
    if (k == NULL)
        return NULL;
#pragma omp parallel for schedule(dynamic, 1)
    for (int64_t from = 0; from < count; from += MAP_BLOCK) {
        int64_t to = from + MAP_BLOCK < count ? from + MAP_BLOCK : count;
        if (interruption_came(&map->settings.interrupted))
            continue;
        points_kernel(points, &map->settings.kernel, &nystrom->landmarks, from, to,
                      points->square + from, k + from * count);
    }
    if (!interruption_came(&map->settings.interrupted) && check_finite(k, count, row, e) == 0)
        return k;
    free(k);
    return NULL;
}

/* The number of eigenvalues above the threshold. */
static int64_t count_kept(const struct map *map, const double *value, int64_t count) {
    double smallest = fmax(map->settings.threshold, (double)count * 0x1p-52) * value[count - 1];
    int64_t n = 0;
    while (n < count && value[count - 1 - n] > 0 && value[count - 1 - n] >= smallest)
        n++;
    return n;
}

static int keep_eigenvectors(struct map *map, const double *vector, const double *value,
                             struct error *e) {
    struct nystrom *nystrom = &map->nystrom;
    int64_t count = nystrom->points.count, n = count_kept(map, value, count);
    map->dimension = n;
    if (n == 0)
        return error_set(e, "the kernel is 0 among all landmarks: nothing to map examples to");
    nystrom->root = memory_new(n, sizeof(double), "eigenvalues", e);
    if (nystrom->root == NULL || multiplier_init(&nystrom->whiten, count, n, e) != 0)
        return -1;
    for (int64_t j = 0; j < n; j++) {
        int64_t from = count - 1 - j;
        nystrom->root[j] = sqrt(value[from]);
        for (int64_t s = 0; s < count; s++)
            *multiplier_entry(&nystrom->whiten, s, j) = vector[from * count + s] / nystrom->root[j];
    }
    return 0;
}

int nystrom_init(struct map *map, const int64_t *row, struct error *e) {
    struct nystrom *nystrom = &map->nystrom;
    int64_t count = nystrom->landmarks.rows;
    if (count == 0)
        return error_set(e, "a Nystrom map needs at least one landmark");
    if (points_init(&nystrom->points, &nystrom->landmarks, NULL, count, e) != 0)
        return -1;
    double *k = landmark_kernel(map, row, e);
    double *value = memory_new(count, sizeof *value, "eigenvalues", e);
    const struct interruption *interrupted = &map->settings.interrupted;
    int status = -1;
    if (k != NULL && value != NULL && eigen_symmetric(k, count, value, interrupted, e) == 0)
        status = keep_eigenvectors(map, k, value, e);
    else if (interruption_came(interrupted))
        map_check(MAP_STOPPED, 0, e);
    free(k);
    free(value);
    return status;
}

double *nystrom_kernel(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                       double *work) {
    double *square = work, *k = work + (to - from);
    points_squares(rows, from, to, square);
    points_kernel(&map->nystrom.points, &map->settings.kernel, rows, from, to, square, k);
    return k;
}

void nystrom_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                  double *phi, double *work) {
    const double *k = nystrom_kernel(map, rows, from, to, work);
    multiplier_apply(&map->nystrom.whiten, k, to - from, phi);
}

void nystrom_listed_rows(const struct map *map, const struct dataset *rows, const int64_t *row,
                         int64_t count, double *phi, double *work) {
    int64_t landmarks = map->nystrom.points.count;
    double *k = work + 1 + landmarks;
    for (int64_t i = 0; i < count; i++)
        memcpy(k + i * landmarks, nystrom_kernel(map, rows, row[i], row[i] + 1, work),
               sizeof *k * (size_t)landmarks);
    multiplier_apply(&map->nystrom.whiten, k, count, phi);
}

void map_to_landmarks(const struct map *map, const double *gamma, double *alpha) {
    const struct multiplier *whiten = &map->nystrom.whiten;
    memset(alpha, 0, sizeof *alpha * (size_t)whiten->rows);
    for (int64_t from = 0; from < whiten->columns; from += MULTIPLY_WIDTH) { /* panel by panel */
        int64_t left = whiten->columns - from,
                width = left < MULTIPLY_WIDTH ? left : MULTIPLY_WIDTH;
        for (int64_t s = 0; s < whiten->rows; s++) {
            const double *entry = multiplier_entry(whiten, s, from);
            for (int64_t j = 0; j < width; j++)
                alpha[s] += entry[j] * gamma[from + j];
        }
    }
}

void map_from_landmarks(const struct map *map, const double *alpha, double *gamma) {
    const struct multiplier *whiten = &map->nystrom.whiten;
    multiplier_apply(whiten, alpha, 1, gamma);
    for (int64_t j = 0; j < whiten->columns; j++)
        gamma[j] *= map->nystrom.root[j] * map->nystrom.root[j];
}
