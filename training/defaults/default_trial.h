/* default_trial.h - whether another solver is tried before the default one. */
#ifndef RRM_DEFAULT_TRIAL_H
#define RRM_DEFAULT_TRIAL_H

#include "training/defaults/default_solver.h"
#include "training/request/request.h"

/* When there is one, for the help: a line of its own after the rules. */
extern const char default_trial_when[];

/* The trial before CHOSEN, the default solver of this choice. */
struct trial default_trial(const struct choice *choice, const struct solver *chosen);

#endif
