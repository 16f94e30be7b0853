/* trial_run.c - a solver that goes before that of the request. */
#include "training/classes/trial_run.h"

#include <math.h>
#include <string.h>

static void visit(struct state *state, void *context) {
    struct trial_run *run = context;
    run->over = state_flag(state, run->over);
    outcome_visit(&run->outcome, state);
    if (!run->over)
        return;
    STATE_REALS(state, &run->best->objective);
    state_doubles(state, run->best->w, run->best->count);
}

/* With the limits of the trial. */
static int run_limited(const struct training *t, const struct trial *trial,
                       const struct solve *solve, struct outcome *outcome, struct error *e) {
    const struct option_group *options = request_group(t->request, trial->solver->name);
    struct monitor *monitor = solve->monitor;
    struct run_settings run = *solve->run;
    struct solve limited = *solve;
    double passes = monitor->settings.passes;
    limited.options = options != NULL ? options->settings : NULL;
    limited.outcome = outcome;
    limited.run = &run;
    run.passes = trial->passes;
    run.warm = trial->warm;
    monitor->settings.passes = fmin(passes, trial->passes);
    monitor->allowed = trial->allowed;
    int status = trial->solver->train(&limited, e);
    monitor->allowed = NULL;
    monitor->settings.passes = passes;
    return status;
}

static void keep_best(struct trial_best *best, const struct solve *solve, double objective) {
    if (objective >= best->objective)
        return;
    best->objective = objective;
    memcpy(best->w, solve->w, sizeof *best->w * (size_t)best->count);
}

int trial_run(const struct training *t, const struct trial *trial, const struct solve *solve,
              struct trial_best *best, struct trial_run *run, struct error *e) {
    *run = (struct trial_run){.outcome = {.bound = -INFINITY}, .best = best};
    if (monitor_enter(solve->monitor, visit, run, e) == CHECKPOINT_REFUSED)
        return -1;
    if (run->over)
        return 0;
    int depth = monitor_depth(solve->monitor);
    int status = run_limited(t, trial, solve, &run->outcome, e);
    monitor_leave(solve->monitor, depth);
    enum verdict verdict = run->outcome.verdict;
    run->over =
        verdict == VERDICT_PASSES || verdict == VERDICT_STALLED || verdict == VERDICT_SETTLED;
    if (run->over)
        keep_best(best, solve, run->outcome.objective);
    return status;
}

void trial_run_start(const struct trial *trial, const struct trial_best *best, double *w) {
    size_t size = sizeof *w * (size_t)best->count;
    if (trial->warm && isfinite(best->objective))
        memcpy(w, best->w, size);
    else
        memset(w, 0, size);
}

bool trial_run_decides(const struct trial *trial, const struct trial_run *run) {
    return trial->decides &&
           (run->outcome.verdict == VERDICT_SETTLED || run->outcome.passes >= trial->passes);
}

void trial_run_add(const struct trial_run *run, struct outcome *outcome) {
    outcome->passes += run->outcome.passes;
    outcome->iterations += run->outcome.iterations;
    outcome->bound = fmax(outcome->bound, fmin(run->outcome.bound, outcome->objective));
}
