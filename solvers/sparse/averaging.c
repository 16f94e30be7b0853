/* averaging.c - regularized dual averaging: the iterate is a function of the sum of all gradients. */
#include "solvers/sparse/averaging.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/online/certify.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const averaging_betas[] = {"sqrt", "log", NULL};
const char *const averaging_slopes[] = {"before", "half", NULL};

/* What the mean of the iterates needs. Steps count from the start of the present window. */
struct sums {
    double *iterate_sum;   /* dimension: the sum of a weight's iterates up to step `since` */
    int64_t *since;        /* regularized: the last step that iterate_sum has */
    double *factor_sum;    /* window + 1: prefix sums of f_s */
    double *threshold_sum; /* window + 1: prefix sums of l1 s f_s */
    int64_t window;        /* steps that a window holds */
    int64_t now;           /* steps made in the present window */
};

struct averaging {
    struct passes passes;
    const struct design *design;
    const struct averaging_plan *plan;
    struct sparse_batch batch;
    double l1, l2;
    double *g;            /* G_t */
    double threshold;     /* l1 t, for the present iterate */
    double factor;        /* f_t; 0 before the first step */
    double offset_factor; /* the offset is minus this times its G */
    bool implicit;        /* the losses' derivatives are those after half of the step */
    bool stopped;         /* the observer ended the run */
    struct sums sums;
};

/* ---- an iterate's weights */

static inline double weight(const struct averaging *a, int64_t j) {
    return a->factor * soft(-a->g[j], a->threshold);
}

/* The inner product of a sparse vector and soft(-g, threshold). */
static double score_part(const double *g, double threshold, const int32_t *column,
                         const double *value, int64_t count) {
    double u = 0;
    if (value == NULL)
        for (int64_t k = 0; k < count; k++)
            u += soft(-g[column[k]], threshold);
    else
        for (int64_t k = 0; k < count; k++)
            u += value[k] * soft(-g[column[k]], threshold);
    return u;
}

static double score(const struct averaging *a, int64_t row) {
    const struct design *d = a->design;
    double u = score_part(a->g, a->threshold, dataset_columns(d->data, row),
                          dataset_values(d->data, row), dataset_count(d->data, row));
    if (d->bias >= 0)
        u += d->bias * soft(-a->g[d->data->features], a->threshold);
    u *= a->factor;
    if (d->intercept)
        u -= a->offset_factor * a->g[d->regularized];
    return u;
}

/* ---- the mean of the iterates */

/* The sum of the iterates of coordinate j that iterate_sum does not have yet. G_j was constant over them;
 * w_j is 0 after step floor(|G_j|/l1). */
static double pending_sum(const struct averaging *a, int64_t j) {
    const struct sums *s = &a->sums;
    int64_t from = s->since[j], base = a->passes.t - s->now;
    double length = fabs(a->g[j]), last = floor(length / a->l1) - (double)base;
    int64_t to = last < (double)s->now ? (int64_t)last : s->now; /* l1 = 0 makes it infinite */
    if (length == 0 || to <= from)
        return 0;
    double sum = length * (s->factor_sum[to] - s->factor_sum[from]) -
                 (s->threshold_sum[to] - s->threshold_sum[from]);
    return a->g[j] > 0 ? -sum : sum;
}

/* Adds the pending iterates of j. To be called before G_j changes. */
static inline void add_pending(struct averaging *a, int64_t j) {
    a->sums.iterate_sum[j] += pending_sum(a, j);
    a->sums.since[j] = a->sums.now;
}

static void add_pending_of_row(struct averaging *a, int64_t row) {
    const struct design *d = a->design;
    for (int64_t k = 0; k < dataset_count(d->data, row); k++)
        add_pending(a, dataset_columns(d->data, row)[k]);
    if (d->bias >= 0)
        add_pending(a, d->data->features);
}

/* Brings the sums of all coordinates up to date and begins a new window. */
static void begin_window(struct averaging *a) {
    for (int64_t j = 0; j < a->design->regularized; j++) {
        add_pending(a, j);
        a->sums.since[j] = 0;
    }
    a->sums.now = 0;
}

/* Extends the prefix sums by the iterate of the step just made. */
static void count_step(struct averaging *a) {
    struct sums *s = &a->sums;
    int64_t k = ++s->now;
    s->factor_sum[k] = s->factor_sum[k - 1] + a->factor;
    s->threshold_sum[k] = s->threshold_sum[k - 1] + a->factor * a->threshold;
    if (a->design->intercept) {
        int64_t j = a->design->regularized;
        s->iterate_sum[j] -= a->offset_factor * a->g[j];
    }
}

