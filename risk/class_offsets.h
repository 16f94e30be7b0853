/* class_offsets.h - the unregularized offsets of the classes that minimize a multiclass risk, for given scores:
 *
 *     minimize over b:  G(b) = sum_i c_i mu log sum_k exp((D_ik + u_ik + b_k)/mu) - u_iy - b_y,  over sum c,
 *
 * softmax with mu = 1 and D = 0; Crammer & Singer's with D_ik = [k != y_i] and a mu > 0, so that G and the risk
 * differ by at most mu log K. Newton's method with conjugate gradients, for a decreasing sequence of mu; the Hessian
 * is the mean of c (diag(p) - p p')/mu, a product with it costs O(rows K).
 *
 * At the last b the probabilities p_i are corrected (label_shift.h) so that sum_i c_i (p_i - e_y) is 0 up to
 * rounding. Any p_i with sum 1 give a linearization of the risk: slope mean of c x (p - e_y)', constant mean of
 * c sum_k p_k D_k (softmax: of -sum_k p_k log p_k). So the linearization is valid for any b; SLACK bounds its
 * distance from the risk.
 *
 * Sums are taken over blocks of rows: the same result for any number of threads. */
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
    double *p;     /* rows x classes: p, then p - e_y */
    double *b;     /* classes: the offsets; the caller sets the starting point */
    double reach;  /* the largest change of an offset in one step */

    double *gradient, *step, *residual, *direction, *product, *trial; /* classes */
    double *partial, *value;                                          /* blocks x classes; blocks */
    int blocks;
    bool parallel; /* evaluations use several threads */
};

/* The caller has set rows, classes, target, weight, weight_sum and margin in *o. 0, or -1 with the error set; to be
 * freed in either case. */
int class_offsets_init(struct class_offsets *o, struct error *e);
void class_offsets_free(struct class_offsets *o);

/* Finds b such that the linearization is within about SLACK > 0 of the risk at b. Leaves p - e_y in o->p and the
 * linearization's constant in *constant. Returns the risk at b. */
double class_offsets_find(struct class_offsets *o, double slack, double *constant);

#endif
