/* f1_peak.c - the maximum over (b, c); see f1_peak.h. */
#include "risk/multivariate/f1_peak.h"

#include <math.h>

/* V(b, c) - V(b, c - 1) */
static double increase(const struct f1_sums *sums, int64_t b, int64_t c) {
    double denominator = (double)(2 * sums->positives - b + c);
    return sums->scale * (double)(2 * (sums->positives - b)) / (denominator * (denominator - 1)) +
           (sums->false_positive[c] - sums->false_positive[c - 1]);
}

int64_t f1_best_false(const struct f1_sums *sums, int64_t b, int64_t c) {
    while (c > 0 && increase(sums, b, c) < 0)
        c--;
    return c;
}

struct f1_peak f1_find_peak(const struct f1_sums *sums) {
    struct f1_peak peak = {.value = -INFINITY};
    for (int64_t b = 0, c = sums->negatives; b <= sums->positives; b++) {
        c = f1_best_false(sums, b, c);
        double value = f1_value(sums, b, c);
        if (value > peak.value)
            peak = (struct f1_peak){b, c, value};
    }
    return peak;
}
