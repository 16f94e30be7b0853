/* f1.c - the most violated labels by the staircase of f1_peak.h; smoothed by f1_smooth.h. */
#include "risk/f1.h"

#include "io/memory.h"
#include "risk/f1_smooth.h"

#include <math.h>

struct f1 {
    struct multivariate all; /* first */
    struct f1_smooth smooth; /* empty until it is asked for */
};

static double sharp_value(const struct multivariate *m, double *flip, double *delta) {
    int64_t positives = m->side[MISSED].count;
    const struct f1_sums sums = {1, positives, m->side[FALSE].count, m->side[MISSED].sum,
                                 m->side[FALSE].sum};
    struct f1_peak peak = f1_find_peak(&sums);
    *delta = f1_delta(positives, peak.b, peak.c);
    if (flip != NULL)
        multivariate_flip(m, peak.b, peak.c, flip);
    return peak.value;
}

static double value(struct multivariate *m, double mu, double *flip, double *delta) {
    struct f1 *f1 = (struct f1 *)m;
    multivariate_sort(m);
    return multivariate_feels(m, mu) ? f1_smooth_value(&f1->smooth, m, mu, flip, delta)
                                     : sharp_value(m, flip, delta);
}

static int smooth(struct multivariate *m, struct error *e) {
    struct f1 *f1 = (struct f1 *)m;
    if (f1->smooth.from != NULL)
        return 0;
    return f1_smooth_check(m, memory_of_machine() / 2, e) == 0 ? f1_smooth_init(&f1->smooth, m, e)
                                                               : -1;
}

static void f1_free(struct multivariate *m) {
    f1_smooth_free(&((struct f1 *)m)->smooth);
}

struct risk *f1_risk_new(const struct risk_settings *settings, struct error *e) {
    static const struct multivariate_measure measure = {
        .name = "f1", .value = value, .smooth = smooth, .free = f1_free};
    struct f1 *f1 = multivariate_new(sizeof *f1, &measure, settings, e);
    if (f1 == NULL)
        return NULL;
    f1->all.risk.smoothing = (double)settings->scalar.data->rows * log(2);
    return &f1->all.risk;
}
