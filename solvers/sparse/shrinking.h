/* shrinking.h - the loop of sgd, tg and fobos: a step along the loss's subgradient and one for the penalty.
 *
 *     w <- w - alpha_t g_t,   g_t a mean over the batch
 *
 *     --step sqrt      alpha_t = (1/gamma) sqrt(2/t), g_t at w: the papers' steps
 *     --step anneal    alpha_t = (1/gamma) 1000^(-(t - 1)/T), T the steps that -p allows, and an example's g_t at the
 *                      score that the step itself leads to: g = l'(u - alpha_t ||x||^2 g) x, which is the derivative
 *                      of the smoothed loss with mu = alpha_t ||x||^2 at u (the proximal step of the loss)
 *
 * The second rule is the default. It is not from the papers. Steps of size 1/sqrt(t) are still so long after 20 passes
 * that the noise of single examples keeps J up; shorter ones from the start do not get to the optimum in this time.
 * The proximal step cannot overshoot, so that examples of very different lengths do no harm and a gamma that is ten
 * times too small costs little. It keeps the squared hinge from diverging. At l1 = 1e-4, after
 * 20 passes, per cent above the optimum, sqrt and anneal, each with its own automatic gamma (fobos):
 *
 *                     hinge        squared hinge    logistic
 *     reuters21578    15.6  3.3    24.8   3.6       9.6   0.7
 *     news20          77    16     3e6   12         44    4.0
 *
 * A sample's runs have fewer steps, so they take longer ones: gamma is multiplied by the square root of the rows over
 * those of the sample. On 12 sets and losses J was lower by it on 11, by 1.4 % at most, and 1 % higher on spambase; on
 * covtype, in two passes, 10 % lower. For --step sqrt and rda the sample's gamma is as good or better.
 *
 * With the best gamma this rule comes to 15.4 % on news20 with the hinge, and with four times the passes to 4.9 %. In
 * 20 passes nothing that was tried came closer than 13.9 %: a linear, quadratic or cubic fall of the steps, epochs of
 * doubled length, thresholds that accumulate as those of dual averaging do, steps of its own for each feature.
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

/* As struct solver's train, from w. The options begin with struct sparse_settings, and are the solver's. */
int shrinking_train(const struct solve *solve, const struct shrinking_rule *rule, struct error *e);

#endif
