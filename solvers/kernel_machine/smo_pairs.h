/* smo_pairs.h - the two passes over a block of variables that make a step of two of them, by the machine's widest
 * vectors.
 *
 * A pass has SMO_PAIRS_ALIGN times a whole number of variables, in floats: g_t, the slope of the dual's objective with
 * the sign of ascent; `up` and `low`, 0 or minus, plus SMO_PAIRS_BARRED where beta_t is at its upper, lower bound; the
 * diagonal of the kernel matrix, and its rows.
 *
 * Reference: Fan, Chen & Lin 2005, Working set selection using second order information for training support vector
 * machines, JMLR 6, WSS 2. */
#ifndef RRM_SMO_PAIRS_H
#define RRM_SMO_PAIRS_H

#include <stdint.h>

enum { SMO_PAIRS_ALIGN = 16 };

/* Larger than the difference of any two g. */
#define SMO_PAIRS_BARRED 1e30F

struct smo_pairs {
    int64_t count;
    float *g, *up, *low, *diagonal; /* count */
    float min_curvature;            /* what is below it counts as this */
};

/* Of all t that can fall, with g_t < g_i, the one with which a step of i gains most: the largest
 * (g_i - g_t)^2 / (K_ii + K_tt - 2 K_it), the first of equal ones; ROW is that of i. *lowest = the smallest g_t of
 * those that can fall. */
int64_t smo_pairs_partner(const struct smo_pairs *p, int64_t i, const float *row, float *lowest);

/* g -= step (row_i - row_j). Returns the t with the largest g_t of those that can rise, the first of equal ones. */
int64_t smo_pairs_step(const struct smo_pairs *p, float step, const float *row_i,
                       const float *row_j);

#endif
