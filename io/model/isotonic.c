/* isotonic.c - a nondecreasing function by its knots. */
#include "io/model/isotonic.h"

#include "io/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double isotonic_value(const struct isotonic *isotonic, double score) {
    const double *knot = isotonic->knot;
    int64_t low = 0, high = isotonic->count - 1;
    if (!(score > knot[0]))
        return knot[1];
    if (score >= knot[2 * high])
        return knot[2 * high + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(knot[2 * middle] <= score ? &low : &high) = middle;
    }
    const double *a = knot + 2 * low, *b = knot + 2 * high;
    double start = a[0] / 2; /* halves: no difference is infinite */
    double fraction = (score / 2 - start) / (b[0] / 2 - start);
    return a[1] + (b[1] - a[1]) * fraction;
}

const char *isotonic_check(const struct isotonic *isotonic) {
    const double *knot = isotonic->knot;
    for (int64_t i = 0; i < isotonic->count; i++, knot += 2) {
        if (!isfinite(knot[0]) || !(knot[1] >= 0 && knot[1] <= 1))
            return "a knot of isotonic is a score and a probability";
        if (i > 0 && !(knot[0] > knot[-2] && knot[1] >= knot[-1]))
            return "the knots of isotonic rise";
    }
    return isotonic->count > 0 ? NULL : "isotonic has no knots";
}

int isotonic_copy(const struct isotonic *from, struct isotonic *to, struct error *e) {
    *to = (struct isotonic){.count = from->count};
    to->knot = memory_new(2 * from->count, sizeof *to->knot, "isotonic regression", e);
    if (to->knot == NULL)
        return -1;
    memcpy(to->knot, from->knot, 2 * sizeof *to->knot * (size_t)from->count);
    return 0;
}

void isotonic_free(struct isotonic *isotonic) {
    free(isotonic->knot);
    *isotonic = (struct isotonic){0};
}
