/* bundle_run.c - the linearization, the report and the end of a bundle method's run. */
#include "solvers/bundle/bundle_run.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reports without a change of J or the bound after which a run has stalled. Proximal steps may need hundreds
 * to improve one of them. */
enum { MAX_UNCHANGED_REPORTS = 500 };

enum { MAX_IDLE = 100 }; /* programs that a plane may be without weight before it is dropped */

int bundle_run_init(struct bundle_run *run, const struct solve *solve, struct error *e) {
    const struct problem *problem = solve->problem;
    int64_t n = problem->risk->dimension;
    *run = (struct bundle_run){0};
    batch_begin(&run->batch, problem, solve->monitor, solve->w);
    run->point = memory_new(n, sizeof *run->point, "the point", e);
    run->slope = memory_new(n, sizeof *run->slope, "the subgradient", e);
    if (certificate_init(&run->certificate, problem, e) != 0 || run->point == NULL ||
        run->slope == NULL || profile_init(&run->profile, problem->risk, e) != 0)
        return -1;
    if (isfinite(problem_penalty(problem, solve->w)))
        memcpy(run->point, solve->w, sizeof *run->point * (size_t)n);
    else
        problem_minimizer(problem, run->certificate.slope, run->point);
    return 0;
}

void bundle_run_free(struct bundle_run *run) {
    certificate_free(&run->certificate);
    profile_free(&run->profile);
    free(run->point);
    free(run->slope);
}

/* The accuracy of the risk where several offsets are minimized over: a part of the gap. */
static double offset_slack(const struct bundle_run *run) {
    static const double gap_fraction = 0.05, min_fraction = 1e-12;
    double gap = run->batch.objective - run->batch.bound;
    return isfinite(gap) ? fmax(gap_fraction * gap, min_fraction * run->batch.objective)
                         : gap_fraction;
}

bool bundle_run_linearize(struct bundle_run *run) {
    const struct problem *problem = run->batch.problem;
    run->risk =
        profile_linearize(&run->profile, run->point, offset_slack(run), run->slope, &run->constant);
    run->batch.passes++;
    run->objective = run->risk + problem_penalty(problem, run->point);
    if (!isfinite(run->objective) || !isfinite(run->constant)) {
        batch_stall(&run->batch);
        return false;
    }
    batch_offer(&run->batch, run->point, run->objective);
    return true;
}

/* What trains the same problem without planes. */
static const char *remedy_without_planes(const struct batch *batch) {
    const struct risk *risk = batch->problem->risk;
    bool scores = risk->scalar != NULL, alone = batch->monitor->settings.communicator == NULL;
    if (strcmp(batch->problem->regularizer->name, "l2") == 0)
        return "-s bundle-ls keeps none; with -i it goes on from here";
    if (risk->dimension > risk->regularized ? scores && alone : scores || isfinite(risk->smoothing))
        return "-s agm keeps none; with -i it goes on from here";
    return "it needs a machine with more memory";
}

int bundle_run_add_plane(struct bundle_run *run, struct planes *planes, struct error *e) {
    struct error lack = {0};
    int slot = planes_add(planes, run->slope, run->constant, 0, &lack);
    if (communicator_agree(run->batch.monitor->settings.communicator, slot < 0, &lack) == 0)
        return slot;
    if (run->batch.iteration > 0)
        batch_stop_at(&run->batch, obstacle_of("memory for one more gradient",
                                               remedy_without_planes(&run->batch)));
    else if (e != NULL)
        *e = lack;
    return -1;
}

void bundle_run_visit(struct bundle_run *run, struct state *state) {
    int64_t n = run->batch.problem->risk->dimension;
    batch_visit(&run->batch, state);
    certificate_visit(&run->certificate, state);
    profile_visit(&run->profile, state);
    state_doubles(state, run->point, n);
    state_doubles(state, run->slope, n);
    STATE_REALS(state, &run->constant, &run->risk, &run->objective, &run->best, &run->bound);
    run->unchanged_reports =
        (int)state_integer(state, run->unchanged_reports, 0, MAX_UNCHANGED_REPORTS);
}

bool bundle_run_report(struct bundle_run *run) {
    certificate_raise(&run->certificate);
    batch_raise(&run->batch, run->certificate.bound);
    bool moved = run->batch.objective != run->best || run->batch.bound != run->bound;
    run->best = run->batch.objective;
    run->bound = run->batch.bound;
    run->unchanged_reports = moved ? 0 : run->unchanged_reports + 1;
    if (run->unchanged_reports >= MAX_UNCHANGED_REPORTS)
        batch_stall(&run->batch);
    return batch_report(&run->batch);
}

static void drop_idle(struct planes *planes) {
    for (int j = 0; j < planes->slots; j++)
        if (planes->plane[j].state == PLANE_WORKING && planes->plane[j].idle > MAX_IDLE)
            planes_drop(planes, j);
}

int bundle_run_iterate(struct bundle_run *run, struct planes *planes, state_visit *visit,
                       bundle_step *step, void *context, struct error *e) {
    if (monitor_enter_run(run->batch.monitor, visit, context, e) == CHECKPOINT_REFUSED)
        return -1;
    while (bundle_run_linearize(run)) {
        if (step(context, e) != 0)
            return -1;
        if (bundle_run_report(run))
            break;
        if (planes != NULL)
            drop_idle(planes);
        if (batch_save(&run->batch))
            break;
    }
    return 0;
}
