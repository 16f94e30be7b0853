/* trial_run.h - a solver that goes before that of the request (struct trial). */
#ifndef RRM_TRIAL_RUN_H
#define RRM_TRIAL_RUN_H

#include "training/classes/training.h"

/* The best point of the trials so far, where the next solver starts. */
struct trial_best {
    double *w; /* COUNT numbers of the caller's */
    int64_t count;
    double objective; /* infinite before the first trial */
};

struct trial_run {
    /* it left the rest to the next solver; otherwise it ended as a run without a trial's limits would */
    bool over;
    struct outcome outcome;
    struct trial_best *best;
};

/* Runs a trial from w; this becomes its best point, and if the trial is over, so does BEST, unless that is better. A
 * level of the checkpoint. 0, or -1 with the error set. */
int trial_run(const struct training *training, const struct trial *trial, const struct solve *solve,
              struct trial_best *best, struct trial_run *run, struct error *e);

/* Sets w (best->count numbers) to where the trial starts: 0, or the best before it if it is warm and there is one. */
void trial_run_start(const struct trial *trial, const struct trial_best *best, double *w);

/* Whether a trial that is over leaves the rest to the solver of the request, not to a further trial. */
bool trial_run_decides(const struct trial *trial, const struct trial_run *run);

/* Adds what the trial took, and its bound, to the outcome of the run that followed. */
void trial_run_add(const struct trial_run *run, struct outcome *outcome);

#endif
