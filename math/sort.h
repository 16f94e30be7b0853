/* sort.h - doubles in rising order, with or without the rows that they belong to.
 *
 * Few are merged, many sorted by radix on integers that compare as the doubles do: O(n) in 64 bits. Equal
 * numbers stay in their order. No not-a-numbers. */
#ifndef RRM_SORT_H
#define RRM_SORT_H

#include <stdint.h>
#include <string.h>

struct scored {
    double score;
    int64_t row;
};

/* Unsigned integers that compare as the doubles do; both zeros are one. */
static inline uint64_t sort_key(double x) {
    uint64_t bits;
    x += 0.0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

/* SPARE: as many. */
void sort_keys(uint64_t *key, uint64_t *spare, int64_t count);
void sort_scored(struct scored *list, struct scored *spare, int64_t count);

/* Merges two sorted lists into TO; where two are equal, that of the first list comes first. */
void sort_merge(const struct scored *a, int64_t a_count, const struct scored *b, int64_t b_count,
                struct scored *to);

#endif
