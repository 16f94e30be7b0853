/* multivariate.h - risks of measures of all predictions at once. With labels y_i = +1 and -1 and m rows,
 *
 *     R(w) = max over y' of  Delta(y', y) + 1/m sum_i (y'_i - y_i) <w, x_i>
 *          = max over z in Z of  Delta(z) + sum_i z_i e_i,     e_i = -2/m y_i <w, x_i>,
 *
 * where z_i = 1 flips the label of row i, which gains e_i, and Delta depends on b = sum of z over the
 * positives (missed) and c = sum over the negatives (false) alone; Z says which y' there are. A maximizer,
 * or any mean of points of Z, gives a linearization of R:
 *
 *     R(v) >= mean Delta - 2/m sum_i y_i (mean z_i) <v, x_i>.
 *
 * References: Joachims 2005, "A support vector method for multivariate performance measures", ICML;
 * Zhang, Saha & Vishwanathan 2010, example 3, (43) and (44). */
#ifndef RRM_MULTIVARIATE_H
#define RRM_MULTIVARIATE_H

#include "math/sort.h"
#include "risk/risk_table.h"

#include <stdbool.h>

struct multivariate;

struct multivariate_measure {
    const char *name;

    /* R_mu from the gains, *delta of the maximizing (mean) point, and the point itself in FLIP (rows),
     * unless that is NULL. */
    double (*value)(struct multivariate *m, double mu, double *flip, double *delta);

    /* The least R over shifts of the gains, *shift, which is taken from those of the positives and added to
     * those of the negatives: R there, a mean point that flips as many of both and touches R, in FLIP, and
     * its *delta. NULL: the risk has no offset. */
    double (*level)(struct multivariate *m, double *shift, double *flip, double *delta);

    /* As in struct risk_kind. */
    int (*smooth)(struct multivariate *m, struct error *e);

    /* Frees what the risk's struct has beyond its multivariate. NULL: nothing. */
    void (*free)(struct multivariate *m);
};

/* The rows of one label; once sorted with -gain as scores, which rise, and sums of the largest gains. */
struct multivariate_side {
    int64_t count;
    int64_t *row;
    struct scored *sorted;
    double *sum; /* count + 1 */
};

enum { MISSED, FALSE, SIDES }; /* positives, negatives */

struct multivariate {
    struct risk risk; /* first */
    const struct multivariate_measure *measure;
    struct design design;
    const double *target;
    double scale; /* of the gains: 2/m, unless a measure sets another */
    struct multivariate_side side[SIDES];
    double *gain; /* rows */
    double *flip;
    struct scored *spare;
};

/* A risk of SIZE bytes that begins with a struct multivariate, complete but for what the measure needs
 * beyond it, and risk.smoothing. NULL with the error set: for rows without a positive one, or of several
 * weights. */
void *multivariate_new(size_t size, const struct multivariate_measure *measure,
                       const struct risk_settings *settings, struct error *e);

/* Is a smoothing of this curvature felt? Gains over mu must keep digits behind the point; a lesser mu changes
 * nothing but these, and R is taken for R_mu. */
bool multivariate_feels(const struct multivariate *m, double mu);

/* Sorts both sides, and sums. */
void multivariate_sort(struct multivariate *m);

/* The flips of the first `missed` positives and `false_ones` negatives, as they are sorted. */
void multivariate_flip(const struct multivariate *m, int64_t missed, int64_t false_ones,
                       double *flip);

/* flip <- (1 - share) flip + share times those flips */
void multivariate_mix(const struct multivariate *m, int64_t missed, int64_t false_ones,
                      double share, double *flip);

#endif
