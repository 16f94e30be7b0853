/* ball.h - the ball { w : ||w||_1 + k/2 ||w||^2 <= r }, k >= 0: with k = 0 that of the 1-norm, else of
 * the elastic net.
 *
 * Projection: w = sgn(v) max(|v| - L, 0)/(1 + k L), L by selection (math/projections/threshold.h). Zhang, Saha &
 * Vishwanathan 2010, "Regularized risk minimization by Nesterov's accelerated gradient methods",
 * section 5.5.2; k = 0: Duchi et al. 2008, "Efficient projections onto the l1-ball", ICML.
 *
 * Support: the maximum of <s, w> over the ball is at w = sgn(s) max(|s| - L, 0)/(k L), where the sum
 * of s_j^2 - L^2 over |s_j| > L is 2 k r L^2. From L = 0 on, L^2 <- (sum of s_j^2)/(2 k r + m) over
 * the m coordinates above L is Newton's method for a decreasing convex function: L grows, a coordinate below L stays
 * below, and at each step the value or the slope halves: rarely more than ten passes. */
#ifndef RRM_BALL_H
#define RRM_BALL_H

#include <stdint.h>

/* Replaces w by its projection to the ball; returns the multiplier L, 0 if w is in the
 * ball. Digits are relative to the largest coordinate. work: n doubles. */
double ball_project(double *w, int64_t n, double k, double r, double *work);

/* The maximum of <s, w>, and in w (if not NULL) where it is taken; k = 0: r ||s||_inf, at the first
 * coordinate of the largest size. s = 0: w = 0. */
double ball_support(const double *s, int64_t n, double k, double r, double *w);

#endif
