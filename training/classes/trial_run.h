/* trial_run.h - the solvers that go before that of the request (struct trial). */
#ifndef RRM_TRIAL_RUN_H
#define RRM_TRIAL_RUN_H

#include "training/classes/training.h"

struct trial_run {
    bool
        enough; /* the last one ended as a run without a trial's limits would: nothing is left to do */
    int count;              /* of the trials; 0 where w = 0 is not the start */
    int over;               /* those that left the rest to the next */
    struct outcome outcome; /* of the last one, with the passes of all and the largest bound */
};

/* Enters a level of the checkpoint, if the request has trials and w = 0 is the start. 0, or -1 with the error set. */
int trial_run_enter(const struct training *training, const struct solve *solve,
                    struct trial_run *run, struct error *e);

/* Whether there is a further trial. */
static inline bool trial_run_is_next(const struct trial_run *run) {
    return !run->enough && run->over < run->count;
}

/* Runs it; w becomes its best point. 0, or -1 with the error set. */
int trial_run(const struct training *training, const struct solve *solve, struct trial_run *run,
              struct error *e);

/* Adds what the trials took, and their bound, to the outcome of the run that followed. */
void trial_run_add(const struct trial_run *run, struct outcome *outcome);

#endif
