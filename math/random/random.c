/* random.c - xoshiro256** and what is drawn from it. */
#include "math/random/random.h"

static uint64_t rotate(uint64_t x, int k) {
    return x << k | x >> (64 - k);
}

static uint64_t splitmix(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void random_seed(struct random *random, uint64_t seed, uint64_t stream) {
    uint64_t state = seed;
    state = splitmix(&state) ^ stream;
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&state);
}

void random_visit(struct random *random, struct state *state) {
    state_bytes(state, random->state, sizeof random->state);
}

uint64_t random_bits(struct random *random) {
    uint64_t *s = random->state;
    uint64_t result = rotate(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t random_below(struct random *random, uint64_t n) {
    unsigned __int128 product = (unsigned __int128)random_bits(random) * n;
    if ((uint64_t)product < n) {
        uint64_t threshold = -n % n;
        while ((uint64_t)product < threshold)
            product = (unsigned __int128)random_bits(random) * n;
    }
    return (uint64_t)(product >> 64);
}

double random_unit(struct random *random) {
    return (double)(random_bits(random) >> 11) * 0x1p-53;
}

void random_permutation(struct random *random, int64_t *order, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        int64_t j = (int64_t)random_below(random, (uint64_t)i + 1);
        order[i] = order[j];
        order[j] = i;
    }
}

int64_t random_draw(struct random *random, int64_t *order, int64_t k, int64_t n) {
    int64_t other = k + (int64_t)random_below(random, (uint64_t)(n - k)), i = order[other];
    order[other] = order[k];
    order[k] = i;
    return i;
}

void random_shuffle(struct random *random, int64_t *order, int64_t n) {
    for (int64_t k = 0; k + 1 < n; k++)
        random_draw(random, order, k, n);
}
