/* label_pairs.c - the numbers of pairs of labels; see label_pairs.h. */
#include "io/model/label_pairs.h"

int64_t label_pairs_count(int64_t count) {
    return count * (count - 1) / 2;
}

int64_t label_pairs_index(int64_t count, int64_t i, int64_t j) {
    return i * (2 * count - i - 1) / 2 + j - i - 1;
}

void label_pairs_of(int64_t count, int64_t index, int64_t *i, int64_t *j) {
    *i = 0;
    while (index >= label_pairs_index(count, *i, count - 1) + 1)
        ++*i;
    *j = index - label_pairs_index(count, *i, *i + 1) + *i + 1;
}
