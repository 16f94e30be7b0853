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
    bool anneals;    /* --step anneal */
    double decay;    /* of it: alpha_{t+1}/alpha_t */
    double annealed; /* of it: the present alpha_t */
    struct penalty penalty;
    struct sparse_batch batch;
    struct lazy x;             /* the regularized weights */
    double offset, offset_sum; /* the unregularized offset, and the sum of its iterates */
};

static const int32_t first_column = 0;
static const double anneal_factor = 1e-3; /* between the last and the first step of --step anneal */
static const double anneal_growth = 0.5;  /* of its gamma, from a sample to all rows */

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

/* The penalty's part of step t, of length 0 between the multiples of K. */
static void shrink(struct shrinking *s, double alpha, int64_t t) {
    int64_t every = s->rule->every;
    double length = t % every == 0 ? alpha * (double)every : 0;
    lazy_shrink(&s->x, length * s->penalty.l1, length * s->penalty.l2);
}

/* alpha_t, of the steps one after the other. With alpha_t > 1/l2 the subgradient of l2/2 ||w||^2 alone would carry
 * w beyond 0, so a subgradient step has at most half that length. */
static double step_length(struct shrinking *s, int64_t t) {
    double alpha = s->anneals ? s->annealed : sqrt(2 / (double)t) / s->gamma;
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
    double u = score(s, row), square = s->anneals ? square_of_row(s->design, row) : 0;
    if (square > 0)
        sparse_scored_after(&s->batch, i, u, alpha * square);
    else
        sparse_scored(&s->batch, i, u);
}

/* One step: the derivatives of a batch, then the loss's step and the penalty's. */
static void step(struct shrinking *s) {
    struct sparse_batch *b = &s->batch;
    int64_t t = s->passes.t + 1;
    double alpha = step_length(s, t);
    lazy_begin_step(&s->x);
    for (int64_t i = 0; i < b->size; i++)
        differentiate(s, i, alpha);
    /* The penalty's subgradient is that at w_t, so it comes before the additions. */
    if (s->rule->subgradient)
        shrink(s, alpha, t);
    /* The loss's step. */
    for (int64_t i = 0; i < b->size; i++) {
        double c = -alpha * b->derivative[i] / (double)b->size;
        if (c != 0)
            add(s, c, b->row[i]);
        s->passes.overflow = s->passes.overflow || !isfinite(c);
    }
    /* The penalty's proximal step. */
    if (!s->rule->subgradient)
        shrink(s, alpha, t);
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
    STATE_REALS(list, &s->annealed, &s->offset, &s->offset_sum);
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
                                           .theta = s->rule->theta,
                                           .max_single_steps = MAX_SINGLE_STEPS,
                                           .min_window = s->passes.steps,
                                           .max_window = s->passes.limit};
    if (lazy_init(&s->x, &settings, w, e) != 0 ||
        sparse_batch_init(&s->batch, s->passes.problem, run, e) != 0)
        return -1;
    if (d->intercept)
        s->offset = w[d->regularized];
    s->annealed = 1 / s->gamma;
    s->decay = pow(anneal_factor, 1 / (double)s->passes.limit);
    passes_start(&s->passes, run->warm);
    return 0;
}

int shrinking_train(const struct solve *solve, const struct shrinking_rule *rule, struct error *e) {
    const struct problem *problem = solve->problem;
    const struct sparse_settings *settings = solve->options;
    bool anneals = settings->step == SPARSE_ANNEAL;
    struct shrinking s = {.design = problem->risk->scalar->design,
                          .rule = rule,
                          .gamma =
                              sparse_gamma(rule->solver, solve, anneals ? anneal_growth : 0, e),
                          .anneals = anneals,
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
    lazy_free(&s.x);
    return status;
}
