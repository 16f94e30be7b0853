/* shrinking.h - the loop of sgd, tg and fobos: a step along the loss's subgradient and one for the penalty.
 *
 *     w <- w - alpha_t g_t,   alpha_t = (1/gamma) sqrt(2/t),   g_t a mean over the batch
 *
 * The penalty l1 ||w||_1 + l2/2 ||w||^2 shrinks the weights at every step or at every K-th, by the rule of
 * the method (lazy.h). An unregularized offset has the first step only. The mean of the iterates is that
 * of w_2 .. w_{t+1}.
 *
 * gamma stands for G/D, a gradient's length over the distance of the optimum (Lee 2011, section 2.6.2
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
