/* shrinking.c - the loop of sgd, tg and fobos: batches of examples move weights that are kept lazily. */
#include "solvers/sparse/shrinking.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/online/certify.h"
#include "solvers/sparse/lazy.h"

#include <math.h>
#include <stdlib.h>

struct shrinking {
    struct passes passes;
    const struct design *design;
    const struct shrinking_rule *rule;
    double gamma;
    enum sparse_step kind; /* not SPARSE_AUTO */
    double decay;          /* --step anneal: alpha_{t+1}/alpha_t */
    double annealed;       /* of it: the present alpha_t */
    double
        *slope; /* --step corrected, for each example: the latest derivative of its loss; or NULL */
    struct penalty penalty;
    struct sparse_batch batch;
    struct lazy x;             /* the regularized weights */
    double offset, offset_sum; /* the unregularized offset, and the sum of its iterates */
    double offset_drift;       /* --step corrected: its part of the mean gradient */
};

static const int32_t first_column = 0;
static const double anneal_factor = 1e-3; /* between the last and the first step of --step anneal */

enum { MAX_SINGLE_STEPS = 32 };              /* of lazy.h, each time a weight is needed */
enum { OPERATIONS_BETWEEN_POLLS = 1 << 20 }; /* of lazy.h: a few milliseconds */

/* The row's score, after bringing the weights of its features up to date. */
static double score(struct shrinking *s, int64_t row) {
    const struct design *d = s->design;
    double u = lazy_score(&s->x, 0, dataset_columns(d->data, row), dataset_values(d->data, row),
                          dataset_count(d->data, row));
    if (d->bias >= 0)
        u += lazy_score(&s->x, d->data->features, &first_column, &d->bias, 1);
    return u + s->offset;
}

/* w += c x for the row's features x. */
static void add(struct shrinking *s, double c, int64_t row) {
    const struct design *d = s->design;
    lazy_add(&s->x, c, 0, dataset_columns(d->data, row), dataset_values(d->data, row),
             dataset_count(d->data, row));
    if (d->bias >= 0)
        lazy_add(&s->x, c, d->data->features, &first_column, &d->bias, 1);
    if (d->intercept)
        s->offset += c;
}

/* Adds c x to the mean gradient. */
static void tilt(struct shrinking *s, double c, int64_t row) {
    const struct design *d = s->design;
    lazy_tilt(&s->x, c, 0, dataset_columns(d->data, row), dataset_values(d->data, row),
              dataset_count(d->data, row));
    if (d->bias >= 0)
        lazy_tilt(&s->x, c, d->data->features, &first_column, &d->bias, 1);
    if (d->intercept)
        s->offset_drift += c;
}

/* The parts of penalty and mean gradient in a step. */
static void shrink(struct shrinking *s, double length) {
    lazy_shrink(&s->x, length, length * s->penalty.l1, length * s->penalty.l2);
    s->offset -= length * s->offset_drift;
}

/* alpha_t, of the steps one after the other. With alpha_t > 1/l2 the subgradient of l2/2 ||w||^2 alone would carry
 * w beyond 0, so a subgradient step has at most half that length. */
static double step_length(struct shrinking *s, int64_t t) {
    double alpha = s->annealed;
    if (s->kind == SPARSE_SQRT)
        alpha = sqrt(2 / (double)t) / s->gamma;
    else if (s->kind == SPARSE_CORRECTED)
        alpha = (1 - (double)(t - 1) / (double)s->passes.limit) / s->gamma;
    bool limited = s->rule->subgradient && alpha * s->penalty.l2 > 0.5;
    s->annealed *= s->decay;
    return limited ? 0.5 / s->penalty.l2 : alpha;
}

/* ||x||^2 of the row, its constant features included. */
static double square_of_row(const struct design *d, int64_t row) {
    double square = sparse_square(dataset_values(d->data, row), dataset_count(d->data, row));
    if (d->bias >= 0)
        square += d->bias * d->bias;
    return square + d->intercept;
}

