/* corrected_averaging.h - dual averaging with corrected gradients, the default loop of rda.
 *
 *     Z_t = Z_{t-1} + (g_t - a_i x_i) + h
 *     w_{t+1} = argmin <Z_t, w> + l1 t ||w||_1 + l2 t/2 ||w||^2 + gamma/2 ||w||^2
 *             = -f_t soft(Z_t, l1 t),   f_t = 1/(l2 t + gamma)
 *
 * a_i is the latest derivative of the drawn example's loss (at first 0), and h the mean of all a_i x_i before the step;
 * the derivative g in g_t = g x_i is that at the score u - f_t ||x_i||^2 (g - a_i), to which the step itself leads. An
 * unregularized offset is -Z_t/gamma, with its part in that score. Of a batch, the step has the mean of the
 * corrections.
 *
 * Near the optimum g_t - a_i x_i vanishes, so that the weight of the method's term ||w||^2/2 may stay gamma, where
 * plain dual averaging needs gamma sqrt t against the noise of single examples. Without l2 its steps do not get
 * shorter. It is not from the papers of rda: the correction is that of Defazio, Bach & Lacoste-Julien 2014, *SAGA*, the
 * derivative after the step that of Defazio 2016 (shrinking.h has both for the other solvers).
 *
 * Between two examples with feature j, Z_j grows by h_j a step, so a step costs O(nonzeros of the batch). The method
 * needs 8 bytes for each example, and 16 for each feature beyond Z. */
#ifndef RRM_CORRECTED_AVERAGING_H
#define RRM_CORRECTED_AVERAGING_H

#include "solvers/sparse/sparse.h"

/* Runs from w = 0 until the monitor ends the run; w receives the last iterate or the best one after a pass
 * (enum online_output; not the mean). 0, or -1 with the error set. */
int corrected_averaging_run(const struct solve *solve, double gamma, int output, struct error *e);

#endif
