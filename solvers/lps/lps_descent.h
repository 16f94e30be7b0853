/* lps_descent.h - the Newton step of lps where the Hessian is not formed: coordinate descent on the model.
 *
 * It works on a copy, by columns, of the rows with d_i > 0. At small lambda few rows of nearly separable
 * data have d_i > 0. */
#ifndef RRM_LPS_DESCENT_H
#define RRM_LPS_DESCENT_H

#include "solvers/lps/lps_descent_work.h"
#include "solvers/lps/lps_reduced.h"

void lps_descent_free(struct lps_descent *descent);

/* Nonzeros of the rows with d_i > 0, d = reduced->d. */
int64_t lps_descent_entries(const struct lps_reduced *reduced);

/* Whether steps change signs: with the squared loss J is quadratic but for the 1-norm, and coordinate descent
 * minimizes it as it is (the lasso). */
bool lps_descent_crosses(const struct lps_reduced *reduced);

/* Computes reduced->step within its bounds low and high, and the decrease of J that the model predicts. The
 * model is given by reduced->d, diagonal, slope and damping. For losses with a quadratic conjugate it has
 * the losses' kinks, and is J itself on its rows; for others it is of second order. 0, or -1 with the error
 * set. */
int lps_descent_step(struct lps_reduced *reduced, const struct lps_point *point, double tolerance,
                     double *decrease, struct error *e);

#endif
