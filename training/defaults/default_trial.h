/* default_trial.h - which solvers are tried before the default one. */
#ifndef RRM_DEFAULT_TRIAL_H
#define RRM_DEFAULT_TRIAL_H

#include "training/defaults/default_solver.h"
#include "training/request/request.h"

/* When there are some, for the help: a sentence after the rules, and lines of a solver each; *count of them. */
struct default_trial {
    const char *solver, *when;
};

extern const char default_trials_when[];
const struct default_trial *default_trials_of_help(int *count);

/* The trials before CHOSEN, the default solver of this request; those without a solver are none. Returns the solver
 * that follows them: CHOSEN, or an interior point (of a smooth loss, lbfgs) if CHOSEN is the last trial, which is to
 * end where it takes long. */
const struct solver *default_trials(const struct default_request *request,
                                    const struct solver *chosen, struct trial trials[TRIALS_MOST]);

#endif
