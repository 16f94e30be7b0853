/* map.h - feature maps: phi(s)'phi(x) is about k(s, x), so that a linear solver on phi(x_1), phi(x_2),
 * ... trains a kernel machine.
 *
 *     nystrom   phi(x) = D^(-1/2) P' k(S, x),   k(S, S) = P D P',  S: landmarks, rows of the data;
 *               eigenvalues below `threshold` times the largest are left out
 *     fourier   phi_j(x) = sqrt(2/n) cos(<nu_j, x> + beta_j), j = 1..n,   nu_j ~ N(0, 2 gamma I),
 *               beta_j uniform in [0, 2 pi): the Gaussian kernel alone
 *
 * The frequencies nu are functions of seed, feature and j alone: data of any width, known beforehand or
 * not, meet the same map, and a model need not store them.
 *
 * Reference: Lee 2011, sections 3.2.3 and 3.2.4 (its (3.17) has 1/n in place of 2/n, and a density with
 * sigma in place of 1/sigma); Drineas & Mahoney 2005; Rahimi & Recht 2008; k-means++: Arthur &
 * Vassilvitskii 2007; randomly pivoted Cholesky: Chen, Epperly, Tropp & Webber 2023. */
#ifndef RRM_MAP_H
#define RRM_MAP_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/interruption.h"
#include "kernel/kernel.h"

#include <stdbool.h>

enum { MAP_SIZE_MOST = 1 << 20, MAP_BLOCK = 64 /* rows that are mapped together */ };

enum map_kind { MAP_NONE, MAP_NYSTROM, MAP_FOURIER };

/* In the order of the enum, NULL at the end: "none", "nystrom", "fourier". */
extern const char *const map_names[];

/* How landmarks are drawn: all rows with equal probability; k-means++, with probability proportional to the
 * squared distance from the landmarks drawn before, ||phi(s) - phi(x)||^2 = k(s,s) + k(x,x) - 2 k(s,x); or randomly
 * pivoted Cholesky, with probability proportional to what the landmarks drawn before leave of k(x,x). The latter two
 * draw from a uniform sample of the rows. */
enum map_seeding { SEEDING_UNIFORM, SEEDING_KMEANS, SEEDING_RPCHOLESKY };

extern const char *const map_seedings[]; /* "uniform", "kmeans++", "rpcholesky" */

struct map_settings {
    int kind; /* enum map_kind, not MAP_NONE */
    struct kernel kernel;
    int64_t size;     /* landmarks, or n */
    int seeding;      /* enum map_seeding */
    double threshold; /* of eigenvalues, relative to the largest; at least size 2^-52 is used */
    uint64_t seed;

    /* Polled now and then by any thread, until map_watch replaces it: true ends map_new, mapped_init or
     * map_prepare with an error. */
    struct interruption interrupted;
};

struct map;

/* The rows of that sample, of data with so many ROWS; SEEDING_RPCHOLESKY takes as many times `size` numbers. */
int64_t map_sample_rows(const struct map_settings *settings, int64_t rows);

/* Nystrom: landmarks are distinct rows of DATA, all of them if there are no more than `size`. Fourier: DATA is
 * not used and may be NULL. NULL with the error set: kernel values that are not finite, no eigenvalue above 0,
 * no memory. Rows of other processes (io/communicator.h) count, and the map is the same in all; where memory ends
 * in one of them, the others may have a map. */
struct map *map_new(const struct map_settings *settings, const struct dataset *data,
                    struct error *e);

/* The Nystrom map of given landmarks (of a model): all rows of LANDMARKS, in their order. */
struct map *map_of_landmarks(const struct map_settings *settings, const struct dataset *landmarks,
                             struct error *e);
void map_free(struct map *map); /* NULL does nothing */

int map_kind(const struct map *map);
const struct kernel *map_kernel(const struct map *map);

/* n, the length of phi: at most `size`. */
int64_t map_dimension(const struct map *map);

/* The landmarks as rows, without labels; NULL for a Fourier map. */
const struct dataset *map_landmarks(const struct map *map);

/* Doubles of scratch memory that a call of map_rows or map_base over COUNT rows needs. */
int64_t map_work_size(const struct map *map, int64_t count);

/* phi(x) = B' b(x), where b(x), the kernel values k(S, x) of a Nystrom map, takes less time than phi(x):
 * B = P D^(-1/2). A Fourier map has b = phi. The functions give the length of b; b of rows from <= i < to, at most
 * MAP_BLOCK, one after another, in WORK (map_work_size), on the calling thread; v = B w, so that <w, phi> = <v, b>; and
 * g += B' sum. */
int64_t map_base_width(const struct map *map);
const double *map_base(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
                       double *work);
void map_to_base(const struct map *map, const double *w, double *v);
void map_from_base(const struct map *map, const double *sum, double *g);

/* phi[(i - from) * n + j] = phi_j(x_i), from <= i < to, on the calling thread. 0, or -1: a value is not
 * finite. A row's result does not depend on the other rows. A Fourier map draws the frequencies of features
 * that are not prepared anew each time, which is slow but gives the same phi. Several threads may call, each
 * with its own `work`. */
int map_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
             double *phi, double *work);

/* The same of COUNT < MAP_BLOCK rows, those numbered in `row`; work: map_work_size(MAP_BLOCK). All must be finite. */
void map_listed_rows(const struct map *map, const struct dataset *rows, const int64_t *row,
                     int64_t count, double *phi, double *work);

/* Stores the frequencies of the first FEATURES columns, size x FEATURES doubles (Fourier; otherwise does
 * nothing). 0, or -1 with the error set. Not while other threads use the map. */
int map_prepare(struct map *map, int32_t features, struct error *e);

/* Replaces the settings' interruption, for mapped_init and map_prepare. */
void map_watch(struct map *map, struct interruption interrupted);

/* Scores <gamma, phi(x)> as sums over landmarks, sum_s alpha_s k(s, x): alpha = P D^(-1/2) gamma, and
 * back, gamma = D^(1/2) P' alpha. Nystrom alone. alpha: landmarks, gamma: n. */
void map_to_landmarks(const struct map *map, const double *gamma, double *alpha);
void map_from_landmarks(const struct map *map, const double *alpha, double *gamma);

#endif
