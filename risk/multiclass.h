/* multiclass.h - multiclass risks with one weight vector per class. With scores u_k = <w_k, x> of the K classes and
 * the true class y,
 *
 *     crammer-singer   l = max_k [k != y] + u_k - u_y
 *     softmax          l = log sum_k exp(u_k) - u_y
 *
 * crammer-singer is smoothed by an entropy over the classes, with z_k = [k != y] + u_k - u_y:
 *
 *     l_mu = mu (log sum_k exp(z_k/mu) - log K),   l - mu log K <= l_mu <= l,
 *
 * With p_k = exp(z_k/mu) / sum, the gradient is p - e_y and the constant of the linearization sum_(k != y) p_k, as l
 * is the maximum of the linear functions z_k and p averages them. If several z_k are maximal, the subgradient of l
 * takes the true class, else the first: it involves at most two classes, so that an item's update costs twice its
 * nonzeros. softmax is smooth.
 *
 * The norm of a subgradient is at most sqrt(2) ||x||. -<w, subgradient> is at most 1 for crammer-singer, and
 * W((K - 1)/e), Lambert's function, for softmax: with the probability of y fixed it is largest where the
 * others' are equal, t (K - 1)/(exp(t) + K - 1) for u_y - u_k = t, whose maximum over t is where
 * (t - 1) exp(t - 1) = (K - 1)/e, and is t - 1 there.
 *
 * With offsets, u_k = <w_k, x> + b_k; the b_k are the last weights and are not regularized (class_offsets.h finds
 * them); ||x||^2 is then larger by 1.
 *
 * References: Crammer & Singer 2001, JMLR 2, equation (3); Smola, Vishwanathan & Le 2008, Table 5.
 * Evaluation: O(rows K) in addition to the scores. */
#ifndef RRM_MULTICLASS_H
#define RRM_MULTICLASS_H

#include "risk/risk_table.h"

/* NULL with the error set. */
struct risk *crammer_singer_risk_new(const struct risk_settings *settings, struct error *e);
struct risk *softmax_risk_new(const struct risk_settings *settings, struct error *e);

/* W((K - 1)/e) */
double softmax_norm_bound(int64_t classes);

#endif