/* Draws the i-th example of the batch and finds the derivative of its loss. */
static void differentiate(struct shrinking *s, int64_t i, double alpha) {
    int64_t row = sparse_next(&s->batch, i);
    double u = score(s, row), mu = 0;
    if (s->kind != SPARSE_SQRT)
        mu = alpha * square_of_row(s->design, row);
    if (mu > 0)
        sparse_scored_after(&s->batch, i, s->slope == NULL ? u : u + mu * s->slope[row], mu);
    else
        sparse_scored(&s->batch, i, u);
}

/* The derivative of the i-th example's loss, less the one that the mean gradient has. */
static double correction(const struct shrinking *s, int64_t i) {
    double latest = s->slope == NULL ? 0 : s->slope[s->batch.row[i]];
    return s->batch.derivative[i] - latest;
}

/* The mean gradient learns the derivatives of the batch. The present step still has the gradient before, but what
 * follows moves the weights by LENGTH times the new one. */
static void keep_slopes(struct shrinking *s, double length) {
    const struct sparse_batch *b = &s->batch;
    const struct scalar_terms *terms = b->terms;
    for (int64_t i = 0; i < b->size; i++) {
        double share = scalar_weight(terms, b->row[i]) / terms->weight_sum;
        double change = share * correction(s, i);
        if (change != 0 && length != 0)
            add(s, length * change, b->row[i]);
        if (change != 0)
            tilt(s, change, b->row[i]);
        s->slope[b->row[i]] = b->derivative[i];
    }
}

/* One step: the derivatives of a batch, then the loss's step and the penalty's. */
static void step(struct shrinking *s) {
    struct sparse_batch *b = &s->batch;
    int64_t t = s->passes.t + 1;
    double alpha = step_length(s, t);
    double length = t % s->rule->every == 0 ? alpha * (double)s->rule->every : 0; /* of shrink */
    lazy_begin_step(&s->x);
    for (int64_t i = 0; i < b->size; i++)
        differentiate(s, i, alpha);
    /* The penalty's subgradient is that at w_t, so it comes before the additions. */
    if (s->rule->subgradient)
        shrink(s, length);
    /* The loss's step. */
    for (int64_t i = 0; i < b->size; i++) {
        double c = -alpha * correction(s, i) / (double)b->size;
        if (c != 0)
            add(s, c, b->row[i]);
        s->passes.overflow = s->passes.overflow || !isfinite(c);
    }
    if (s->slope != NULL)
        keep_slopes(s, s->rule->subgradient ? 0 : length);
    /* The penalty's proximal step. */
    if (!s->rule->subgradient)
        shrink(s, length);
    s->offset_sum += s->offset;
    s->passes.t = t;
}

/* ---- the functions of struct passes_method */

/* Makes steps until `end`, an overflow, or as many operations as fit between two looks at the clock. */

static enum verdict advance(void *state, int64_t end) {
    struct shrinking *s = state;
    int64_t limit = s->x.operations + OPERATIONS_BETWEEN_POLLS;
    while (s->passes.t < end && !s->passes.overflow && s->x.operations < limit)
        step(s);
    return VERDICT_GO_ON;
}

/* Writes the mean of the iterates if it is kept, else the present iterate. */
static void copy(const void *state, double *w) {
    const struct shrinking *s = state;
    const struct design *d = s->design;
    bool mean = s->x.sum != NULL && s->passes.t > 0;
    if (d->intercept)
        w[d->regularized] = mean ? s->offset_sum : s->offset;
    if (!mean) {
        lazy_copy(&s->x, w);
        return;
    }
    lazy_copy_sums(&s->x, w);
    for (int64_t j = 0; j < d->columns; j++)
        w[j] /= (double)s->passes.t;
}

