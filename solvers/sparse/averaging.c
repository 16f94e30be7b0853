/* averaging.c - regularized dual averaging: the iterate is a function of the sum of all gradients. */
#include "solvers/sparse/averaging.h"

#include "io/memory.h"
#include "math/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const averaging_betas[] = {"sqrt", "log", NULL};

/* What the mean of the iterates needs. Steps count from the last settling, `since` also. */
struct totals {
    double *sum;    /* dimension: of the iterates up to `since` */
    int64_t *since; /* regularized */
    double *p, *q;  /* window + 1: prefix sums of f_s and of l1 s f_s */
    int64_t window, now;
};

struct averaging {
    struct passes passes;
    const struct design *design;
    const struct averaging_plan *plan;
    struct sparse_batch batch;
    double l1, l2;
    double *g;        /* G_t */
    double threshold; /* of the present iterate: l1 t */
    double factor;    /* f_t; 0 at first */
    double offset_factor;
    bool stopped; /* by the observer */
    struct totals totals;
};

/* ---- an iterate's weights */

static inline double weight(const struct averaging *a, int64_t j) {
    return a->factor * soft(-a->g[j], a->threshold);
}

/* The sum of -soft(g, .) over a part of a row. */
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

/* Iterates of coordinate j that are not in its sum yet. */
static double late_sum(const struct averaging *a, int64_t j) {
    const struct totals *s = &a->totals;
    int64_t from = s->since[j], base = a->passes.t - s->now;
    double length = fabs(a->g[j]), last = floor(length / a->l1) - (double)base;
    int64_t to = last < (double)s->now ? (int64_t)last : s->now; /* l1 = 0 makes it infinite */
    if (length == 0 || to <= from)
        return 0;
    double sum = length * (s->p[to] - s->p[from]) - (s->q[to] - s->q[from]);
    return a->g[j] > 0 ? -sum : sum;
}

/* Brings the sum of j up to date, since G_j is about to change. */
static inline void count_late(struct averaging *a, int64_t j) {
    a->totals.sum[j] += late_sum(a, j);
    a->totals.since[j] = a->totals.now;
}

static void count_row(struct averaging *a, int64_t row) {
    const struct design *d = a->design;
    for (int64_t k = 0; k < dataset_count(d->data, row); k++)
        count_late(a, dataset_columns(d->data, row)[k]);
    if (d->bias >= 0)
        count_late(a, d->data->features);
}

static void settle(struct averaging *a) {
    for (int64_t j = 0; j < a->design->regularized; j++) {
        count_late(a, j);
        a->totals.since[j] = 0;
    }
    a->totals.now = 0;
}

/* Counts the iterate that step t gave. */
static void count_step(struct averaging *a) {
    struct totals *s = &a->totals;
    int64_t k = ++s->now;
    s->p[k] = s->p[k - 1] + a->factor;
    s->q[k] = s->q[k - 1] + a->factor * a->threshold;
    if (a->design->intercept) {
        int64_t j = a->design->regularized;
        s->sum[j] -= a->offset_factor * a->g[j];
    }
}

/* ---- a step */

static void watch(const struct averaging *a, int64_t j, double change) {
    const struct averaging_observer *observer = a->plan->observer;
    observer->touched(observer->opaque, a->passes.t + 1, j, a->g[j], a->g[j] + change);
}

static void watch_row(const struct averaging *a, int64_t row, double c) {
    const struct design *d = a->design;
    const double *value = dataset_values(d->data, row);
    for (int64_t k = 0; k < dataset_count(d->data, row); k++)
        watch(a, dataset_columns(d->data, row)[k], value == NULL ? c : c * value[k]);
    if (d->bias >= 0)
        watch(a, d->data->features, c * d->bias);
}

/* f_t and what goes with it, for the next iterate. */
static void set_factors(struct averaging *a) {
    double t = (double)a->passes.t, root = a->plan->gamma * sqrt(t);
    bool logarithmic = a->l2 > 0 && a->plan->beta == AVERAGING_LOG;
    a->threshold = a->l1 * t;
    a->offset_factor = 1 / root;
    a->factor = 1 / (a->l2 * t + (logarithmic ? a->l2 * (1 + log(t)) : root));
}

static void step(struct averaging *a) {
    struct sparse_batch *b = &a->batch;
    double size = (double)b->size;
    for (int64_t i = 0; i < b->size; i++)
        sparse_scored(b, i, score(a, sparse_next(b, i)));
    if (a->totals.sum != NULL && a->totals.now == a->totals.window)
        settle(a);
    for (int64_t i = 0; i < b->size; i++) {
        double c = b->derivative[i] / size;
        if (c == 0)
            continue;
        if (a->totals.sum != NULL)
            count_row(a, b->row[i]);
        if (a->plan->observer != NULL)
            watch_row(a, b->row[i], c);
        design_add(a->design, a->g, c, b->row[i]);
        a->passes.overflow = a->passes.overflow || !isfinite(c);
    }
    a->passes.t++;
    set_factors(a);
    if (a->totals.sum != NULL)
        count_step(a);
}

