/* lps_newton.h - Newton steps of the reduced problem of lps. */
#ifndef RRM_LPS_NEWTON_H
#define RRM_LPS_NEWTON_H

#include "solvers/lps/lps_reduced.h"

/* Newton steps within the orthant of the point, until one lowers J by at most this part of what those
 * before it did, or not at all, or there were `most`. Returns how many lowered J, or -1 with the error
 * set. */
int lps_newton_steps(struct lps_reduced *reduced, struct lps_point *point, double part, int most,
                     struct error *e);

#endif
