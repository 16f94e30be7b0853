/* default_solver.h - the solver of a run that names none (-s): the one measured fastest to a
 * certified gap of 1e-3, by loss, regularizer and the shape of the data. */
#ifndef RRM_DEFAULT_SOLVER_H
#define RRM_DEFAULT_SOLVER_H

#include "training/defaults/default_rules.h"

/* The first solver of the rules that suits and can do what is asked for; when there is none, the
 * first of all solvers that can; NULL when none can, which does not depend on the data. */
const struct solver *default_solver(const struct default_request *request);

/* The rule that chooses; NULL when none applies. */
const struct default_rule *default_solver_rule(const struct default_request *request);

/* The rules of a family, counted from 0, in the order in which they are asked; NULL behind the last one. */
const struct default_rules *default_solver_rules(int family);

#endif