/* ---- a step */

/* Tells the observer that G_j is about to change. */
static void notify(const struct averaging *a, int64_t j, double change) {
    const struct averaging_observer *observer = a->plan->observer;
    observer->touched(observer->opaque, a->passes.t + 1, j, a->g[j], a->g[j] + change);
}

static void notify_of_row(const struct averaging *a, int64_t row, double c) {
    const struct design *d = a->design;
    const double *value = dataset_values(d->data, row);
    for (int64_t k = 0; k < dataset_count(d->data, row); k++)
        notify(a, dataset_columns(d->data, row)[k], value == NULL ? c : c * value[k]);
    if (d->bias >= 0)
        notify(a, d->data->features, c * d->bias);
}

/* The offset's factor after step t. */
static double offset_factor_after(const struct averaging *a, double t) {
    return 1 / (a->plan->gamma * sqrt(t));
}

/* f_t. */
static double factor_after(const struct averaging *a, double t) {
    bool logarithmic = a->l2 > 0 && a->plan->beta == AVERAGING_LOG;
    return 1 / (a->l2 * t + (logarithmic ? a->l2 * (1 + log(t)) : a->plan->gamma * sqrt(t)));
}

/* Sets what belongs to the iterate after step t. */
static void set_factors(struct averaging *a) {
    double t = (double)a->passes.t;
    a->threshold = a->l1 * t;
    a->offset_factor = offset_factor_after(a, t);
    a->factor = factor_after(a, t);
}

/* Draws the i-th example of the batch and finds the derivative of its loss. */
static void differentiate(struct averaging *a, int64_t i) {
    const struct design *d = a->design;
    int64_t row = sparse_next(&a->batch, i);
    double u = score(a, row), t = (double)a->passes.t + 1, mu = 0;
    if (a->implicit)
        mu = factor_after(a, t) * row_square(d->data, row, d->bias) +
             (d->intercept ? offset_factor_after(a, t) : 0);
    if (mu > 0)
        sparse_scored_after(&a->batch, i, u, mu / 2);
    else
        sparse_scored(&a->batch, i, u);
}

/* One step: the scores and derivatives of a batch, then G += their mean gradient. */
static void step(struct averaging *a) {
    struct sparse_batch *b = &a->batch;
    double size = (double)b->size;
    for (int64_t i = 0; i < b->size; i++)
        differentiate(a, i);
    if (a->sums.iterate_sum != NULL && a->sums.now == a->sums.window)
        begin_window(a);
    /* G += their mean gradient. */
    for (int64_t i = 0; i < b->size; i++) {
        double c = b->derivative[i] / size;
        if (c == 0)
            continue;
        if (a->sums.iterate_sum != NULL)
            add_pending_of_row(a, b->row[i]);
        if (a->plan->observer != NULL)
            notify_of_row(a, b->row[i], c);
        design_add(a->design, a->g, c, b->row[i]);
        a->passes.overflow = a->passes.overflow || !isfinite(c);
    }
    /* w_{t+1} is now defined by G and these factors. */
    a->passes.t++;
    set_factors(a);
    if (a->sums.iterate_sum != NULL)
        count_step(a);
}

/* ---- the functions of struct passes_method */

/* Makes steps up to step `end`, an overflow, or until the observer ends the run. */
static enum verdict advance(void *state, int64_t end) {
    struct averaging *a = state;
    const struct averaging_observer *observer = a->plan->observer;
    while (a->passes.t < end && !a->passes.overflow && !a->stopped) {
        step(a);
        a->stopped = observer != NULL && observer->stepped(observer->opaque, a->passes.t);
    }
    return a->stopped ? VERDICT_SETTLED : VERDICT_GO_ON;
}

static void copy_mean(const struct averaging *a, double *w) {
    for (int64_t j = 0; j < a->design->columns; j++) {
        double late = j < a->design->regularized ? pending_sum(a, j) : 0;
        w[j] = (a->sums.iterate_sum[j] + late) / (double)a->passes.t;
    }
}

/* Writes the mean of the iterates if it is kept, else the present iterate. */
static void copy(const void *state, double *w) {
    const struct averaging *a = state;
    if (a->sums.iterate_sum != NULL && a->passes.t > 0) {
        copy_mean(a, w);
        return;
    }
    for (int64_t j = 0; j < a->design->regularized; j++)
        w[j] = 0 + weight(a, j); /* never -0 */
    if (a->design->intercept)
        w[a->design->regularized] = 0 - a->offset_factor * a->g[a->design->regularized];
}

