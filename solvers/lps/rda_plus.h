/* rda_plus.h - the settings of rda+, and its first phase. See rda_plus.c. */
#ifndef RRM_RDA_PLUS_H
#define RRM_RDA_PLUS_H

#include "solvers/lps/lps.h"

enum { RDA_PLUS_PASSES = 10 }; /* of phase 1, at most */

struct rda_plus_settings {
    double gamma;   /* 0: by gamma_search */
    int beta;       /* enum averaging_beta */
    int64_t settle; /* iterates of one sign pattern that end phase 1 */
    double
        give_up; /* part of the last `settle` iterates of a pass: when the pattern changed in more
                       of them, phase 1 ends without one; 1: never */
    double rho;  /* a component at 0 is on the manifold when its mean gradient is > rho l1 */
    struct lps_settings lps;
};

/* Phase 1, from 0: leaves the last iterate in w (or a better point, when a limit came first) and the
 * expanded manifold's components in `subset` (dimension flags). The outcome is that of averaging_run, its
 * verdict VERDICT_STALLED when phase 1 gave up. 0, or -1 with the error set. */
int rda_plus_identify(const struct solve *solve, bool *subset, struct error *e);

#endif
