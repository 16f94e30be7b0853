/* rda_plus.h - the settings of rda+, and its first phase. See rda_plus.c. */
#ifndef RRM_RDA_PLUS_H
#define RRM_RDA_PLUS_H

#include "solvers/lps/lps.h"

enum { RDA_PLUS_PASSES = 10 }; /* of phase 1, at most */

struct rda_plus_settings {
    double gamma;   /* 0: by gamma_search */
    int beta;       /* enum averaging_beta */
    int slope;      /* enum averaging_slope */
    int64_t settle; /* phase 1 ends after so many iterates of one sign pattern */
    double give_up; /* phase 1 ends without a pattern when it changed in more than this fraction of
                     * the last `settle` iterates of a pass; 1: never */
    double rho;     /* a component at 0 is on the manifold when its mean gradient is > rho l1 */
    struct lps_settings lps;
};

/* Phase 1, from w = 0. w receives the last iterate (or a better point if a limit ended the run), `subset`
 * (dimension flags) the components of the expanded manifold. The outcome is that of averaging_run, with
 * VERDICT_STALLED when phase 1 gave up. 0, or -1 with the error set. */
int rda_plus_identify(const struct solve *solve, bool *subset, struct error *e);

#endif
