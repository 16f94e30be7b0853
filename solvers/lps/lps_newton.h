/* lps_newton.h - Newton steps of the reduced problem of lps. */
#ifndef RRM_LPS_NEWTON_H
#define RRM_LPS_NEWTON_H

#include "solvers/lps/lps_reduced.h"

/* Makes Newton steps within the orthant of the point, at most `max_steps`. They end when a step does not
 * lower J, or lowers it by no more than this part of what all steps before it did. Returns how many lowered
 * J, or -1 with the error set. */
int lps_newton_steps(struct lps_reduced *reduced, struct lps_point *point, double fraction,
                     int max_steps, struct error *e);

#endif
