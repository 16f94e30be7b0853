/* path.c - training at one lambda after another, each from the model of the one before. */
#include "training/path.h"

#include "io/memory.h"
#include "kernel/row_cache.h"

#include <math.h>
#include <stdlib.h>

void path_grid(double largest, double smallest, int64_t count, double *lambda) {
    double top = log(largest), bottom = log(smallest);
    lambda[0] = largest;
    for (int64_t i = 1; i < count - 1; i++) {
        double value = exp(top + (bottom - top) * ((double)i / (double)(count - 1)));
        lambda[i] = fmin(fmax(value, smallest), lambda[i - 1]);
    }
    lambda[count - 1] = smallest;
}

int path_values_make(const struct training_request *request, double lambda, double lambda_max,
                     struct path_values *values, struct error *e) {
    int64_t points = request->settings.path;
    values->count = points > 0 && lambda < lambda_max ? points : 1;
    values->lambda = memory_new(values->count, sizeof *values->lambda, "the path", e);
    if (values->lambda == NULL)
        return -1;
    if (points > 0 && !isfinite(lambda_max))
        return error_set(e, "lambda_max is beyond all numbers; scale the data");
    if (values->count > 1)
        path_grid(lambda_max, lambda, values->count, values->lambda);
    else
        values->lambda[0] = lambda;
    return 0;
}

void path_values_free(struct path_values *values) {
    free(values->lambda);
    *values = (struct path_values){0};
}

static bool cut_off(const struct run *run) {
    return run->total.verdict == VERDICT_TIME || run->total.verdict == VERDICT_INTERRUPTED;
}

static void add(struct path *path, const struct run *run) {
    struct outcome *total = &path->total;
    path->reached++;
    path->done += !cut_off(run);
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

/* Replaces *model by the one at the i-th lambda. */
static int train_one(const struct training *training, int64_t i, struct monitor *monitor,
                     struct model *model, struct path *path, struct error *e) {
    struct training t = *training;
    struct model before = *model;
    char title[64];
    int status;
    t.lambda = path->values->lambda[i];
    t.stream += (uint64_t)(i * t.classes->vectors);
    if (i > 0)
        t.start = &before;
    if (t.request->settings.path > 0) {
        snprintf(title, sizeof title, "%s%slambda %.6g", t.title != NULL ? t.title : "",
                 t.title != NULL ? ", " : "", t.lambda);
        t.title = title;
    }
    status = run_train(&t, monitor, model, &path->run[i], e);
    model_free(&before);
    return status;
}

/* The first value is trained in any case; the others while there is time. */
static bool goes_on(const struct training *training, struct monitor *monitor, struct path *path) {
    if (path->reached == 0)
        return true;
    if (path->reached == path->values->count || cut_off(&path->run[path->reached - 1]))
        return false;
    if (training->deadline > 0 && monitor_seconds(monitor) >= training->deadline) {
        path->total.verdict = VERDICT_TIME;
        return false;
    }
    return true;
}

static int train_each(const struct training *training, const struct path_visitor *visitor,
                      struct monitor *monitor, struct model *model, struct path *path,
                      struct error *e) {
    while (goes_on(training, monitor, path)) {
        int64_t i = path->reached;
        if (train_one(training, i, monitor, model, path, e) != 0)
            return -1;
        if (i > 0)
            drop_vectors(&path->run[i - 1]);
        add(path, &path->run[i]);
        if (visitor != NULL && visitor->visit(visitor->context, i, model, &path->run[i], e) != 0)
            return -1;
    }
    return 0;
}

int path_train(const struct training *training, const struct path_values *values,
               const struct path_visitor *visitor, struct monitor *monitor, struct model *model,
               struct path *path, struct error *e) {
    struct training t = *training;
    struct row_cache *rows =
        NULL; /* of all runs: they have the same rows of data and the same kernel */
    struct kernel_part kernel;
    int64_t runs = t.classes->vectors;
    if (t.kernel != NULL) {
        kernel = *t.kernel;
        kernel.rows = &rows;
        t.kernel = &kernel;
    }
    *path = (struct path){.values = values};
    *model = (struct model){0};
    path->run = memory_zeroed(values->count, sizeof *path->run, "the path", e);
    if (path->run == NULL)
        return -1;
    if (values->count > 1) {
        t.deadline = run_share(training, runs, runs + t.runs_after, monitor);
        t.runs_after = 0;
    }
    int status = train_each(&t, visitor, monitor, model, path, e);
    row_cache_free(rows);
    return status;
}

bool path_out_of_time(const struct path *path) {
    return path->total.verdict == VERDICT_TIME && path->values->count > 1;
}

const struct run *path_last(const struct path *path) {
    return &path->run[path->reached - 1];
}

void path_free(struct path *path) {
    for (int64_t i = 0; path->run != NULL && i < path->values->count; i++)
        run_free(&path->run[i]);
    free(path->run);
    *path = (struct path){0};
}
