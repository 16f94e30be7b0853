/* label_shift.h - probabilities of labels that are moved a little, so that each label's sum is what it should
 * be. Of a label with too much every row gives up the same share, `give`; what is given up goes to the labels with
 * too little, in the shares `take`:
 *
 *     p_l <- p_l (1 - give_l) + take_l sum_k give_k p_k.
 *
 * It is as if each row drew its label anew, by itself: with probability give_k where it had label k. */
#ifndef RRM_LABEL_SHIFT_H
#define RRM_LABEL_SHIFT_H

#include <stdint.h>

/* EXCESS: what the sums are above those wanted, WANTED; one number a label each. */
void label_shift_find(const double *excess, const double *wanted, int64_t labels, double *give,
                      double *take);

/* P (labels): of one row. */
static inline void label_shift_row(const double *give, const double *take, int64_t labels,
                                   double *p) {
    double given = 0;
    for (int64_t k = 0; k < labels; k++) {
        given += give[k] * p[k];
        p[k] -= give[k] * p[k];
    }
    for (int64_t k = 0; k < labels; k++)
        p[k] += given * take[k];
}

/* EDGES (labels x labels): the expected numbers of transitions, when both rows draw anew. */
void label_shift_edges(const double *give, const double *take, int64_t labels, double *edges);

#endif
