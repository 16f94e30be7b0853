/* path_steps.c - one model of a path after another; see path_steps.h. */
#include "training/search/path_steps.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

bool path_cut_off(const struct run *run) {
    return run->total.verdict == VERDICT_TIME || run->total.verdict == VERDICT_INTERRUPTED;
}

static void add(struct path *path, const struct run *run) {
    struct outcome *total = &path->total;
    path->reached++;
    path->done += !path_cut_off(run);
    path->seconds += run->seconds;
    path->gap = fmax(path->gap, run->gap);
    total->objective = run->total.objective;
    total->bound = run->total.bound;
    total->passes += run->total.passes;
    total->iterations += run->total.iterations;
    total->sought |= run->total.sought;
    run_keep_worst(total, &run->total);
}

/* Only the last run's vectors are of use to anyone. */
static void drop_vectors(struct run *run) {
    free(run->vector);
    run->vector = NULL;
}

int path_train_model(const struct training *training, double lambda, int64_t number,
                     const struct model *start, struct monitor *monitor, struct model *model,
                     struct run *run, struct error *e) {
    struct training t = *training;
    char title[64];
    t.lambda = lambda;
    t.stream += (uint64_t)(number * t.classes->vectors);
    if (start->w != NULL)
        t.start = start;
    if (t.request->settings.path > 0) {
        snprintf(title, sizeof title, "%s%slambda %.6g", t.title != NULL ? t.title : "",
                 t.title != NULL ? ", " : "", t.lambda);
        t.title = title;
    }
    return run_train(&t, monitor, model, run, e);
}

bool path_goes_on(const struct training *training, struct monitor *monitor, struct path *path) {
    if (path->reached == 0)
        return true;
    if (path->reached == path->values->count || path_cut_off(&path->run[path->reached - 1]))
        return false;
    if (training->deadline > 0 && monitor_seconds(monitor) >= training->deadline) {
        path->total.verdict = VERDICT_TIME;
        return false;
    }
    return true;
}

int path_finish_model(const struct path_visitor *visitor, const struct model *model,
                      struct path *path, struct error *e) {
    int64_t i = path->reached;
    const struct run *run = &path->run[i];
    if (i > 0)
        drop_vectors(&path->run[i - 1]);
    add(path, &path->run[i]);
    return visitor == NULL ? 0 : visitor->visit(visitor->context, i, model, run, e);
}
