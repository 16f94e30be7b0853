/* path.c - training at one lambda after another, each from the model of the one before. */
#include "training/search/path.h"

#include "io/memory.h"
#include "kernel/row_cache.h"
#include "training/search/certified_path.h"

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
    const struct train_settings *s = &request->settings;
    int64_t points = s->path;
    if (s->path_from > 0) {
        lambda_max = s->path_from;
        lambda = s->path_to;
    }
    *values = (struct path_values){.count = points > 0 && lambda < lambda_max ? points : 1,
                                   .certified = s->path_gap > 0,
                                   .from = fmax(lambda, lambda_max),
                                   .to = lambda};
    values->lambda = memory_new(values->count, sizeof *values->lambda, "the path", e);
    if (values->lambda == NULL)
        return -1;
    if (points > 0 && !isfinite(lambda_max))
        return error_set(e, "lambda_max is beyond all numbers; scale the data");
    if (values->count > 1 && !values->certified)
        path_grid(lambda_max, lambda, values->count, values->lambda);
    else
        values->lambda[0] = lambda;
    return 0;
}

void path_values_free(struct path_values *values) {
    free(values->lambda);
    *values = (struct path_values){0};
}

/* Replaces *model by the one at the next value, trained from it unless it is empty. */
static int train_one(const struct training *training, struct monitor *monitor, struct model *model,
                     struct path *path, struct error *e) {
    struct model before = *model;
    int64_t i = path->reached;
    int status = path_train_model(training, path->values->lambda[i], i, &before, monitor, model,
                                  &path->run[i], e);
    model_free(&before);
    return status;
}

static int train_each(const struct training *training, const struct path_visitor *visitor,
                      struct monitor *monitor, struct model *model, struct path *path,
                      struct error *e) {
    while (path_goes_on(training, monitor, path))
        if (train_one(training, monitor, model, path, e) != 0 ||
            path_finish_model(visitor, model, path, e) != 0)
            return -1;
    return 0;
}

/* Kernel expansions have no use for what is kept, and their weights are not those of features, which R is taken
 * from. */
static int allocate(struct training *t, struct path *path, struct error *e) {
    int64_t count = path->values->count, vectors = t->classes->vectors;
    path->run = memory_zeroed(count, sizeof *path->run, "the path", e);
    if (path->run == NULL)
        return -1;
    if (count == 1 || t->request->solver->is_kernel_expansion)
        return 0;
    t->kept = memory_zeroed(vectors, sizeof *t->kept, "the path", e);
    if (t->journal != NULL)
        t->packs = memory_zeroed(vectors, sizeof *t->packs, "the path", e);
    return t->kept == NULL || (t->journal != NULL && t->packs == NULL) ? -1 : 0;
}

static void free_kept(struct training *t) {
    for (int64_t k = 0; t->kept != NULL && k < t->classes->vectors; k++)
        kept_free(&t->kept[k]);
    for (int64_t k = 0; t->packs != NULL && k < t->classes->vectors; k++)
        free(t->packs[k].bytes);
    free(t->kept);
    free(t->packs);
}

int path_train(const struct training *training, struct path_values *values,
               const struct path_visitor *visitor, struct monitor *monitor, struct model *model,
               struct path *path, struct error *e) {
    struct training t = *training;
    struct row_cache *rows =
        NULL; /* of all runs: they have the same rows of data and the same kernel */
    struct kernel_part kernel;
    int64_t runs = t.classes->vectors;
    t.kept = NULL;
    t.packs = NULL;
    if (t.kernel != NULL) {
        kernel = *t.kernel;
        kernel.rows = &rows;
        t.kernel = &kernel;
    }
    *path = (struct path){.values = values};
    *model = (struct model){0};
    int status = allocate(&t, path, e);
    if (values->count > 1) {
        t.deadline = run_share(training, runs, runs + t.runs_after, monitor);
        t.runs_after = 0;
    }
    if (status == 0)
        status = values->certified
                     ? certified_path_train(&t, values, visitor, monitor, model, path, e)
                     : train_each(&t, visitor, monitor, model, path, e);
    row_cache_free(rows);
    free_kept(&t);
    return status;
}

bool path_out_of_time(const struct path *path) {
    return path->total.verdict == VERDICT_TIME &&
           (path->values->count > 1 || path->values->certified);
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
