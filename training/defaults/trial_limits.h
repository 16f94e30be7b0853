/* trial_limits.h - after how many passes a trial ends, as its latest report says (struct trial; default_trial.c).
 *
 * PASSES is the most that the trial may take. A function returns the number of passes after which the trial ends: it
 * ends at once if this is below the passes so far, and goes on if it is INFINITY. */
#ifndef RRM_TRIAL_LIMITS_H
#define RRM_TRIAL_LIMITS_H

#include "solvers/monitor.h"

/* How many times the usual number of passes dcd may take where its end is near (its bound hardly rises), and where it
 * is in sight (its bound rises no more, or its gap is small). Its PASSES are TRIAL_MORE_IF_SEEN times the usual number.
 * */
enum { TRIAL_MORE_IF_NEAR = 2, TRIAL_MORE_IF_SEEN = 3 };

/* Of dcd: before a default solver of which little is known; of one that takes long; by the loss; where it is the
 * default itself. */
double trial_limit_usual(const struct report *report, double passes);
double trial_limit_if_long(const struct report *report, double passes);
double trial_limit_of_hinge(const struct report *report, double passes);
double trial_limit_of_kinks(const struct report *report, double passes);
double trial_limit_of_squared_hinge(const struct report *report, double passes);
double trial_limit_if_near(const struct report *report, double passes);

/* Of other solvers before the default one. PASSES are about what that takes. */
double trial_limit_of_lbfgs(const struct report *report, double passes);
double trial_limit_of_lbfgs_before_dcd(const struct report *report, double passes);
double trial_limit_of_lbfgs_before_planes(const struct report *report, double passes);
double trial_limit_of_sdca(const struct report *report, double passes);
double trial_limit_of_planes(const struct report *report, double passes);
double trial_limit_of_cuts(const struct report *report, double passes);
double trial_limit_of_agm(const struct report *report, double passes);
double trial_limit_of_proximal(const struct report *report, double passes);

/* Of planes that are the default: PASSES are TRIAL_MORE_IF_NEAR times the usual number. */
double trial_limit_of_chosen(const struct report *report, double passes);

#endif
