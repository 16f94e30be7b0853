/* f1_smooth.h - the smoothed risk of F1 (f1.h):
 *
 *     Z = sum over b, c of exp(Delta(b, c)/mu + F(b) + G(c)),   R_mu = mu (log Z - m log 2),
 *
 * F and G the sums over subsets of the positives' and of the negatives' gains over mu, by size. Only the
 * (b, c) whose upper bound is within exp(-60) of a lower bound of Z are summed; for each b they are an
 * interval around the peak (f1_peak.h), as the upper bounds are concave. The bounds are refined until they
 * differ by some units at most (math/subset_sums.h).
 *
 * Reference: Zhang, Saha & Vishwanathan 2010, section 5.4. */
#ifndef RRM_F1_SMOOTH_H
#define RRM_F1_SMOOTH_H

#include "math/subset_sums.h"
#include "risk/multivariate/f1_peak.h"
#include "risk/multivariate/multivariate.h"

struct f1_smooth {
    struct subset_sums sums[SIDES];
    double *x[SIDES], *sum[SIDES]; /* gains over mu, falling, and their sums */
    double *marginal;
    int64_t *from, *to; /* of each b, the c that count: from <= c <= to */
    int64_t *cover;     /* of each c, how many intervals begin less end there */
};

/* Bytes that it takes. */
double f1_smooth_bytes(const struct multivariate *m);

/* An error where these are more than LIMIT, half of this machine's memory. */
int f1_smooth_check(const struct multivariate *m, double limit, struct error *e);

int f1_smooth_init(struct f1_smooth *s, const struct multivariate *m, struct error *e);
void f1_smooth_free(struct f1_smooth *s);

/* R_mu of the sorted gains, as struct multivariate_measure's value; a pass over mu > 0. */
double f1_smooth_value(struct f1_smooth *s, const struct multivariate *m, double mu, double *flip,
                       double *delta);

#endif