static void visit_sums(struct sums *s, const struct design *d, struct state *list) {
    state_doubles(list, s->iterate_sum, d->columns);
    s->now = state_integer(list, s->now, 0, s->window);
    state_integers(list, s->since, d->regularized, 0, s->now);
    state_doubles(list, s->factor_sum, s->now + 1);
    state_doubles(list, s->threshold_sum, s->now + 1);
}

static void visit(void *state, struct state *list) {
    struct averaging *a = state;
    sampler_visit(&a->batch.sampler, list);
    state_doubles(list, a->g, a->design->columns);
    STATE_REALS(list, &a->threshold, &a->factor, &a->offset_factor);
    if (a->sums.iterate_sum != NULL)
        visit_sums(&a->sums, a->design, list);
    if (a->plan->observer != NULL)
        a->plan->observer->visit(a->plan->observer->opaque, a->passes.t, list);
}

static const struct passes_method method = {
    .advance = advance, .copy = copy, .visit = visit, .deltas = true};

static int sums_init(struct averaging *a, struct error *e) {
    struct sums *s = &a->sums;
    int64_t n = a->design->regularized;
    s->window = n > a->passes.steps ? n : a->passes.steps;
    s->window = s->window < a->passes.limit ? s->window : a->passes.limit;
    s->iterate_sum = memory_zeroed(a->design->columns, sizeof *s->iterate_sum, "the average", e);
    s->since = memory_zeroed(n, sizeof *s->since, "the average", e);
    s->factor_sum = memory_new(s->window + 1, sizeof *s->factor_sum, "the average", e);
    s->threshold_sum = memory_new(s->window + 1, sizeof *s->threshold_sum, "the average", e);
    if (s->iterate_sum == NULL || s->since == NULL || s->factor_sum == NULL ||
        s->threshold_sum == NULL)
        return -1;
    s->factor_sum[0] = s->threshold_sum[0] = 0;
    return 0;
}

static int averaging_init(struct averaging *a, const struct run_settings *run, struct error *e) {
    a->g = memory_zeroed(a->design->columns, sizeof *a->g, "the gradients", e);
    if (a->g == NULL || passes_init(&a->passes, run, e) != 0 ||
        sparse_batch_init(&a->batch, a->passes.problem, run, e) != 0 ||
        (a->plan->output == OUTPUT_AVERAGE && sums_init(a, e) != 0))
        return -1;
    passes_start(&a->passes, false);
    return 0;
}

static void averaging_free(struct averaging *a) {
    passes_free(&a->passes);
    sparse_batch_free(&a->batch);
    free(a->g);
    free(a->sums.iterate_sum);
    free(a->sums.since);
    free(a->sums.factor_sum);
    free(a->sums.threshold_sum);
}

/* The result of a run that the observer ended: the iterate, and an outcome without J and bound. */
static int finish_stopped(struct averaging *a, double *w, struct outcome *outcome,
                          struct error *e) {
    copy(a, w);
    passes_count(&a->passes, VERDICT_SETTLED, outcome);
    outcome->objective = NAN;
    outcome->bound = -INFINITY;
    return a->passes.overflow ? passes_overflow(e) : 0;
}

int averaging_run(const struct solve *solve, const struct averaging_plan *plan, struct error *e) {
    const struct problem *problem = solve->problem;
    struct penalty penalty = problem_penalty_parts(problem);
    struct averaging a = {.design = problem->risk->scalar->design,
                          .plan = plan,
                          .l1 = penalty.l1,
                          .l2 = penalty.l2,
                          .implicit = plan->slope == AVERAGING_HALF &&
                                      problem->risk->scalar->loss->lipschitz_slope > 0};
    a.passes = (struct passes){.problem = problem,
                               .method = &method,
                               .state = &a,
                               .monitor = solve->monitor,
                               .output = plan->output};
    int status = averaging_init(&a, solve->run, e);
    if (status == 0) {
        enum verdict verdict;
        status = passes_run(&a.passes, &verdict, e);
        if (status == 0)
            status = a.stopped ? finish_stopped(&a, solve->w, solve->outcome, e)
                               : passes_finish(&a.passes, verdict, solve->w, solve->outcome, e);
    }
    if (status == 0 && plan->certifies)
        certify_result(solve);
    for (int64_t j = 0; status == 0 && plan->mean != NULL && j < a.design->columns; j++)
        plan->mean[j] = a.g[j] / fmax(1, (double)a.passes.t);
    averaging_free(&a);
    return status;
}
