/* f1_offset.c - the minimum over the offset of the maximum of lines; see f1_offset.h. */
#include "risk/multivariate/f1_offset.h"
#include "math/rounding.h"

#include <math.h>

static double slope_of(const struct f1_peak *peak) {
    return (double)(peak->c - peak->b);
}

static struct f1_peak peak_at(const struct f1_sums *sums, double shift, double *work) {
    double *missed = work, *false_positive = work + sums->positives + 1;
    for (int64_t b = 0; b <= sums->positives; b++)
        missed[b] = sums->missed[b] - shift * (double)b;
    for (int64_t c = 0; c <= sums->negatives; c++)
        false_positive[c] = sums->false_positive[c] + shift * (double)c;
    const struct f1_sums shifted = {sums->scale, sums->positives, sums->negatives, missed,
                                    false_positive};
    return f1_find_peak(&shifted);
}

struct f1_minimum f1_minimize_over_shift(const struct f1_sums *sums, double *work) {
    enum { MAX_STEPS = 500 }; /* guards against cycles from rounding */
    struct f1_minimum minimum = {.fall = {.b = sums->positives}, .rise = {.c = sums->negatives}};
    for (int i = 0; i < MAX_STEPS; i++) {
        double fall = f1_value(sums, minimum.fall.b, minimum.fall.c),
               rise_by = slope_of(&minimum.rise);
        double rise = f1_value(sums, minimum.rise.b, minimum.rise.c),
               fall_by = slope_of(&minimum.fall);
        minimum.share = -fall_by / (rise_by - fall_by);
        minimum.shift = (fall - rise) / (rise_by - fall_by);
        struct f1_peak peak = peak_at(sums, minimum.shift, work);
        double crossing = fall + minimum.share * (rise - fall);
        minimum.value = peak.value;
        if (!(peak.value >
              crossing + rounding_of_sums * (fabs(fall) + fabs(rise) + fabs(crossing))))
            break;
        if (slope_of(&peak) >= 0)
            minimum.rise = peak;
        if (slope_of(&peak) < 0)
            minimum.fall = peak;
        if (slope_of(&peak) == 0) {
            minimum.share = 1;
            break;
        }
    }
    return minimum;
}
