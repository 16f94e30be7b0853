/* trial_fixture.h - the trials that go before a solver. */
#ifndef RRM_TRIAL_FIXTURE_H
#define RRM_TRIAL_FIXTURE_H

#include "tests/training/defaults/default_request_fixture.h"
#include "training/defaults/default_trial.h"

static inline struct trial first_trial(const struct default_request *request, const char *chosen) {
    struct trial trials[TRIALS_MOST];
    default_trials(request, solver_by_name(chosen), trials);
    return trials[0];
}

static inline struct trial trial_of(const struct default_request *request, const char *chosen,
                                    const char *name) {
    struct trial trials[TRIALS_MOST];
    default_trials(request, solver_by_name(chosen), trials);
    for (int i = 0; i < TRIALS_MOST; i++)
        if (trials[i].solver == solver_by_name(name))
            return trials[i];
    fail_msg("no trial of %s", name);
    return trials[0];
}

static inline bool tries(const struct default_request *request, const char *chosen,
                         const char *name) {
    struct trial trials[TRIALS_MOST];
    default_trials(request, solver_by_name(chosen), trials);
    for (int i = 0; i < TRIALS_MOST; i++)
        if (trials[i].solver == solver_by_name(name))
            return true;
    return false;
}

#endif
