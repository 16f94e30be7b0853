/* auc.c - the area under the ROC curve; see auc.h.
 *
 *     AUC = (sum over positives of (negatives below + negatives equal / 2)) / (positives negatives)
 *
 * Scores are kept as integers in the order of the doubles, sorted by radix at the end: O(rows). */
#include "risk/auc.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BIN_BITS = 22, FIRST_ROOM = 1 << 12, DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

struct scores {
    uint64_t *key;
    int64_t count;
    int64_t room;
    int64_t *bin; /* NULL while exact */
};

struct auc {
    struct scores side[2]; /* negatives, positives */
    int64_t exact_rows;
    bool folded;
};

struct auc *auc_new(int64_t exact_rows, struct error *e) {
    struct auc *auc = memory_zeroed(1, sizeof *auc, "AUC", e);
    if (auc != NULL)
        auc->exact_rows = exact_rows;
    return auc;
}

void auc_free(struct auc *auc) {
    if (auc == NULL)
        return;
    for (int s = 0; s < 2; s++) {
        free(auc->side[s].key);
        free(auc->side[s].bin);
    }
    free(auc);
}

/* Unsigned integers that compare as the doubles do; both zeros are one. */
static uint64_t ordered(double score) {
    uint64_t bits;
    score += 0.0;
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 != 0 ? ~bits : bits | UINT64_C(1) << 63;
}

static int fold(struct auc *auc, struct error *e) {
    for (int s = 0; s < 2; s++) {
        struct scores *side = &auc->side[s];
        side->bin = memory_zeroed(1 << BIN_BITS, sizeof *side->bin, "AUC bins", e);
        if (side->bin == NULL)
            return -1;
        for (int64_t i = 0; i < side->count; i++)
            side->bin[side->key[i] >> (64 - BIN_BITS)]++;
        free(side->key);
        side->key = NULL;
    }
    auc->folded = true;
    return 0;
}

int auc_add(struct auc *auc, double score, bool positive, struct error *e) {
    struct scores *side = &auc->side[positive];
    if (!auc->folded && auc->side[0].count + auc->side[1].count >= auc->exact_rows &&
        fold(auc, e) != 0)
        return -1;
    if (auc->folded) {
        side->bin[ordered(score) >> (64 - BIN_BITS)]++;
    } else {
        if (side->count == side->room) {
            int64_t room = side->room == 0 ? FIRST_ROOM : 2 * side->room;
            if (memory_resize((void **)&side->key, room, sizeof *side->key, "AUC scores", e) != 0)
                return -1;
            side->room = room;
        }
        side->key[side->count] = ordered(score);
    }
    side->count++;
    return 0;
}

/* Least significant digit first; a digit that all keys share costs one look. */
static void radix_sort(uint64_t *key, uint64_t *spare, int64_t count) {
    uint64_t *from = key, *to = spare;
    for (int shift = 0; shift < 64; shift += DIGIT_BITS) {
        int64_t start[DIGITS + 1] = {0};
        for (int64_t i = 0; i < count; i++)
            start[(from[i] >> shift & (DIGITS - 1)) + 1]++;
        if (start[(from[0] >> shift & (DIGITS - 1)) + 1] == count)
            continue;
        for (int d = 0; d < DIGITS; d++)
            start[d + 1] += start[d];
        for (int64_t i = 0; i < count; i++)
            to[start[from[i] >> shift & (DIGITS - 1)]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != key)
        memcpy(key, from, (size_t)count * sizeof *key);
}

/* Twice the pairs in the right order, of sorted keys: at most 2^45. */
static double exact_pairs(const struct scores *negative, const struct scores *positive) {
    int64_t below = 0, upto = 0, twice = 0;
    for (int64_t i = 0; i < positive->count; i++) {
        while (below < negative->count && negative->key[below] < positive->key[i])
            below++;
        if (upto < below)
            upto = below;
        while (upto < negative->count && negative->key[upto] == positive->key[i])
            upto++;
        twice += below + upto;
    }
    return (double)twice;
}

static double binned_pairs(const struct scores *negative, const struct scores *positive) {
    double below = 0, twice = 0;
    for (int64_t b = 0; b < 1 << BIN_BITS; b++) {
        twice += (double)positive->bin[b] * (2 * below + (double)negative->bin[b]);
        below += (double)negative->bin[b];
    }
    return twice;
}

int auc_value(struct auc *auc, double *value, bool *approximate, struct error *e) {
    struct scores *negative = &auc->side[0], *positive = &auc->side[1];
    *approximate = auc->folded;
    *value = NAN;
    if (negative->count == 0 || positive->count == 0)
        return 0;
    double twice;
    if (auc->folded) {
        twice = binned_pairs(negative, positive);
    } else {
        int64_t more = negative->count > positive->count ? negative->count : positive->count;
        uint64_t *spare = memory_new(more, sizeof *spare, "sorting for AUC", e);
        if (spare == NULL)
            return -1;
        radix_sort(negative->key, spare, negative->count);
        radix_sort(positive->key, spare, positive->count);
        free(spare);
        twice = exact_pairs(negative, positive);
    }
    *value = twice / 2 / (double)negative->count / (double)positive->count;
    return 0;
}
