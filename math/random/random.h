/* random.h - random numbers: xoshiro256** (Blackman & Vigna 2018), seeded by splitmix64.
 *
 * Every random choice of a run comes from one of these, so the same seed gives the same model. */
#ifndef RRM_RANDOM_H
#define RRM_RANDOM_H

#include "io/state/state.h"

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Distinct streams of one seed (for instance one a class) are independent. */
void random_seed(struct random *random, uint64_t seed, uint64_t stream);

/* Lists the state. */
void random_visit(struct random *random, struct state *state);

uint64_t random_bits(struct random *random);

/* Uniform in 0 .. n-1, n > 0 (Lemire's multiply-and-reject: exactly uniform). */
uint64_t random_below(struct random *random, uint64_t n);

/* Uniform in [0, 1), 53 bits. */
double random_unit(struct random *random);

/* Puts 0 .. n-1 in random order (Fisher-Yates). */
void random_permutation(struct random *random, int64_t *order, int64_t n);

/* Puts the n numbers in random order, which depends on the order that they have. The same, number by number:
 * random_draw for k = 0, 1, ... */
void random_shuffle(struct random *random, int64_t *order, int64_t n);

/* Moves a random one of order[k], ..., order[n-1] to order[k], and returns it. k < n. */
int64_t random_draw(struct random *random, int64_t *order, int64_t k, int64_t n);

#endif
