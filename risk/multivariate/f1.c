/* f1.c - the risk of the F1 score: the maximum by f1_peak.h, the smoothed risk by f1_smooth.h, the offset by
 * f1_offset.h. */
#include "risk/multivariate/f1.h"

#include "io/memory.h"
#include "risk/multivariate/f1_offset.h"
#include "risk/multivariate/f1_smooth.h"

#include <math.h>
#include <stdlib.h>

struct f1 {
    struct multivariate all; /* first */
    struct f1_smooth smooth; /* empty until the risk is smoothed */
    double *work;            /* scratch of f1_minimize_over_shift; NULL: no offset */
};

static struct f1_sums sums_of(const struct multivariate *m) {
    return (struct f1_sums){1, m->class[POSITIVES].count, m->class[NEGATIVES].count,
                            m->class[POSITIVES].sum, m->class[NEGATIVES].sum};
}

static double exact_value(const struct multivariate *m, double *flip, double *delta) {
    int64_t positives = m->class[POSITIVES].count;
    const struct f1_sums sums = sums_of(m);
    struct f1_peak peak = f1_find_peak(&sums);
    *delta = f1_delta(positives, peak.b, peak.c);
    if (flip != NULL)
        multivariate_flip(m, peak.b, peak.c, flip);
    return peak.value;
}

static double value(struct multivariate *m, double mu, double *flip, double *delta) {
    struct f1 *f1 = (struct f1 *)m;
    multivariate_sort(m);
    return multivariate_can_smooth(m, mu) ? f1_smooth_value(&f1->smooth, m, mu, flip, delta)
                                          : exact_value(m, flip, delta);
}

static int smooth(struct multivariate *m, struct error *e) {
    struct f1 *f1 = (struct f1 *)m;
    if (f1->smooth.from != NULL)
        return 0;
    return f1_smooth_check(m, memory_of_machine() / 2, e) == 0 ? f1_smooth_init(&f1->smooth, m, e)
                                                               : -1;
}

static double minimum(struct multivariate *m, double *shift, double *flip, double *delta) {
    int64_t positives = m->class[POSITIVES].count;
    multivariate_sort(m);
    const struct f1_sums sums = sums_of(m);
    struct f1_minimum at = f1_minimize_over_shift(&sums, ((struct f1 *)m)->work);
    double fall = f1_delta(positives, at.fall.b, at.fall.c);
    *shift = at.shift;
    *delta = fall + at.share * (f1_delta(positives, at.rise.b, at.rise.c) - fall);
    multivariate_flip(m, at.fall.b, at.fall.c, flip);
    multivariate_mix(m, at.rise.b, at.rise.c, at.share, flip);
    return at.value;
}

static void f1_free(struct multivariate *m) {
    f1_smooth_free(&((struct f1 *)m)->smooth);
    free(((struct f1 *)m)->work);
}

struct risk *f1_risk_new(const struct risk_settings *settings, struct error *e) {
    static const struct multivariate_measure measure = {
        .name = "f1", .value = value, .smooth = smooth, .minimum = minimum, .free = f1_free};
    struct f1 *f1 = multivariate_new(sizeof *f1, &measure, settings, e);
    if (f1 == NULL)
        return NULL;
    int64_t rows = settings->scalar.data->rows;
    if (settings->scalar.intercept) {
        f1->work = memory_new(rows + CLASSES, sizeof *f1->work, "the offset", e);
        if (f1->work == NULL) {
            risk_free(&f1->all.risk);
            return NULL;
        }
    }
    f1->all.risk.smoothing = (double)rows * log(2);
    return &f1->all.risk;
}
