/* auc.c - the area under the ROC curve; see auc.h.
 *
 *     AUC = (sum over positives of (negatives below + negatives equal / 2)) / (positives negatives)
 *
 * Scores are kept as integers in the order of the doubles, sorted by radix at the end: O(rows). */
#include "prediction/auc.h"

#include "io/memory.h"
#include "math/sort.h"

#include <math.h>
#include <stdlib.h>

enum { BIN_BITS = 22, FIRST_CAPACITY = 1 << 12 };

struct scores {
    uint64_t *key;
    int64_t count;
    int64_t capacity;
    int64_t *bin; /* NULL: the scores are stored exactly */
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
        side->bin[sort_key(score) >> (64 - BIN_BITS)]++;
    } else {
        if (side->count == side->capacity) {
            int64_t capacity = side->capacity == 0 ? FIRST_CAPACITY : 2 * side->capacity;
            if (memory_resize((void **)&side->key, capacity, sizeof *side->key, "AUC scores", e) !=
                0)
                return -1;
            side->capacity = capacity;
        }
        side->key[side->count] = sort_key(score);
    }
    side->count++;
    return 0;
}

/* Twice the number of pairs in the right order, from sorted keys; at most 2^45. */
static double exact_pairs(const struct scores *negative, const struct scores *positive) {
    int64_t below = 0, upto = 0, doubled_pairs = 0;
    for (int64_t i = 0; i < positive->count; i++) {
        while (below < negative->count && negative->key[below] < positive->key[i])
            below++;
        if (upto < below)
            upto = below;
        while (upto < negative->count && negative->key[upto] == positive->key[i])
            upto++;
        doubled_pairs += below + upto;
    }
    return (double)doubled_pairs;
}

static double binned_pairs(const struct scores *negative, const struct scores *positive) {
    double below = 0, doubled_pairs = 0;
    for (int64_t b = 0; b < 1 << BIN_BITS; b++) {
        doubled_pairs += (double)positive->bin[b] * (2 * below + (double)negative->bin[b]);
        below += (double)negative->bin[b];
    }
    return doubled_pairs;
}

int auc_value(struct auc *auc, double *value, bool *approximate, struct error *e) {
    struct scores *negative = &auc->side[0], *positive = &auc->side[1];
    *approximate = auc->folded;
    *value = NAN;
    if (negative->count == 0 || positive->count == 0)
        return 0;
    double doubled_pairs;
    if (auc->folded) {
        doubled_pairs = binned_pairs(negative, positive);
    } else {
        int64_t more = negative->count > positive->count ? negative->count : positive->count;
        uint64_t *spare = memory_new(more, sizeof *spare, "sorting for AUC", e);
        if (spare == NULL)
            return -1;
        sort_keys(negative->key, spare, negative->count);
        sort_keys(positive->key, spare, positive->count);
        free(spare);
        doubled_pairs = exact_pairs(negative, positive);
    }
    *value = doubled_pairs / 2 / (double)negative->count / (double)positive->count;
    return 0;
}

/* ---- the examples that score highest */

/* A group of examples with equal scores, or in one bin. */
struct tie {
    int64_t position[2]; /* of each side: the number of examples below, or the bin */
    int64_t count[2];
};

static void next_bin(const struct auc *auc, struct tie *tie) {
    tie->position[0]--;
    for (int s = 0; s < 2; s++)
        tie->count[s] = auc->side[s].bin[tie->position[0]];
}

static void next_score(const struct auc *auc, struct tie *tie) {
    uint64_t top = 0;
    for (int s = 0; s < 2; s++) {
        int64_t left = tie->position[s];
        top = left > 0 && auc->side[s].key[left - 1] > top ? auc->side[s].key[left - 1] : top;
    }
    for (int s = 0; s < 2; s++)
        for (tie->count[s] = 0;
             tie->position[s] > 0 && auc->side[s].key[tie->position[s] - 1] == top;
             tie->position[s]--)
            tie->count[s]++;
}

double auc_precision(const struct auc *auc, int64_t k) {
    int64_t negatives = auc->side[0].count, positives = auc->side[1].count;
    int64_t counted = k < negatives + positives ? k : negatives + positives, left = counted;
    struct tie tie = {.position = {negatives, positives}};
    double hits = 0;
    if (negatives == 0 || positives == 0) /* every order is the same */
        return counted == 0 ? NAN : positives > 0;
    if (auc->folded)
        tie.position[0] = 1 << BIN_BITS;
    while (left > 0) {
        (auc->folded ? next_bin : next_score)(auc, &tie);
        int64_t count = tie.count[0] + tie.count[1], taken = count < left ? count : left;
        hits += count > 0 ? (double)taken * ((double)tie.count[1] / (double)count) : 0;
        left -= taken;
    }
    return hits / (double)counted;
}