static void visit(void *state, struct state *list) {
    struct shrinking *s = state;
    sampler_visit(&s->batch.sampler, list);
    lazy_visit(&s->x, list);
    STATE_REALS(list, &s->annealed, &s->offset, &s->offset_sum, &s->offset_drift);
    if (s->slope != NULL)
        state_doubles(list, s->slope, s->design->rows);
}

static const struct passes_method method = {
    .advance = advance, .copy = copy, .visit = visit, .deltas = true};

static int shrinking_init(struct shrinking *s, const struct run_settings *run, const double *w,
                          struct error *e) {
    const struct design *d = s->design;
    if (passes_init(&s->passes, run, e) != 0)
        return -1;
    const struct lazy_settings settings = {.n = d->regularized,
                                           .subgradient = s->rule->subgradient,
                                           .decays = s->penalty.l2 > 0,
                                           .averaged = s->passes.output == OUTPUT_AVERAGE,
                                           .drifts = s->kind == SPARSE_CORRECTED,
                                           .theta = s->rule->theta,
                                           .max_single_steps = MAX_SINGLE_STEPS,
                                           .min_window = s->passes.steps,
                                           .max_window = s->passes.limit};
    if (lazy_init(&s->x, &settings, w, e) != 0 ||
        sparse_batch_init(&s->batch, s->passes.problem, run, e) != 0)
        return -1;
    if (s->kind == SPARSE_CORRECTED)
        s->slope = memory_zeroed(d->rows, sizeof *s->slope, "the losses' derivatives", e);
    if (s->kind == SPARSE_CORRECTED && s->slope == NULL)
        return -1;
    if (d->intercept)
        s->offset = w[d->regularized];
    s->annealed = 1 / s->gamma;
    s->decay = pow(anneal_factor, 1 / (double)s->passes.limit);
    passes_start(&s->passes, run->warm);
    return 0;
}

int shrinking_check(const struct solver_request *request, struct error *e) {
    const struct sparse_settings *settings = request->options;
    if (settings->step == SPARSE_CORRECTED && settings->output == OUTPUT_AVERAGE)
        return error_usage(e, "--output average is for --step anneal and sqrt; drop it");
    return 0;
}

static enum sparse_step step_kind(const struct sparse_settings *settings, double theta) {
    if (settings->step != SPARSE_AUTO)
        return settings->step;
    return settings->output == OUTPUT_AVERAGE || isfinite(theta) ? SPARSE_ANNEAL : SPARSE_CORRECTED;
}

/* Of gamma, from a sample to all rows. */
static double growth(const struct problem *problem, enum sparse_step kind) {
    if (kind == SPARSE_CORRECTED)
        return sparse_corrected_growth(problem);
    return kind == SPARSE_ANNEAL ? 0.5 : 0;
}

int shrinking_train(const struct solve *solve, const struct shrinking_rule *rule, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct sparse_settings *settings = solve->options;
    enum sparse_step kind = step_kind(settings, rule->theta);
    struct shrinking s = {.design = problem->risk->scalar->design,
                          .rule = rule,
                          .gamma = sparse_gamma(rule->solver, solve, growth(problem, kind), e),
                          .kind = kind,
                          .penalty = problem_penalty_parts(problem)};
    s.passes = (struct passes){.problem = problem,
                               .method = &method,
                               .state = &s,
                               .monitor = solve->monitor,
                               .output = settings->output};
    int status = s.gamma > 0 ? shrinking_init(&s, solve->run, solve->w, e) : -1;
    if (status == 0) {
        enum verdict verdict;
        status = passes_run(&s.passes, &verdict, e);
        if (status == 0)
            status = passes_finish(&s.passes, verdict, solve->w, solve->outcome, e);
    }
    if (status == 0)
        certify_result(solve);
    passes_free(&s.passes);
    sparse_batch_free(&s.batch);
    free(s.slope);
    lazy_free(&s.x);
    return status;
}
