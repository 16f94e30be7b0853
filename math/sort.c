/* sort.c - radix and merge sort; see sort.h. */
#include "math/sort.h"

#include <stdbool.h>

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, MIN_RADIX_SORT = 1500, INSERTION_RUN = 8 };

/* ---- by radix: the least significant digit first; a digit that all keys share costs one look */

/* Items of WORDS numbers, of which the first is the key. */
static inline __attribute__((always_inline)) void radix(uint64_t *item, uint64_t *spare,
                                                        int64_t count, const int64_t words) {
    uint64_t *from = item, *to = spare;
    for (int shift = 0; count > 0 && shift < 64; shift += DIGIT_BITS) {
        int64_t start[DIGITS + 1] = {0};
        for (int64_t i = 0; i < count; i++)
            start[(from[i * words] >> shift & (DIGITS - 1)) + 1]++;
        if (start[(from[0] >> shift & (DIGITS - 1)) + 1] == count)
            continue;
        for (int d = 0; d < DIGITS; d++)
            start[d + 1] += start[d];
        for (int64_t i = 0; i < count; i++) {
            int64_t position = start[from[i * words] >> shift & (DIGITS - 1)]++;
            for (int64_t k = 0; k < words; k++)
                to[position * words + k] = from[i * words + k];
        }
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != item && count > 0)
        memcpy(item, from, (size_t)(count * words) * sizeof *item);
}

void sort_keys(uint64_t *key, uint64_t *spare, int64_t count) {
    radix(key, spare, count, 1);
}

static double number_of(uint64_t key) {
    uint64_t bits = key >> 63 != 0 ? key & ~(UINT64_C(1) << 63) : ~key;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The scores become keys in their own places. */
static void sort_many(struct scored *list, struct scored *spare, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t key = sort_key(list[i].score);
        memcpy(&list[i].score, &key, sizeof key);
    }
    radix((uint64_t *)(void *)list, (uint64_t *)(void *)spare, count, 2);
    for (int64_t i = 0; i < count; i++) {
        uint64_t key;
        memcpy(&key, &list[i].score, sizeof key);
        list[i].score = number_of(key);
    }
}

/* ---- by merging */

static void insert(struct scored *list, int64_t count) {
    for (int64_t i = 1; i < count; i++) {
        struct scored one = list[i];
        int64_t k = i;
        for (; k > 0 && list[k - 1].score > one.score; k--)
            list[k] = list[k - 1];
        list[k] = one;
    }
}

void sort_merge(const struct scored *a, int64_t a_count, const struct scored *b, int64_t b_count,
                struct scored *to) {
    int64_t i = 0, j = 0;
    while (i < a_count && j < b_count) {
        bool first = a[i].score <= b[j].score;
        *to++ = first ? a[i] : b[j];
        i += first;
        j += !first;
    }
    memcpy(to, a + i, (size_t)(a_count - i) * sizeof *to);
    memcpy(to + (a_count - i), b + j, (size_t)(b_count - j) * sizeof *to);
}

static int64_t smaller(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static void sort_few(struct scored *list, struct scored *spare, int64_t count) {
    struct scored *from = list, *to = spare;
    for (int64_t i = 0; i < count; i += INSERTION_RUN)
        insert(list + i, smaller(INSERTION_RUN, count - i));
    for (int64_t run = INSERTION_RUN; run < count; run *= 2) {
        for (int64_t i = 0; i < count; i += 2 * run) {
            int64_t middle = smaller(i + run, count), end = smaller(i + 2 * run, count);
            sort_merge(from + i, middle - i, from + middle, end - middle, to + i);
        }
        struct scored *swap = from;
        from = to;
        to = swap;
    }
    if (from != list)
        memcpy(list, from, (size_t)count * sizeof *list);
}

void sort_scored(struct scored *list, struct scored *spare, int64_t count) {
    if (count < MIN_RADIX_SORT)
        sort_few(list, spare, count);
    else
        sort_many(list, spare, count);
}
