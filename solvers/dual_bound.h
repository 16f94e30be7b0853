/* dual_bound.h - lower bounds of min J from dual variables of a scalar risk.
 *
 * For any a with a_i in the domain of l*(., y_i), R(w) >= <s,w> + t with
 *
 *     s = sum_i p_i a_i x_i,   t = -sum_i p_i l*(a_i, y_i),   p_i = c_i / sum c
 *
 * and (s, t) bounds min J from below (certificate.h). With an unregularized offset s_0 =
 * sum p_i a_i must be 0 first; for regression all a_i are shifted by one number and clipped to
 * their domains until it is, nearly; then, for all losses, the side whose sum is larger (a_i > 0 or
 * a_i < 0: for classification a class) is shrunken by one factor. The domains are intervals that
 * hold 0, so that nothing leaves them. Once s_0 is 0, t is the same for targets that are all moved
 * by one number, and is summed with their mean at 0.
 *
 * For l1 the slope must be within [-lambda, lambda]: all a_i are shrunk by one factor until it is.
 *
 * Sums over rows are cut into the blocks of the design: the same bound for any number of
 * threads. They are those of all processes (io/communicator.h), each with the a of its own rows. */
#ifndef RRM_DUAL_BOUND_H
#define RRM_DUAL_BOUND_H

#include "solvers/solver.h"

/* t, and s in `slope` (the risk's dimension), of the dual variables a (rows), which are projected to their
 * domains, balanced, and then overwritten by c_i a_i; *centre is subtracted from the targets. One pass over
 * the data. */
double dual_linearize(const struct risk *risk, double *a, double *slope, double *centre);

/* The same before the last sums over the processes: the slope of this process's rows, and returned the sum over them of
 * c_i l*(a_i, y_i), which is -t times the sum of all weights. */
double dual_linearize_own(const struct risk *risk, double *a, double *slope, double *centre);

/* A lower bound of min J by the dual variables a (rows), which are projected to their domains,
 * balanced, and then overwritten. `slope` is scratch memory for the risk's dimension. Only for risks with
 * `scalar` parts. One pass over the data. */
double dual_bound(const struct problem *problem, double *a, double *slope);

/* The same when (s, t) are known, s without a part on an offset, with targets taken from CENTRE: a holds c_i a_i, each
 * a_i in its domain. No pass over the data, at most one over the rows. */
double dual_bound_known(const struct problem *problem, const double *a, const double *slope,
                        double t, double centre);

/* t = -sum_i p_i l*(a_i, y_i), where a holds c_i a_i, clipped to their domains (what rounding took out
 * of them); and in *squares sum_i p_i each_i a_i^2 (each NULL: all are 1). */
double dual_constant(const struct scalar_terms *terms, const double *a, const double *each,
                     double *squares);

/* a_i = a subderivative of the loss at u_i; a may be u. */
void dual_from_scores(const struct scalar_terms *terms, const double *u, double *a);

#endif
