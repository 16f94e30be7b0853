/* path.c - training at one lambda after another, each from the model of the one before. */
#include "training/path.h"

#include "io/memory.h"
#include "kernel/row_cache.h"
#include "solvers/linearization.h"

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

/* Replaces *model by the one at the i-th lambda, trained from it unless it is empty. */
static int train_one(const struct training *training, int64_t i, struct monitor *monitor,
                     struct model *model, struct path *path, struct error *e) {
    struct training t = *training;
    struct model before = *model;
    char title[64];
    int status;
    t.lambda = path->values->lambda[i];
    t.stream += (uint64_t)(i * t.classes->vectors);
    if (before.w != NULL)
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

/* Counts the model of the value that was trained. */
static int finish_one(const struct path_visitor *visitor, const struct model *model,
                      struct path *path, struct error *e) {
    int64_t i = path->reached;
    const struct run *run = &path->run[i];
    if (i > 0)
        drop_vectors(&path->run[i - 1]);
    add(path, &path->run[i]);
    return visitor == NULL ? 0 : visitor->visit(visitor->context, i, model, run, e);
}

static int train_each(const struct training *training, const struct path_visitor *visitor,
                      struct monitor *monitor, struct model *model, struct path *path,
                      struct error *e) {
    while (goes_on(training, monitor, path))
        if (train_one(training, path->reached, monitor, model, path, e) != 0 ||
            finish_one(visitor, model, path, e) != 0)
            return -1;
    return 0;
}

/* ---- a certified path */

static const double least_step = 1e-9; /* of log(lambda) */
static const double caution = 0.8;     /* the share that is taken of a step that may be enough */

/* The value that was tried in vain; its time counts. */
static void discard(struct path *path, struct path_values *values) {
    struct run *run = &path->run[path->reached];
    path->seconds += run->seconds;
    path->total.passes += run->total.passes;
    path->total.iterations += run->total.iterations;
    values->failed++;
    run_free(run);
}

/* A model of the path at its lambda. */
struct point {
    double lambda;
    struct outcome *at;
};

/* J of the model, which is linear, at another lambda. */
static double objective_at(const struct point *model, double lambda) {
    return model->at->objective + (lambda / model->lambda - 1) * model->at->penalty;
}

/* min J is concave in lambda, so that the chord between the bounds of two models is a bound. */
static double chord_at(const struct point *a, const struct point *b, double lambda) {
    double part = (lambda - b->lambda) / (a->lambda - b->lambda);
    return b->at->bound + part * (a->at->bound - b->at->bound);
}

/* With Omega = ||w||^2/2: a mixture of the linearizations of two neighbours, A above B, bounds R as well. The best
 * part theta of B gives the lower bound of min J
 *
 *     t_a + theta (t_b - t_a) - ||s_a + theta (s_b - s_a)||^2 / (2 lambda),
 *
 * which is concave in lambda. With the part of the chord it is above the chord by lambda_a lambda_b/(2 lambda) theta
 * (1 - theta) ||s_a/lambda_a - s_b/lambda_b||^2. Not-a-number where a product is. */
static double mixture_at(const struct point *a, const struct point *b, double lambda) {
    double constant = b->at->constant - a->at->constant;
    double linear = b->at->product - a->at->square;
    double square = b->at->square - 2 * b->at->product + a->at->square; /* ||s_b - s_a||^2 */
    double theta = fmin(fmax((lambda * constant - linear) / square, 0), 1);
    return a->at->constant + theta * constant -
           (a->at->square + theta * (2 * linear + theta * square)) / (2 * lambda);
}

/* How far from its lambda towards that of OTHER the model is within the gap by the chord: a part from 0 to 1. */
static double chord_reach(const struct point *model, const struct point *other, double gap) {
    double here = (1 - gap) * model->at->objective - model->at->bound;
    double there = (1 - gap) * objective_at(model, other->lambda) - other->at->bound;
    return there <= 0 ? 1 : here < 0 ? -here / (there - here) : 0;
}

/* The same by the mixture of the linearizations of A and B, of which MODEL is one. */
static double mixture_reach(const struct point *model, const struct point *a, const struct point *b,
                            double gap) {
    enum { HALVINGS = 40 };
    double other = a->lambda + b->lambda - model->lambda, least = 0, most = 1;
    for (int i = 0; i < HALVINGS && least < most; i++) {
        double part = i == 0 ? most : (least + most) / 2;
        double lambda = model->lambda + part * (other - model->lambda);
        bool holds = (1 - gap) * objective_at(model, lambda) <= mixture_at(a, b, lambda);
        *(holds ? &least : &most) = part;
    }
    return least;
}

/* Extends the intervals of two neighbours, A above B, by the chord and by mixtures. Returns the sum of the reaches of
 * both, towards each other, in log(lambda). */
static double join(const struct point *a, const struct point *b, double gap) {
    double between = a->lambda - b->lambda;
    double down = fmax(chord_reach(a, b, gap), mixture_reach(a, a, b, gap));
    double up = fmax(chord_reach(b, a, gap), mixture_reach(b, a, b, gap));
    a->at->low = fmin(a->at->low, (a->lambda - down * between) / a->lambda);
    b->at->high = fmax(b->at->high, (b->lambda + up * between) / b->lambda);
    return log(b->at->high) - log(a->at->low);
}

static double relative_gap(double objective, double bound) {
    return (objective - bound) / objective;
}

/* The step, in log(lambda), for which the better bound would be just enough: where both models have the same J, the gap
 * beyond that of the ends grows as the square of the step. */
static double chord_step(const struct point *a, const struct point *b, double gap) {
    double slope_a = a->at->penalty / a->lambda, slope_b = b->at->penalty / b->lambda;
    double apart = objective_at(a, b->lambda) - b->at->objective;
    double lambda = fmin(b->lambda + fmax(apart, 0) / (slope_b - slope_a), a->lambda);
    double bound = fmax(chord_at(a, b, lambda), mixture_at(a, b, lambda));
    double middle = relative_gap(objective_at(a, lambda), bound);
    double ends = (relative_gap(a->at->objective, a->at->bound) +
                   relative_gap(b->at->objective, b->at->bound)) /
                  2;
    if (!(gap > ends))
        return 0;
    return middle > ends ? log(a->lambda / b->lambda) * sqrt((gap - ends) / (middle - ends))
                         : INFINITY; /* min J is linear there */
}

static struct point point_of(const struct path *path, int64_t i) {
    return (struct point){path->values->lambda[i], &path->run[i].total};
}

/* Joins the value that was trained to the one before. Whether they hold at all lambdas between; *step: the next one in
 * log(lambda), for which about the same is enough. */
static bool joins(const struct path *path, double gap, double *step) {
    static const double most_growth = 2, both_reaches = 1.4;
    struct point b = point_of(path, path->reached), a;
    double used = 0, reach = both_reaches * fmin(log(b.at->high), -log(b.at->low));
    bool holds = true;
    if (path->reached > 0) {
        a = point_of(path, path->reached - 1);
        struct outcome before = *a.at;
        used = log(a.lambda / b.lambda);
        reach = join(&a, &b, gap);
        holds = reach >= used;
        double chord = chord_step(&a, &b, gap);
        reach = fmin(fmax((reach + chord) / 2, chord), (holds ? most_growth : caution) * used);
        if (!holds)
            *a.at = before;
    }
    *step = reach;
    return holds;
}

static void stop_short(struct outcome *total) {
    static const struct obstacle obstacle = {"the number of models", "a larger gap needs fewer"};
    total->verdict = VERDICT_STALLED;
    total->obstacle = obstacle;
}

/* The next lambda, if a step is thought to be enough; the last one is tried with it as it is. */
static double next_lambda(double lambda, double step, double last) {
    return lambda * exp(-step) <= last
               ? last
               : fmax(lambda * exp(-fmax(caution * step, least_step)), last);
}

/* Whether the value that was trained is within the gap at its own lambda. */
static bool is_within(const struct path *path) {
    const struct run *run = &path->run[path->reached];
    return !cut_off(run) && run->total.low <= run->total.high;
}

/* Those of the value that was trained are those of the lambda before for the next one. */
static void keep_linearizations(const struct training *training) {
    for (int64_t k = 0; training->linearization != NULL && k < training->classes->vectors; k++) {
        struct linearization *both = training->linearization[k];
        linearization_free(&both[0]);
        both[0] = both[1];
        both[1] = (struct linearization){0};
    }
}

/* The values from `from` on, each as far below the last one as both together hold at all lambdas between. Where they do
 * not, the next step is smaller; at the least one the path ends. `from` is trained in any case, also if it is `to`. */
static int train_certified(const struct training *training, struct path_values *values,
                           const struct path_visitor *visitor, struct monitor *monitor,
                           struct model *model, struct path *path, struct error *e) {
    double gap = training->request->settings.path_gap, lambda = values->from, step = 0;
    bool holds = true; /* at all lambdas from `from` down to `lambda` */
    bool again = false;
    while (holds && (path->reached == 0 || lambda > values->to) &&
           (again || goes_on(training, monitor, path))) {
        double tried = path->reached == 0 ? lambda : next_lambda(lambda, step, values->to);
        bool long_enough = log(lambda / tried) > 1.01 * least_step;
        values->lambda[path->reached] = tried;
        if (train_one(training, path->reached, monitor, model, path, e) != 0)
            return -1;
        bool within = is_within(path);
        holds = within && joins(path, gap, &step);
        again = within && !holds && long_enough;
        if (again) {
            discard(path, values);
            holds = true;
            continue;
        }
        if (finish_one(visitor, model, path, e) != 0)
            return -1;
        keep_linearizations(training);
        if (holds)
            lambda = tried;
    }
    values->count = path->reached;
    if (lambda > values->to && path->total.verdict <= VERDICT_SETTLED)
        stop_short(&path->total);
    values->to = fmax(values->to, lambda);
    return 0;
}

/* ---- the path */

/* A run that goes on from a checkpoint has nothing kept of the lambda before; so no run has, with a journal. */
static int allocate(struct training *t, struct path *path, struct error *e) {
    int64_t count = path->values->count, vectors = t->classes->vectors;
    path->run = memory_zeroed(count, sizeof *path->run, "the path", e);
    if (path->run == NULL)
        return -1;
    if (count == 1 || t->journal != NULL)
        return 0;
    t->kept = memory_zeroed(vectors, sizeof *t->kept, "the path", e);
    if (t->kept == NULL || !path->values->certified)
        return t->kept == NULL ? -1 : 0;
    t->linearization = memory_zeroed(vectors, sizeof *t->linearization, "the path", e);
    return t->linearization == NULL ? -1 : 0;
}

static void free_kept(struct training *t) {
    for (int64_t k = 0; t->kept != NULL && k < t->classes->vectors; k++)
        if (t->kept[k].state != NULL)
            t->kept[k].free(t->kept[k].state);
    for (int64_t k = 0; t->linearization != NULL && k < t->classes->vectors; k++) {
        linearization_free(&t->linearization[k][0]);
        linearization_free(&t->linearization[k][1]);
    }
    free(t->kept);
    free(t->linearization);
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
    t.linearization = NULL;
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
        status = values->certified ? train_certified(&t, values, visitor, monitor, model, path, e)
                                   : train_each(&t, visitor, monitor, model, path, e);
    row_cache_free(rows);
    free_kept(&t);
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
