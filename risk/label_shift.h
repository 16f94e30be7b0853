/* label_shift.h - corrects probabilities of labels so that each label's sum over the rows is a target. A label whose
 * sum is too large loses the fraction `leave` in every row; the labels whose sum is too small receive these
 * probabilities, in the fractions `enter`:
 *
 *     p_l <- p_l (1 - leave_l) + enter_l sum_k leave_k p_k.
 *
 * This is the distribution after each row, independently, leaves its label k with probability leave_k and draws a
 * new one from `enter`. */
#ifndef RRM_LABEL_SHIFT_H
#define RRM_LABEL_SHIFT_H

#include <stdint.h>

/* LEAVE and ENTER for the target sums TARGET and their excess, the current sums minus TARGET; all have one number
 * for each label. */
void label_shift_find(const double *excess, const double *target, int64_t labels, double *leave,
                      double *enter);

/* Corrects the probabilities P (labels) of one row. */
static inline void label_shift_row(const double *leave, const double *enter, int64_t labels,
                                   double *p) {
    double moved = 0;
    for (int64_t k = 0; k < labels; k++) {
        moved += leave[k] * p[k];
        p[k] -= leave[k] * p[k];
    }
    for (int64_t k = 0; k < labels; k++)
        p[k] += moved * enter[k];
}

/* Corrects the expected numbers of transitions EDGES (labels x labels), if both rows draw as above. */
void label_shift_edges(const double *leave, const double *enter, int64_t labels, double *edges);

#endif
