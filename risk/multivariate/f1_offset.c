/* f1_offset.c - where the greatest of lines is least. */
#include "risk/multivariate/f1_offset.h"

#include <math.h>

static double slope_of(const struct f1_peak *peak) {
    return (double)(peak->c - peak->b);
}

static struct f1_peak peak_at(const struct f1_sums *sums, double shift, double *work) {
    double *missed = work, *wrong = work + sums->positives + 1;
    for (int64_t b = 0; b <= sums->positives; b++)
        missed[b] = sums->missed[b] - shift * (double)b;
    for (int64_t c = 0; c <= sums->negatives; c++)
        wrong[c] = sums->wrong[c] + shift * (double)c;
    const struct f1_sums shifted = {sums->scale, sums->positives, sums->negatives, missed, wrong};
    return f1_find_peak(&shifted);
}

struct f1_level f1_find_level(const struct f1_sums *sums, double *work) {
    enum { STEPS = 500 }; /* then rounding goes round */
    static const double rounding = 1e-14;
    struct f1_level level = {.fall = {.b = sums->positives}, .rise = {.c = sums->negatives}};
    for (int i = 0; i < STEPS; i++) {
        double fall = f1_value(sums, level.fall.b, level.fall.c), rise_by = slope_of(&level.rise);
        double rise = f1_value(sums, level.rise.b, level.rise.c), fall_by = slope_of(&level.fall);
        level.share = -fall_by / (rise_by - fall_by);
        level.shift = (fall - rise) / (rise_by - fall_by);
        struct f1_peak peak = peak_at(sums, level.shift, work);
        double crossing = fall + level.share * (rise - fall);
        level.value = peak.value;
        if (!(peak.value > crossing + rounding * (fabs(fall) + fabs(rise) + fabs(crossing))))
            break;
        if (slope_of(&peak) >= 0)
            level.rise = peak;
        if (slope_of(&peak) < 0)
            level.fall = peak;
        if (slope_of(&peak) == 0) {
            level.share = 1;
            break;
        }
    }
    return level;
}
