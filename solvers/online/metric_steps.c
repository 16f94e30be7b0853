/* metric_steps.c - the loop of online.h with steps in a metric. Those of many examples are made by threads, as
 * batch_step.h says. */
#include "solvers/online/metric_steps.h"

#include "io/memory.h"
#include "solvers/online/batch_step.h"
#include "solvers/online/certify.h"
#include "solvers/online/metric.h"
#include "solvers/sampler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double fold_cost =
    4; /* folds: at most one access of a column for so many of a nonzero */

/* Subgradients with so large a part of the columns in entries are summed by threads: of one after the other each entry
 * is met three times. */
enum { DENSE_PART = 4 };

/* A step at most, over the one that makes the linearized loss of the batch 0. Without a limit squared losses diverge
 * at examples with rare features. */
static const double longest_step = 4;

/* An example of the present step. */
struct visit {
    int64_t row;
    const double *value;
    double loss, slope, score;
};

struct metric_run {
    struct passes passes; /* its `t` counts the steps */
    const struct problem *problem;
    const struct online_settings *settings;
    const struct online_constants *constants;
    const struct online_rule *rule;
    void *state; /* the rule's */
    struct metric metric;
    struct sampler sampler;
    struct certify certify;
    bool certifies;   /* `certify` is there */
    double bound;     /* the best of `certify` */
    double objective; /* J at the last check */
    struct visit *batch;
    double *mean;                /* work for batches of several; 0 between its uses */
    struct batch_step *parallel; /* for steps of many examples; NULL: one after the other */
    struct risk_item *item;      /* then the subgradients */
    double mean_score; /* of a step with a dense gradient: <p, g>, g the sum of the subgradients */
    double loss, slope_score; /* of the step: means of the loss, and of its slope times the score */
    double convexity;         /* ||w||^2/||w||_M^2 at the last fold */
    int64_t fold_interval;    /* steps between two folds */
    int64_t next_fold;
};

/* ---- a step */

static void score_example(struct metric_run *run, struct visit *visit, int64_t i) {
    const struct scalar_terms *terms = run->problem->risk->scalar;
    visit->row = i;
    visit->value = window_row(terms->design->data, i);
    visit->score = metric_score(&run->metric, i, visit->value);
    visit->loss = terms->loss->value(visit->score, scalar_target(terms, i), &terms->parameters,
                                     &visit->slope);
}

/* A subgradient: slope times the example with its constants. */
static void set_item(const struct design *design, const struct visit *visit,
                     struct risk_item *item) {
    static const double one = 1;
    const struct dataset *data = design->data;
    item->rows = 0;
    if (visit->slope == 0)
        return;
    item->row[item->rows++] = (struct scaled_row){visit->slope,
                                                  0,
                                                  dataset_count(data, visit->row),
                                                  dataset_columns(data, visit->row),
                                                  visit->value,
                                                  1,
                                                  1};
    if (data->dense)
        item->row[0].column = NULL;
    if (design->bias >= 0)
        item->row[item->rows++] =
            (struct scaled_row){visit->slope, data->features, 1, NULL, &design->bias, 1, 1};
    if (design->intercept)
        item->row[item->rows++] =
            (struct scaled_row){visit->slope, design->regularized, 1, NULL, &one, 1, 1};
}

/* Scores of many examples, and their subgradients, by threads. */
static void score_many(struct metric_run *run) {
    const struct design *design = run->problem->risk->scalar->design;
    int64_t k = run->constants->batch, *row = batch_step_items(run->parallel);
    for (int64_t b = 0; b < k; b++)
        row[b] = sampler_take(&run->sampler);
#pragma omp parallel for schedule(static)
    for (int64_t b = 0; b < k; b++) {
        batch_step_prefetch(run->parallel, b);
        score_example(run, &run->batch[b], row[b]);
        set_item(design, &run->batch[b], &run->item[b]);
    }
    batch_step_sum(run->parallel, run->item, design->columns / DENSE_PART);
}

/* Draws the examples of the next step; scores and slopes at w. */
static void draw_batch(struct metric_run *run) {
    int64_t k = run->constants->batch;
    run->slope_score = run->loss = 0;
    if (run->parallel != NULL)
        score_many(run);
    for (int64_t b = 0; b < k; b++) {
        struct visit *visit = &run->batch[b];
        if (run->parallel == NULL)
            score_example(run, visit, sampler_next(&run->sampler));
        run->loss += visit->loss / (double)k;
        run->slope_score += visit->slope * visit->score / (double)k;
    }
}

