/* shrinking.h - the loop of sgd, tg and fobos: a step along the loss's subgradient and one for the penalty.
 *
 *     w <- w - alpha_t g_t,   g_t a mean over the batch
 *
 *     --step sqrt      alpha_t = (1/gamma) sqrt(2/t), g_t at w: the papers' steps
 *     --step anneal    alpha_t = (1/gamma) 1000^(-(t - 1)/T), T the steps that -p allows, and an example's g_t at the
 *                      score that the step itself leads to: g = l'(u - alpha_t ||x||^2 g) x, which is the derivative
 *                      of the smoothed loss with mu = alpha_t ||x||^2 at u (the proximal step of the loss)
 *
 *     --step corrected alpha_t = (1/gamma) (1 - (t - 1)/T), and in place of g_t the step has g_t - a_i x_i + h, where
 *                      a_i is the latest derivative of the drawn example's loss (at first 0), and h the mean of all
 *                      a_i x_i; the derivative g in g_t = g x is that at the score u - alpha_t ||x||^2 (g - a_i)
 *
 * The last rule is the default, but for --output average and --theta, which have anneal. Rules two and three are not
 * from the papers. Steps of size 1/sqrt(t) are still so long after 20 passes that the noise of single examples keeps J
 * up; shorter ones from the start do not get to the optimum in this time. The proximal step cannot overshoot, so that
 * examples of very different lengths do no harm. The corrected step has the mean of all gradients in it, and near the
 * optimum no noise: its length may stay what it is until late. It needs 8 bytes for each example and feature more. h
 * acts with the penalty: on all weights, and lazily (lazy.h); of tg at every K-th step. See Defazio, Bach &
 * Lacoste-Julien 2014, *SAGA*, for the correction; Defazio 2016, *A simple practical accelerated method for finite
 * sums*, for its proximal step; Zamani & Glineur 2023 for the linear fall.
 *
 * A sample's runs have fewer steps, so they take longer ones: for the rules with proximal steps, gamma is multiplied by
 * the square root of the rows over those of the sample.
 *
 * The penalty l1 ||w||_1 + l2/2 ||w||^2 shrinks the weights at every step or at every K-th, by the rule of
 * the method (lazy.h). An unregularized offset has the first step only. The mean of the iterates is that
 * of w_2 .. w_{t+1}.
 *
 * With --step sqrt, gamma stands for G/D, a gradient's length over the distance of the optimum (Lee 2011, section 2.6.2
 * and appendix A.3). It is rda's gamma with the thesis's h(w) = ||w||^2, half of the one in averaging.h. */
#ifndef RRM_SHRINKING_H
#define RRM_SHRINKING_H

#include "solvers/sparse/sparse.h"

struct shrinking_rule {
    const struct solver *solver; /* the solver that has this rule */
    bool subgradient;            /* the penalty's subgradient at w_t, or else its proximal step */
    int64_t every; /* K: the penalty acts at the multiples of K, with steps K times as long */
    double theta;  /* proximal steps act on |w_i| <= theta only; infinite: on all */
};

/* 0, or a usage error: corrected steps have no mean of the iterates. */
int shrinking_check(const struct solver_request *request, struct error *e);

/* As struct solver's train, from w. The options begin with struct sparse_settings, and are the solver's. */
int shrinking_train(const struct solve *solve, const struct shrinking_rule *rule, struct error *e);

#endif
