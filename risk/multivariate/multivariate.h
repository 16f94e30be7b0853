/* multivariate.h - risks of performance measures of all predictions together (F1, precision at k). With labels
 * y_i = +1 and -1 and m rows,
 *
 *     R(w) = max over y' of  Delta(y', y) + 1/m sum_i (y'_i - y_i) <w, x_i>
 *          = max over z in Z of  Delta(z) + sum_i z_i e_i,     e_i = -2/m y_i <w, x_i>,
 *
 * where z_i = 1 flips the label of row i, with gain e_i. The loss Delta depends only on the number b of missed
 * positives (flipped positives) and the number c of false positives (flipped negatives). Z is the set of allowed
 * flips. A maximizer z, or any mean of points of Z, gives a linearization of R:
 *
 *     R(v) >= mean Delta - 2/m sum_i y_i (mean z_i) <v, x_i>.
 *
 * multivariate.c computes and sorts the gains and makes the risk from a struct multivariate_measure. Measures: f1
 * (with f1_peak, f1_smooth, f1_offset) and precision. rocarea is a risk of its own, over pairs.
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

    /* Returns R_mu from the gains, Delta of the maximizing (mean) point in *delta, and the point itself in FLIP
     * (rows) unless FLIP is NULL. */
    double (*value)(struct multivariate *m, double mu, double *flip, double *delta);

    /* Minimizes R over a shift of the gains, which is subtracted from the gains of the positives and added to
     * those of the negatives. Returns the minimum, its *shift, and in FLIP a maximizing mean point that flips as
     * many positives as negatives, with its *delta. NULL: the risk has no offset. */
    double (*minimum)(struct multivariate *m, double *shift, double *flip, double *delta);

    /* As in struct risk_kind. */
    int (*smooth)(struct multivariate *m, struct error *e);

    /* Frees the members of the risk's struct behind its `struct multivariate`. NULL: there is nothing to free. */
    void (*free)(struct multivariate *m);
};

/* The rows of one label. After multivariate_sort: sorted by falling gain (the key is -gain), and sum[k], the sum
 * of the k largest gains. */
struct multivariate_class {
    int64_t count;
    int64_t *row;
    struct scored *sorted;
    double *sum; /* count + 1 */
};

enum {
    POSITIVES,
    NEGATIVES,
    CLASSES
}; /* a missed positive, a false positive: a flip in either class */

struct multivariate {
    struct risk risk; /* first */
    const struct multivariate_measure *measure;
    struct design design;
    const double *target;
    double scale; /* of the gains: 2/m, unless the measure sets another */
    struct multivariate_class class[CLASSES];
    double *gain; /* rows */
    double *flip;
    struct scored *sort_work;
};

/* A risk of SIZE bytes whose first member is a struct multivariate. The caller sets risk.smoothing and the members
 * behind it. NULL with the error set, also if no row is positive or the rows' weights differ. */
void *multivariate_new(size_t size, const struct multivariate_measure *measure,
                       const struct risk_settings *settings, struct error *e);

/* Whether R_mu can be computed: gains/mu must have digits behind the decimal point. With a smaller mu, R_mu and R
 * differ by rounding only, and R is used. */
bool multivariate_can_smooth(const struct multivariate *m, double mu);

/* Sorts both classes and sums their gains. */
void multivariate_sort(struct multivariate *m);

/* flip = 1 for the `missed` positives and `false_positives` negatives of largest gain, else 0. After sorting. */
void multivariate_flip(const struct multivariate *m, int64_t missed, int64_t false_positives,
                       double *flip);

/* flip = (1 - share) flip + share times the flips that multivariate_flip would set. */
void multivariate_mix(const struct multivariate *m, int64_t missed, int64_t false_positives,
                      double share, double *flip);

#endif