/* Whether the step has one dense gradient. */
static bool is_dense(const struct metric_run *run) {
    return run->parallel != NULL && batch_step_is_dense(run->parallel);
}

static void clear_row(const struct design *design, double *z, int64_t i) {
    const int32_t *column = dataset_columns(design->data, i);
    for (int64_t k = 0; k < dataset_count(design->data, i); k++)
        z[column[k]] = 0;
    for (int64_t j = design->data->features; j < design->columns; j++)
        z[j] = 0;
}

/* g'M^-1 g of the mean g of the batch's subgradients. */
static double subgradient_square(struct metric_run *run) {
    const struct metric *metric = &run->metric;
    int64_t k = run->constants->batch;
    double sum = 0, mean_score = 0;
    if (k == 1)
        return run->batch[0].slope * run->batch[0].slope * metric->row[run->batch[0].row].square;
    if (is_dense(run)) {
        metric_measure(metric, batch_step_gradient(run->parallel), &run->mean_score, &sum);
        return sum / ((double)k * (double)k);
    }
    for (int64_t b = 0; b < k; b++) {
        const struct visit *visit = &run->batch[b];
        sum += metric_add(metric, run->mean, visit->slope, visit->row, visit->value);
        mean_score += visit->slope * metric->row[visit->row].mean_score;
    }
    for (int64_t b = 0; b < k; b++)
        clear_row(metric->design, run->mean, run->batch[b].row);
    return fmax(sum - mean_score * mean_score * metric->outer, 0) / ((double)k * (double)k);
}

static void fold(struct metric_run *run) {
    metric_fold(&run->metric, run->problem->lambda);
    double radius = run->constants->radius;
    if (run->settings->project && run->metric.euclidean > radius * radius)
        metric_scale(&run->metric, radius / sqrt(run->metric.euclidean));
    run->convexity = run->metric.square > 0 ? run->metric.euclidean / run->metric.square : 0;
    run->next_fold = run->passes.t + run->fold_interval;
}

/* w -= c M^-1 times the sum of the batch's subgradients. */
static void subtract_batch(struct metric_run *run, double c) {
    if (is_dense(run)) {
        metric_subtract_all(&run->metric, c, run->mean_score, batch_step_gradient(run->parallel));
        return;
    }
    for (int64_t b = 0; b < run->constants->batch; b++) {
        const struct visit *visit = &run->batch[b];
        if (visit->slope != 0)
            metric_subtract(&run->metric, c * visit->slope, visit->row, visit->value);
    }
}

/* One step with the batch drawn; returns the rule's flags. */
static int step(struct metric_run *run) {
    struct metric *metric = &run->metric;
    struct online_rates rates = {.square = subgradient_square(run), .convexity = run->convexity};
    run->rule->rate(run->state, &rates);
    if (rates.eta * rates.square > longest_step * run->loss)
        rates.eta = longest_step * run->loss / rates.square;
    subtract_batch(run, rates.eta / (double)run->constants->batch);
    metric->square += rates.eta * (rates.eta * rates.square - 2 * run->slope_score);
    metric->eta_sum += rates.eta;
    run->passes.t++;
    if (run->passes.t >= run->next_fold)
        fold(run);
    run->passes.overflow = run->passes.overflow || !isfinite(metric->square);
    return run->rule->after(run->state, metric->square);
}

/* Raises the bound by w, unless it closes the gap. False if that was cut off. */
static bool certify(struct metric_run *run, const double *w) {
    const struct monitor *monitor = run->passes.monitor;
    if (monitor_closes(monitor, run->objective, run->bound))
        return true;
    double passes = certify_passes((double)run->passes.t / (double)run->passes.steps);
    double bound = certify_bound(&run->certify, w, run->objective, monitor->tolerance, passes);
    run->bound = fmax(run->bound, bound);
    return !run->certify.cut;
}

/* What follows the rule's answer. */
static enum verdict end_check(struct metric_run *run) {
    int flags = run->passes.pending;
    bool seeks = flags & ONLINE_CERTIFY && run->certifies;
    if (seeks && !certify(run, run->passes.point))
        return VERDICT_GO_ON; /* the check is still pending */
    run->passes.pending = 0;
    if (!seeks)
        return flags & ONLINE_DONE ? VERDICT_SETTLED : VERDICT_GO_ON;
    return monitor_confirm(run->passes.monitor, VERDICT_GO_ON, run->objective, run->bound);
}

/* A check that a checkpoint left pending. */
static enum verdict resume_check(struct metric_run *run) {
    metric_copy(&run->metric, run->passes.point);
    return end_check(run);
}

