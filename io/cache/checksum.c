/* checksum.c - four lanes of multiplications, which a processor does side by side: several bytes a cycle. */
#include "io/cache/checksum.h"

#include <string.h>

enum { BLOCK = 8 * CHECKSUM_LANES };

/* A bijection of the lane for each word, so that one changed word always changes it. */
static uint64_t mix(uint64_t lane, uint64_t word) {
    lane = (lane ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return lane ^ lane >> 29;
}

static void add_block(struct checksum *sum, const char *p) {
    uint64_t word[CHECKSUM_LANES];
    memcpy(word, p, sizeof word);
    for (int k = 0; k < CHECKSUM_LANES; k++)
        sum->lane[k] = mix(sum->lane[k], word[k]);
}

void checksum_add(struct checksum *sum, const void *bytes, int64_t length) {
    const char *p = bytes, *end = p + length;
    sum->bytes += (uint64_t)length;
    for (; end - p >= BLOCK; p += BLOCK)
        add_block(sum, p);
    if (p < end) {
        char last[BLOCK] = {0};
        memcpy(last, p, (size_t)(end - p));
        add_block(sum, last);
    }
}

uint64_t checksum_end(const struct checksum *sum) {
    uint64_t all = sum->bytes;
    for (int k = 0; k < CHECKSUM_LANES; k++)
        all = mix(mix(all, sum->lane[k]), (uint64_t)k);
    return all;
}
