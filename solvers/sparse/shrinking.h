/* shrinking.h - the loop of sgd, tg and fobos: a subgradient step of the loss, and the penalty's.
 *
 *     w <- w - alpha_t g_t,   alpha_t = (1/gamma) sqrt(2/t),   g_t a mean over the batch
 *
 * and, by the method, the penalty l1 ||w||_1 + l2/2 ||w||^2 at every step or every K-th (lazy.h). An
 * unregularized offset takes the first step alone. The mean of the iterates is that of w_2 .. w_{t+1}.
 *
 * gamma stands for G/D, a gradient's length over the distance of the optimum (Lee 2011, section 2.6.2
 * and appendix A.3), and is the one of rda with the thesis's h(w) = ||w||^2, half of ours. */
#ifndef RRM_SHRINKING_H
#define RRM_SHRINKING_H

#include "solvers/sparse/sparse.h"

struct shrinking_rule {
    const struct solver *solver; /* whose rule it is */
    bool subgradient; /* of the penalty, at w_t; else its proximal step, after that of the loss */
    int64_t every;    /* K: proximal steps at multiples of K, K times as long */
    double theta;     /* proximal steps where |w_i| <= theta only */
};

/* As struct solver's train, from w. The options begin with struct sparse_settings, and are the solver's. */
int shrinking_train(const struct solve *solve, const struct shrinking_rule *rule, struct error *e);

#endif
