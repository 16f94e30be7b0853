/* ipm_kernels.h - the arithmetic of the primal-dual method on the rows' variables, a kernel a pass.
 *
 * With A = a - low, B = high - a, multipliers s and x, v = r - kappa a, d = 1/(kappa + s/A + x/B),
 * a solve with the products' changes (qs, qx), and the scores f of dw, gives
 *
 *     da = d (f + qs/A - qx/B + v - x + s),  ds = (qs - s da)/A,  dx = (qx + x da)/B,
 *
 * without v - x + s for correctors, which keep the residuals as they are. A direction's da, ds, dx
 * are kept; a centrality corrector's are computed again where they are needed. */
#ifndef RRM_IPM_KERNELS_H
#define RRM_IPM_KERNELS_H

#include "solvers/interior_point/ipm_rows.h"

/* Takes the step `step` along the direction. Sums: loss, product. Writes curvature, push, a. */
ipm_kernel ipm_advance;

/* The predictor (qs = -A s, qx = -B x) by the scores du. Sums: reach[0], product: the part of
 * second order. Coefficients: those of the corrector's right side, one for `target`, two for the
 * rest. */
ipm_kernel ipm_predict;

/* Adds the corrector (qs = target - da ds, qx = target + da dx) by the scores eu. Sums:
 * reach[0]. */
ipm_kernel ipm_correct;

/* A centrality corrector: the products after a step `ahead` are moved into [0.1, 10] target. The
 * first kernel writes its right side as coefficients, the second, by the scores eu, the reach when
 * a share of it, evenly spaced in [mix, 1], is added to the direction. */
ipm_kernel ipm_centre;
ipm_kernel ipm_measure_mixes;

/* Sums: product and least after `step`. */
ipm_kernel ipm_try_step;

/* The same after the share `mix` of the last corrector, which looked ahead to `past`, was added to
 * the direction. */
ipm_kernel ipm_mix_and_centre;
ipm_kernel ipm_mix_and_try_step;

/* The k-th of the shares. */
static inline double ipm_mix(double least, int k) {
    return least + (1 - least) * k / (IPM_MIXES - 1);
}

#endif
