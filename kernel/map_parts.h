/* map_parts.h - the structs and functions of the two kinds of feature maps; for kernel/ alone. */
#ifndef RRM_MAP_PARTS_H
#define RRM_MAP_PARTS_H

#include "kernel/map.h"
#include "kernel/points.h"
#include "math/matrices/multiply.h"

struct nystrom {
    struct dataset landmarks;
    struct points points;
    double *root;             /* square roots of the eigenvalues that are kept, descending */
    struct multiplier whiten; /* P D^(-1/2): landmarks x n */
};

struct fourier {
    struct multiplier frequency; /* nu: a row for each prepared feature */
    double *shift;               /* beta */
};

struct map {
    struct map_settings settings;
    int64_t dimension;
    struct nystrom nystrom;
    struct fourier fourier;
};

/* Draws COUNT <= data->rows distinct rows, ascending. 0, or -1 with the error set. */
int landmarks_draw(const struct map_settings *settings, const struct dataset *data, int64_t *rows,
                   int64_t count, struct error *e);

/* Makes the map from map->nystrom.landmarks; row[k]: the example's index of landmark k for messages, NULL: k.
 * Each function returns 0, or -1 with the error set. */
int nystrom_init(struct map *map, const int64_t *row, struct error *e);
void nystrom_free(struct nystrom *nystrom);
void nystrom_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                  double *phi, double *work);

void nystrom_listed_rows(const struct map *map, const struct dataset *rows, const int64_t *row,
                         int64_t count, double *phi, double *work);

/* k(S, x) of the rows, one after another in `work`. */
double *nystrom_kernel(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                       double *work);

int fourier_init(struct map *map, struct error *e);
void fourier_free(struct fourier *fourier);
int fourier_prepare(struct map *map, int32_t features, struct error *e);
void fourier_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                  double *phi, double *work);

/* Whether all numbers are finite. */
bool map_finite(const double *x, int64_t count);

/* Returned instead of a row's index: memory ran out, the map was interrupted, or a file could not be written. */
enum { MAP_NO_MEMORY = -1, MAP_STOPPED = -2, MAP_UNWRITTEN = -3 };

/* 0 if `bad` is `rows`; else -1 with the error set: `bad` is the row that is not finite, or a value of the
 * enum. */
int map_check(int64_t bad, int64_t rows, struct error *e);

#endif
