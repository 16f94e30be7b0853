/* multiclass.h - risks of one weight vector a class, trained together. With scores u_k = <w_k, x> of the
 * K classes and the class y,
 *
 *     crammer-singer   l = max_k [k != y] + u_k - u_y
 *     softmax          l = log sum_k exp(u_k) - u_y
 *
 * The first is smoothed by an entropy over the classes, for z_k = [k != y] + u_k - u_y
 *
 *     l_mu = mu (log sum_k exp(z_k/mu) - log K),   l - mu log K <= l_mu <= l,
 *
 * with p_k = exp(z_k/mu) / sum the gradient p - e_y, and the constant sum_(k != y) p_k: p averages the
 * linear functions z whose maximum l is. Of equal z its subgradient takes the true class, else the first: at
 * most two classes, so that an item's update costs twice its nonzeros. The second is smooth.
 *
 * Subgradients are at most sqrt(2) ||x|| long. -<w, subgradient> is at most 1 for crammer-singer, and
 * W((K - 1)/e), Lambert's function, for softmax: with the probability of y fixed it is largest where the
 * others' are equal, t (K - 1)/(exp(t) + K - 1) for u_y - u_k = t, whose maximum over t is where
 * (t - 1) exp(t - 1) = (K - 1)/e, and is t - 1 there.
 *
 * With an offset u_k = <w_k, x> + b_k, the b_k last among the weights and not regularized (class_offsets.h finds
 * them); ||x||^2 then counts 1 more.
 *
 * References: Crammer & Singer 2001, JMLR 2, equation (3); Smola, Vishwanathan & Le 2008, Table 5.
 * Evaluation: rows x K beyond the products. */
#ifndef RRM_MULTICLASS_H
#define RRM_MULTICLASS_H

#include "risk/risk_table.h"

/* NULL with the error set. */
struct risk *crammer_singer_risk_new(const struct risk_settings *settings, struct error *e);
struct risk *softmax_risk_new(const struct risk_settings *settings, struct error *e);

/* W((K - 1)/e) */
double softmax_pull(int64_t classes);

#endif
