/* class_offsets.h - the unregularized offsets of classes at which a multiclass risk is least, for given scores:
 *
 *     minimize over b:  G(b) = sum_i c_i mu log sum_k exp((D_ik + u_ik + b_k)/mu) - u_iy - b_y,  over sum c,
 *
 * softmax with mu = 1 and D = 0, Crammer & Singer's with D_ik = [k != y_i] and a mu from which the risk is at
 * most mu log K away. Newton's method with conjugate gradients, for falling mu; a product with the Hessian is
 * mean of c (diag(p) - p p')/mu, O(rows K).
 *
 * The probabilities p_i of the last b are then moved a little, so that sum_i c_i (p_i - e_y) is 0 but for
 * rounding: of a class that has too much each row gives up the same share, to those that have too little. Any
 * p_i of sum 1 give a linearization of the risk: slope mean of c x (p - e_y)', constant mean of c sum_k p_k D_k
 * (softmax: of -sum_k p_k log p_k). So it is one however well b was found; how near it comes is what SLACK says.
 *
 * Sums go by blocks of rows: the same result for any number of threads. */
#ifndef RRM_CLASS_OFFSETS_H
#define RRM_CLASS_OFFSETS_H

#include "io/error.h"

#include <stdbool.h>
#include <stdint.h>

struct class_offsets {
    int64_t rows, classes;
    const double *target, *weight; /* rows: the class; c, NULL: all are 1 */
    double weight_sum;
    bool margin; /* D as of Crammer & Singer, else 0 */

    double *score; /* rows x classes: u, for the caller to fill */
    double *p;     /* the same: p, then p - e_y */
    double *b;     /* classes: the offsets; the caller sets where the search begins */

    double *gradient, *step, *residual, *direction, *product, *trial; /* classes */
    double *partial, *value;                                          /* blocks x classes; blocks */
    int blocks;
    bool threads; /* enough work that they pay */
};

/* The sizes, target, weight, weight_sum and margin stand in *o. 0, or -1 with the error set; to be freed in
 * either case. */
int class_offsets_init(struct class_offsets *o, struct error *e);
void class_offsets_free(struct class_offsets *o);

/* Finds b such that the linearization is within about SLACK > 0 of the risk there; leaves p - e_y in p, and
 * returns the risk at b. *constant is that of the linearization. */
double class_offsets_find(struct class_offsets *o, double slack, double *constant);

#endif