/* ---- what the passes ask for */

static enum verdict advance(void *state, int64_t end) {
    struct averaging *a = state;
    const struct averaging_observer *observer = a->plan->observer;
    while (a->passes.t < end && !a->passes.overflow && !a->stopped) {
        step(a);
        a->stopped = observer != NULL && observer->stepped(observer->opaque, a->passes.t);
    }
    return a->stopped ? VERDICT_CONVERGED : VERDICT_GO_ON;
}

static void copy_mean(const struct averaging *a, double *w) {
    for (int64_t j = 0; j < a->design->columns; j++) {
        double late = j < a->design->regularized ? late_sum(a, j) : 0;
        w[j] = (a->totals.sum[j] + late) / (double)a->passes.t;
    }
}

static void copy(const void *state, double *w) {
    const struct averaging *a = state;
    if (a->totals.sum != NULL && a->passes.t > 0) {
        copy_mean(a, w);
        return;
    }
    for (int64_t j = 0; j < a->design->regularized; j++)
        w[j] = 0 + weight(a, j); /* never -0 */
    if (a->design->intercept)
        w[a->design->regularized] = 0 - a->offset_factor * a->g[a->design->regularized];
}

static const struct passes_method method = {.advance = advance, .copy = copy, .deltas = true};

static int totals_init(struct averaging *a, struct error *e) {
    struct totals *s = &a->totals;
    int64_t n = a->design->regularized;
    s->window = n > a->passes.steps ? n : a->passes.steps;
    s->window = s->window < a->passes.limit ? s->window : a->passes.limit;
    s->sum = memory_zeroed(a->design->columns, sizeof *s->sum, "the average", e);
    s->since = memory_zeroed(n, sizeof *s->since, "the average", e);
    s->p = memory_new(s->window + 1, sizeof *s->p, "the average", e);
    s->q = memory_new(s->window + 1, sizeof *s->q, "the average", e);
    if (s->sum == NULL || s->since == NULL || s->p == NULL || s->q == NULL)
        return -1;
    s->p[0] = s->q[0] = 0;
    return 0;
}

static int averaging_init(struct averaging *a, const struct run_settings *run, struct error *e) {
    a->g = memory_zeroed(a->design->columns, sizeof *a->g, "the gradients", e);
    if (a->g == NULL || passes_init(&a->passes, run, e) != 0 ||
        sparse_batch_init(&a->batch, a->passes.problem, run, e) != 0 ||
        (a->plan->output == OUTPUT_AVERAGE && totals_init(a, e) != 0))
        return -1;
    passes_start(&a->passes, false);
    return 0;
}

static void averaging_free(struct averaging *a) {
    passes_free(&a->passes);
    sparse_batch_free(&a->batch);
    free(a->g);
    free(a->totals.sum);
    free(a->totals.since);
    free(a->totals.p);
    free(a->totals.q);
}

/* What a run that was stopped hands over. */
static int hand_over(struct averaging *a, double *w, struct outcome *outcome, struct error *e) {
    copy(a, w);
    passes_count(&a->passes, VERDICT_CONVERGED, outcome);
    outcome->objective = NAN;
    outcome->bound = -INFINITY;
    return a->passes.overflow ? passes_overflow(e) : 0;
}

int averaging_run(const struct solve *solve, const struct averaging_plan *plan, struct error *e) {
    const struct problem *problem = solve->problem;
    struct penalty penalty = problem_penalty_parts(problem);
    struct averaging a = {
        .design = problem->risk->scalar->design, .plan = plan, .l1 = penalty.l1, .l2 = penalty.l2};
    a.passes = (struct passes){.problem = problem,
                               .method = &method,
                               .state = &a,
                               .monitor = solve->monitor,
                               .output = plan->output};
    int status = averaging_init(&a, solve->run, e);
    if (status == 0) {
        enum verdict verdict = passes_run(&a.passes);
        status = a.stopped ? hand_over(&a, solve->w, solve->outcome, e)
                           : passes_finish(&a.passes, verdict, solve->w, solve->outcome, e);
    }
    for (int64_t j = 0; status == 0 && plan->mean != NULL && j < a.design->columns; j++)
        plan->mean[j] = a.g[j] / fmax(1, (double)a.passes.t);
    averaging_free(&a);
    return status;
}
