/* profile.h - the risk as a function of the regularized weights alone, the offset being where R is least:
 *
 *     P(w) = min over b of R(w, b),
 *
 * which is convex. At a minimizer b(w) R has a subgradient (s, 0), and P(v) >= <s,v> + t, t = P(w) - <s,w>.
 * So a method that needs nothing but values and linearizations trains an unregularized offset with no change.
 *
 * Of a risk with scores b is that of risk/offset.h, and s = sum_i p_i a_i x_i, t = -sum_i p_i l*(a_i, y_i),
 * where the a_i are between the derivatives of the losses on both sides of u_i + b, and sum_i p_i a_i = 0: (s, t)
 * is below P for any a_i in the domains, so that rounding costs tightness, not truth. Other risks have a
 * `profile` of their own (risk.h).
 *
 * Reference: partial minimization; Smola, Vishwanathan & Le 2008, page 2, leave the offset to it. */
#ifndef RRM_PROFILE_H
#define RRM_PROFILE_H

#include "risk/offset.h"
#include "solvers/solver.h"

struct profile {
    const struct risk *risk;
    struct offset offset;
    double *score, *dual, *low, *high; /* rows: u; a_i; the domains */
    bool begun; /* there was a linearization: searches may go on from its offsets */
};

/* 0, or -1 with the error set; to be freed in either case. Empty where all weights are regularized. */
int profile_init(struct profile *profile, const struct risk *risk, struct error *e);
void profile_free(struct profile *profile);

/* R(w), a subgradient and t with R(v) >= <g,v> + t for all v. Weights of w that are not regularized are first
 * moved to where R is least, and g is 0 there; of several offsets that may be so but for SLACK > 0, by which R(w)
 * may be above the least and above the linearization. One pass. */
double profile_linearize(struct profile *profile, double *w, double slack, double *gradient,
                         double *constant);

#endif
