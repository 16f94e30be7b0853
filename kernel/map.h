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
 * Vassilvitskii 2007. */
#ifndef RRM_MAP_H
#define RRM_MAP_H

#include "io/dataset.h"
#include "io/error.h"
#include "io/interruption.h"
#include "kernel/kernel.h"

#include <stdbool.h>

enum { MAP_SIZE_MOST = 1 << 20 };

enum map_kind { MAP_NONE, MAP_NYSTROM, MAP_FOURIER };

/* In the order of the enum, NULL at the end: "none", "nystrom", "fourier". */
extern const char *const map_names[];

/* How landmarks are drawn: each row with the same chance, or far from the ones before (k-means++, by
 * the distance that the kernel makes, ||phi(s) - phi(x)||^2 = k(s,s) + k(x,x) - 2 k(s,x)). */
enum map_seeding { SEEDING_UNIFORM, SEEDING_KMEANS };

extern const char *const map_seedings[]; /* "uniform", "kmeans++" */

struct map_settings {
    int kind; /* enum map_kind, not MAP_NONE */
    struct kernel kernel;
    int64_t size;     /* landmarks, or n */
    int seeding;      /* enum map_seeding */
    double threshold; /* relative to the largest eigenvalue; never below size 2^-52 */
    uint64_t seed;

    /* Asked now and then, from any thread, until map_watch says otherwise: what is then being made ends with an
     * error. */
    struct interruption interrupted;
};

struct map;

/* Nystrom: landmarks are distinct rows of DATA, all of them where there are no more than `size`. Fourier
 * does not look at DATA, which may be NULL. NULL with the error set: kernel values that are not finite,
 * no eigenvalue above 0, memory. */
struct map *map_new(const struct map_settings *settings, const struct dataset *data,
                    struct error *e);

/* The Nystrom map of landmarks that are given, all rows of LANDMARKS, in their order (a model's). */
struct map *map_of_landmarks(const struct map_settings *settings, const struct dataset *landmarks,
                             struct error *e);
void map_free(struct map *map); /* NULL does nothing */

int map_kind(const struct map *map);
const struct kernel *map_kernel(const struct map *map);

/* n, the length of phi: at most `size`. */
int64_t map_dimension(const struct map *map);

/* The landmarks as rows, without labels; NULL: a Fourier map. */
const struct dataset *map_landmarks(const struct map *map);

/* Doubles of room that a call of map_rows over COUNT rows needs. */
int64_t map_room(const struct map *map, int64_t count);

/* phi[(i - from) * n + j] = phi_j(x_i), from <= i < to, by the calling thread. 0, or -1: a value is not
 * finite (kernel values beyond all numbers). What a row gives does not depend on the rows beside it. A
 * Fourier map draws the frequencies of features that were not prepared each time that it meets them:
 * the same phi, slowly. Several threads may call, each with room of its own. */
int map_rows(const struct map *map, const struct dataset *rows, int64_t from, int64_t to,
             double *phi, double *room);

/* Keeps the frequencies of the first FEATURES columns, size x FEATURES doubles (Fourier; otherwise
 * nothing). 0, or -1 with the error set. Not while others use the map. */
int map_prepare(struct map *map, int32_t features, struct error *e);

/* In place of the settings' interruption, for mapped_init and map_prepare. */
void map_watch(struct map *map, struct interruption interrupted);

/* Scores <gamma, phi(x)> as sums over landmarks, sum_s alpha_s k(s, x): alpha = P D^(-1/2) gamma, and
 * back, gamma = D^(1/2) P' alpha. Nystrom alone. alpha: landmarks, gamma: n. */
void map_to_landmarks(const struct map *map, const double *gamma, double *alpha);
void map_from_landmarks(const struct map *map, const double *alpha, double *gamma);

#endif
