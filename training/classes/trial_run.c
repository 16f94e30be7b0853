/* trial_run.c - the solvers that go before that of the request. */
#include "training/classes/trial_run.h"

#include <math.h>

static void visit(struct state *state, void *context) {
    struct trial_run *run = context;
    run->over = (int)state_integer(state, run->over, 0, run->count);
    outcome_visit(&run->outcome, state);
}

int trial_run_enter(const struct training *t, const struct solve *solve, struct trial_run *run,
                    struct error *e) {
    *run = (struct trial_run){.outcome = {.bound = -INFINITY}};
    if (solve->run->warm || t->request->trials.count == 0)
        return 0;
    run->count = t->request->trials.count;
    return monitor_enter(solve->monitor, visit, run, e) == CHECKPOINT_REFUSED ? -1 : 0;
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
    monitor->settings.passes = fmin(passes, trial->passes);
    monitor->allowed = trial->allowed;
    int status = trial->solver->train(&limited, e);
    monitor->allowed = NULL;
    monitor->settings.passes = passes;
    return status;
}

int trial_run(const struct training *t, const struct solve *solve, struct trial_run *run,
              struct error *e) {
    struct outcome outcome = {.bound = -INFINITY};
    int depth = monitor_depth(solve->monitor);
    int status = run_limited(t, &t->request->trials.trial[run->over], solve, &outcome, e);
    monitor_leave(solve->monitor, depth);
    trial_run_add(run, &outcome);
    run->outcome = outcome;
    enum verdict verdict = outcome.verdict;
    run->enough =
        verdict != VERDICT_PASSES && verdict != VERDICT_STALLED && verdict != VERDICT_SETTLED;
    run->over += !run->enough;
    return status;
}

void trial_run_add(const struct trial_run *run, struct outcome *outcome) {
    outcome->passes += run->outcome.passes;
    outcome->iterations += run->outcome.iterations;
    outcome->bound = fmax(outcome->bound, fmin(run->outcome.bound, outcome->objective));
}
