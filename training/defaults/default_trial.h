/* default_trial.h - which other solvers are tried before the default one. */
#ifndef RRM_DEFAULT_TRIAL_H
#define RRM_DEFAULT_TRIAL_H

#include "training/defaults/default_solver.h"
#include "training/request/request.h"

/* When there are any, for the help: lines of their own after the rules. */
extern const char default_trial_when_dcd[], default_trial_when_proximal[];

/* The trials before CHOSEN, the default solver of this choice. */
struct trials default_trials(const struct choice *choice, const struct solver *chosen);

#endif
