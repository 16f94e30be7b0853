/* f1_smooth.h - the smoothed risk of F1 (f1.h):
 *
 *     Z = sum over b, c of exp(Delta(b, c)/mu + F(b) + G(c)),   R_mu = mu (log Z - m log 2),
 *
 * F(b) and G(c) the log sums over the subsets of b positives and of c negatives of exp(sum of gains/mu). Only
 * terms (b, c) whose upper bound is above exp(-60) times a lower bound of Z are summed. For each b these form an
 * interval around the peak (f1_peak.h), as the upper bounds are concave. The bounds are refined until their logs
 * differ by at most 4 (math/subset_sums/subset_sums.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 5.4. */
#ifndef RRM_F1_SMOOTH_H
#define RRM_F1_SMOOTH_H

#include "math/subset_sums/subset_sums.h"
#include "risk/multivariate/f1_peak.h"
#include "risk/multivariate/multivariate.h"

struct f1_smooth {
    struct subset_sums sums[CLASSES];
    double *x[CLASSES], *sum[CLASSES]; /* gains/mu in falling order, and their partial sums */
    double *marginal;
    int64_t *from, *to; /* for each b: the terms from <= c <= to are summed */
    int64_t *cover;     /* for each c: the number of intervals that begin minus those that ended */
};

/* Bytes of memory that f1_smooth_init allocates. */
double f1_smooth_bytes(const struct multivariate *m);

/* 0, or -1 with the error set if f1_smooth_bytes is above LIMIT, half of this machine's memory. */
int f1_smooth_check(const struct multivariate *m, double limit, struct error *e);

int f1_smooth_init(struct f1_smooth *s, const struct multivariate *m, struct error *e);
void f1_smooth_free(struct f1_smooth *s);

/* R_mu of the sorted gains for mu > 0, as `value` of struct multivariate_measure. */
double f1_smooth_value(struct f1_smooth *s, const struct multivariate *m, double mu, double *flip,
                       double *delta);

#endif
