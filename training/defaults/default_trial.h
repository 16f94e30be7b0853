/* default_trial.h - which solvers are tried before the default one. */
#ifndef RRM_DEFAULT_TRIAL_H
#define RRM_DEFAULT_TRIAL_H

#include "training/defaults/default_solver.h"
#include "training/request/request.h"

/* When there are some, for the help: lines of their own after the rules. */
extern const char default_trial_of_proximal[], default_trial_of_lbfgs[], default_trial_of_planes[],
    default_trial_of_dcd[], default_trial_of_cuts[], default_trial_of_chosen_dcd[],
    default_trial_of_agm[];

/* The trials before CHOSEN, the default solver of this request; those without a solver are none. Returns the solver
 * that follows them: CHOSEN, or an interior point (of a smooth loss, lbfgs) if CHOSEN is the last trial, which is to
 * end where it takes long. */
const struct solver *default_trials(const struct default_request *request,
                                    const struct solver *chosen, struct trial trials[TRIALS_MOST]);

#endif
