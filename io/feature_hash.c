/* feature_hash.c - the column of a feature that has a name instead of a number. */
#include "io/feature_hash.h"

static uint32_t rotate(uint32_t x, int bits) {
    return (x << bits) | (x >> (32 - bits));
}

/* The next COUNT bytes (at most 4), the first one lowest. */
static uint32_t load(const unsigned char *bytes, size_t count) {
    uint32_t word = 0;
    for (size_t i = 0; i < count; i++)
        word |= (uint32_t)bytes[i] << 8 * i;
    return word;
}

static uint32_t scramble(uint32_t word) {
    return rotate(word * UINT32_C(0xcc9e2d51), 15) * UINT32_C(0x1b873593);
}

static uint32_t finish(uint32_t hash) {
    hash = (hash ^ (hash >> 16)) * UINT32_C(0x85ebca6b);
    hash = (hash ^ (hash >> 13)) * UINT32_C(0xc2b2ae35);
    return hash ^ (hash >> 16);
}

uint32_t murmur_hash(const char *bytes, size_t length, uint32_t seed) {
    const unsigned char *at = (const unsigned char *)bytes;
    uint32_t hash = seed;
    size_t rest = length;
    for (; rest >= 4; rest -= 4, at += 4)
        hash = rotate(hash ^ scramble(load(at, 4)), 13) * 5 + UINT32_C(0xe6546b64);
    if (rest > 0)
        hash ^= scramble(load(at, rest));
    return finish(hash ^ (uint32_t)length);
}

/* Whether all bytes are digits. *number: their value modulo 2^32. */
static bool is_number(const char *name, size_t length, uint32_t *number) {
    *number = 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return false;
        *number = 10 * *number + (uint32_t)(name[i] - '0');
    }
    return length > 0;
}

int32_t feature_hash(const char *name, size_t length, int bits, bool zero_based) {
    uint32_t hash;
    if (is_number(name, length, &hash))
        hash -= !zero_based;
    else
        hash = murmur_hash(name, length, 0);
    return (int32_t)(hash & ((UINT32_C(1) << bits) - 1));
}

int32_t feature_hash_columns(int bits) {
    return bits == 0 ? 0 : (int32_t)1 << bits;
}