/* Evaluates J and asks the rule whether the run is over. */
static enum verdict check(struct metric_run *run) {
    fold(run);
    double objective = passes_evaluate(&run->passes);
    enum verdict verdict = passes_report(&run->passes, objective);
    if (isnan(objective) || verdict != VERDICT_GO_ON)
        return verdict;
    run->objective = objective;
    run->passes.pending = run->rule->checked(run->state, run->passes.t, objective);
    return end_check(run);
}

/* ---- the functions of struct passes_method */

static enum verdict advance(void *state, int64_t end) {
    struct metric_run *run = state;
    if (run->passes.pending != 0)
        return resume_check(run);
    while (run->passes.t < end && !run->passes.overflow) {
        draw_batch(run);
        if (risk_stopped(run->problem->risk))
            return monitor_poll(run->passes.monitor);
        if (step(run) & ONLINE_CHECK)
            return check(run); /* the clock is read after it */
    }
    return VERDICT_GO_ON;
}

static void begin_pass(void *state) {
    fold(state);
}

static void copy(const void *state, double *w) {
    metric_copy(&((const struct metric_run *)state)->metric, w);
}

static void list_run(void *state, struct state *list) {
    struct metric_run *run = state;
    metric_visit(&run->metric, list);
    sampler_visit(&run->sampler, list);
    STATE_REALS(list, &run->bound, &run->convexity, &run->objective);
    run->next_fold = state_integer(list, run->next_fold, 0, INT64_MAX);
    run->rule->visit(run->state, list);
}

static const struct passes_method method = {
    .advance = advance, .begin_pass = begin_pass, .copy = copy, .visit = list_run};

/* ---- begin and end */

static int run_init(struct metric_run *run, const struct solve *solve, struct error *e) {
    const struct risk *risk = run->problem->risk;
    const struct design *design = risk->scalar->design;
    int64_t k = run->constants->batch;
    run->batch = memory_new(k, sizeof *run->batch, "the examples of a step", e);
    run->mean = memory_zeroed(design->columns, sizeof *run->mean, "a gradient", e);
    if (run->batch == NULL || run->mean == NULL || batch_step_new(risk, k, &run->parallel, e) != 0)
        return -1;
    if (run->parallel != NULL) {
        run->item = memory_zeroed(k, sizeof *run->item, "the examples of a step", e);
        if (run->item == NULL)
            return -1;
    }
    if (passes_init(&run->passes, solve->run, e) != 0 ||
        metric_init(&run->metric, risk->scalar, METRIC_STEPS, run->problem->lambda, solve->w, e) !=
            0 ||
        sampler_init(&run->sampler, risk, run->rule->shuffles, k, solve->run->seed,
                     solve->run->stream, e) != 0)
        return -1;
    run->certifies = certify_is_possible(run->problem);
    if (run->certifies && certify_init(&run->certify, run->problem, solve->monitor, e) != 0)
        return -1;
    double nonzeros = fmax((double)design->data->nonzeros, 1);
    double interval = fold_cost * (double)design->columns * (double)design->rows / nonzeros;
    run->fold_interval = (int64_t)fmax(1, ceil(fmin(interval, 1e15) / (double)k));
    run->passes.overflow = !isfinite(run->metric.outer);
    fold(run);
    passes_start(&run->passes, solve->run->warm);
    return 0;
}

static void run_free(struct metric_run *run) {
    passes_free(&run->passes);
    sampler_free(&run->sampler);
    metric_free(&run->metric);
    certify_free(&run->certify);
    batch_step_free(run->parallel);
    free(run->item);
    free(run->batch);
    free(run->mean);
}

int metric_train(const struct solve *solve, const struct online_constants *constants,
                 const struct online_rule *rule, void *state, struct error *e) {
    const struct online_settings *settings = solve->options;
    struct metric_run run = {.problem = solve->problem,
                             .settings = settings,
                             .constants = constants,
                             .rule = rule,
                             .state = state};
    run.passes = (struct passes){.problem = solve->problem,
                                 .method = &method,
                                 .state = &run,
                                 .monitor = solve->monitor,
                                 .output = settings->output};
    if (online_check_batch(solve->problem, constants->batch, e) != 0)
        return -1;
    int status = run_init(&run, solve, e);
    if (status == 0) {
        enum verdict verdict;
        status = passes_run(&run.passes, &verdict, e);
        if (status == 0)
            status = passes_finish(&run.passes, verdict, solve->w, solve->outcome, e);
    }
    if (status == 0) {
        solve->outcome->bound =
            fmin(fmax(solve->outcome->bound, run.bound), solve->outcome->objective);
        certify_result(solve);
    }
    run_free(&run);
    return status;
}
