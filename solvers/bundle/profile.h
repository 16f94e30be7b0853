/* profile.h - the risk as a function of the regularized weights alone, minimized over the offset:
 *
 *     P(w) = min over b of R(w, b),
 *
 * which is convex. At a minimizer b(w), R has a subgradient (s, 0), and P(v) >= <s,v> + t with
 * t = P(w) - <s,w>. So a method that only uses values and linearizations can train an unregularized offset.
 *
 * For a risk with scores, risk/offset.h finds b, and s = sum_i p_i a_i x_i, t = -sum_i p_i l*(a_i, y_i). The
 * a_i are between the left and right derivatives of the losses at u_i + b, with sum_i p_i a_i = 0. Such an
 * (s, t) is below P for any a_i in the domains of l*, so that rounding makes the linearization less tight,
 * but not wrong. Other risks have a `profile` function of their own (risk.h).
 *
 * Reference: partial minimization, as Smola, Vishwanathan & Le 2008, page 2, suggest for the offset. */
#ifndef RRM_PROFILE_H
#define RRM_PROFILE_H

#include "risk/offset.h"
#include "solvers/solver.h"

struct profile {
    const struct risk *risk;
    struct offset offset;
    double *score, *dual, *low, *high; /* rows: u_i; a_i; the bounds of the domain of l* */
    bool linearized; /* there was a linearization: the search for its offsets continues from them */
};

/* 0, or -1 with the error set; to be freed in either case. Empty where all weights are regularized. */
int profile_init(struct profile *profile, const struct risk *risk, struct error *e);
void profile_free(struct profile *profile);

/* Lists what the search for the next offset begins from. */
void profile_visit(struct profile *profile, struct state *state);

/* Returns R(w), a subgradient g and t with R(v) >= <g,v> + t for all v. Unregularized weights of w are first
 * set to a minimizer of R, and g is 0 there. With several offsets R(w) may be above the minimum and above the
 * linearization by SLACK > 0. One pass. */
double profile_linearize(struct profile *profile, double *w, double slack, double *gradient,
                         double *constant);

#endif
