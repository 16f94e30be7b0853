/* ascending.h - bisection in ascending integers. */
#ifndef RRM_ASCENDING_H
#define RRM_ASCENDING_H

#include <stdint.h>

/* The first place in [from, to) whose number is not below BOUND; `to` if there is none. */
static inline int64_t first_not_below(const int32_t *ascending, int64_t from, int64_t to,
                                      int64_t bound) {
    while (from < to) {
        int64_t middle = from + (to - from) / 2;
        if (ascending[middle] < bound)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#endif
