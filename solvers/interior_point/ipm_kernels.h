/* ipm_kernels.h - the arithmetic of the primal-dual method on the rows' dual variables, one kernel for each
 * sweep.
 *
 * With A = a - low, B = high - a, multipliers s and x, v = r - kappa a, d = 1/(kappa + s/A + x/B), the wanted
 * changes qs, qx of the products A s, B x, and the scores f of dw, the Newton system gives for each row
 *
 *     da = d (f + qs/A - qx/B + v - x + s),  ds = (qs - s da)/A,  dx = (qx + x da)/B,
 *
 * without v - x + s for correctors, which do not change the residuals. The direction's da, ds, dx are stored;
 * those of a centrality corrector are recomputed where they are needed. */
#ifndef RRM_IPM_KERNELS_H
#define RRM_IPM_KERNELS_H

#include "solvers/interior_point/ipm_rows.h"

/* Takes `step` along the direction. Sums: loss, product. Writes curvature, right_side, a. */
ipm_kernel ipm_advance;

/* The predictor (qs = -A s, qx = -B x) from the scores du. Sums: inverse_step[0]; product: its second-order
 * part. Coefficients of the corrector's right side: `one` is multiplied by `target`, `two` is the constant. */
ipm_kernel ipm_predict;

/* Adds the corrector (qs = target - da ds, qx = target + da dx), from the scores eu. Sums: inverse_step[0]. */
ipm_kernel ipm_correct;

/* A centrality corrector: products after a step `trial_step` are moved into [0.1, 10] target. The first kernel
 * writes its right side as coefficients. The second one measures, from the scores eu, the inverse_step if a
 * share of the corrector is added to the direction, for each of IPM_SHARES shares that are
 * evenly spaced in [share, 1]. */
ipm_kernel ipm_centre;
ipm_kernel ipm_measure_shares;

/* Sums: product and min_product after `step`. */
ipm_kernel ipm_try_step;

/* The same, after `share` of the last corrector (computed at `last_trial_step`) is added to the direction. */
ipm_kernel ipm_add_share_and_centre;
ipm_kernel ipm_add_share_and_try_step;

/* The k-th of the shares. */
static inline double ipm_share(double smallest, int k) {
    return smallest + (1 - smallest) * k / (IPM_SHARES - 1);
}

#endif
