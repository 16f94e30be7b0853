/* corrected_averaging.c - dual averaging with corrected gradients. */
#include "solvers/sparse/corrected_averaging.h"

#include "io/memory.h"
#include "math/vector.h"
#include "solvers/online/certify.h"

#include <math.h>
#include <stdlib.h>

/* Z_j after step `since`, from which on it grows by `mean`, its part of h, in each step. */
struct coordinate {
    double z, mean;
    int64_t since;
};

struct corrected_averaging {
    struct passes passes;
    const struct design *design;
    struct sparse_batch batch;
    struct penalty penalty;
    double gamma;
    double *slope;        /* rows: the latest derivative of each loss */
    double *latest;       /* batch: the same of its examples, as the step found them */
    struct coordinate *z; /* columns of the design */
};

/* f_t. */
static double factor_after(const struct corrected_averaging *a, int64_t t) {
    return 1 / (a->penalty.l2 * (double)t + a->gamma);
}

/* Z_j after step t. */
static inline double z_after(const struct coordinate *z, int64_t t) {
    return z->z + z->mean * (double)(t - z->since);
}

/* The inner product of a sparse vector and soft(-Z, threshold). */
static double score_part(const struct coordinate *z, int64_t t, double threshold,
                         const int32_t *column, const double *value, int64_t count) {
    double u = 0;
    for (int64_t k = 0; k < count; k++)
        u += (value == NULL ? 1 : value[k]) * soft(-z_after(&z[column[k]], t), threshold);
    return u;
}

static double score(const struct corrected_averaging *a, int64_t row) {
    const struct design *d = a->design;
    int64_t t = a->passes.t;
    double threshold = a->penalty.l1 * (double)t;
    double u = score_part(a->z, t, threshold, dataset_columns(d->data, row),
                          dataset_values(d->data, row), dataset_count(d->data, row));
    if (d->bias >= 0)
        u += d->bias * soft(-z_after(&a->z[d->data->features], t), threshold);
    u *= factor_after(a, t);
    if (d->intercept)
        u -= z_after(&a->z[d->regularized], t) / a->gamma;
    return u;
}

/* Draws the i-th example of the batch and finds the derivative of its loss. */
static void differentiate(struct corrected_averaging *a, int64_t i) {
    const struct design *d = a->design;
    int64_t row = sparse_next(&a->batch, i);
    double u = score(a, row),
           mu = factor_after(a, a->passes.t + 1) * row_square(d->data, row, d->bias);
    if (d->intercept)
        mu += 1 / a->gamma;
    a->latest[i] = a->slope[row];
    if (mu > 0)
        sparse_scored_after(&a->batch, i, u + mu * a->latest[i], mu);
    else
        sparse_scored(&a->batch, i, u);
}

/* Z_j after step t with `change` more, and its mean gradient with `learned` more. */
static inline void move(struct coordinate *z, int64_t t, double change, double learned) {
    *z = (struct coordinate){z_after(z, t) + change, z->mean + learned, t};
}

/* The same for the features of a row, times their values. */
static void move_row(struct corrected_averaging *a, int64_t row, double change, double learned) {
    const struct design *d = a->design;
    const int32_t *column = dataset_columns(d->data, row);
    const double *value = dataset_values(d->data, row);
    int64_t t = a->passes.t;
    for (int64_t k = 0; k < dataset_count(d->data, row); k++) {
        double v = value == NULL ? 1 : value[k];
        move(&a->z[column[k]], t, change * v, learned * v);
    }
    if (d->bias >= 0)
        move(&a->z[d->data->features], t, change * d->bias, learned * d->bias);
    if (d->intercept)
        move(&a->z[d->regularized], t, change, learned);
}

/* One step. The present one still has the mean gradient before it: move() adds that first. */
static void step(struct corrected_averaging *a) {
    const struct sparse_batch *b = &a->batch;
    const struct scalar_terms *terms = b->terms;
    for (int64_t i = 0; i < b->size; i++)
        differentiate(a, i);
    a->passes.t++;
    for (int64_t i = 0; i < b->size; i++) {
        int64_t row = b->row[i];
        double change = (b->derivative[i] - a->latest[i]) / (double)b->size;
        double share = scalar_weight(terms, row) / terms->weight_sum;
        if (change != 0)
            move_row(a, row, change, share * (b->derivative[i] - a->slope[row]));
        a->slope[row] = b->derivative[i];
        a->passes.overflow = a->passes.overflow || !isfinite(change);
    }
}

/* ---- the functions of struct passes_method */

static enum verdict advance(void *state, int64_t end) {
    struct corrected_averaging *a = state;
    while (a->passes.t < end && !a->passes.overflow)
        step(a);
    return VERDICT_GO_ON;
}

static void copy(const void *state, double *w) {
    const struct corrected_averaging *a = state;
    const struct design *d = a->design;
    int64_t t = a->passes.t;
    double factor = factor_after(a, t), threshold = a->penalty.l1 * (double)t;
    for (int64_t j = 0; j < d->regularized; j++)
        w[j] = 0 + factor * soft(-z_after(&a->z[j], t), threshold); /* never -0 */
    if (d->intercept)
        w[d->regularized] = 0 - z_after(&a->z[d->regularized], t) / a->gamma;
}

static void visit(void *state, struct state *list) {
    struct corrected_averaging *a = state;
    sampler_visit(&a->batch.sampler, list);
    for (int64_t j = 0; j < a->design->columns; j++) {
        STATE_REALS(list, &a->z[j].z, &a->z[j].mean);
        a->z[j].since = state_integer(list, a->z[j].since, 0, a->passes.limit);
    }
    state_doubles(list, a->slope, a->design->rows);
}

static const struct passes_method method = {
    .advance = advance, .copy = copy, .visit = visit, .deltas = true};

static int init(struct corrected_averaging *a, const struct run_settings *run, struct error *e) {
    a->z = memory_zeroed(a->design->columns, sizeof *a->z, "the gradients", e);
    a->slope = memory_zeroed(a->design->rows, sizeof *a->slope, "the losses' derivatives", e);
    if (a->z == NULL || a->slope == NULL || passes_init(&a->passes, run, e) != 0 ||
        sparse_batch_init(&a->batch, a->passes.problem, run, e) != 0)
        return -1;
    a->latest = memory_new(a->batch.size, sizeof *a->latest, "the batch", e);
    if (a->latest == NULL)
        return -1;
    passes_start(&a->passes, false);
    return 0;
}

int corrected_averaging_run(const struct solve *solve, double gamma, int output, struct error *e) {
    const struct problem *problem = solve->problem;
    struct corrected_averaging a = {.design = problem->risk->scalar->design,
                                    .penalty = problem_penalty_parts(problem),
                                    .gamma = gamma};
    enum verdict verdict;
    a.passes = (struct passes){.problem = problem,
                               .method = &method,
                               .state = &a,
                               .monitor = solve->monitor,
                               .output = output};
    int status = init(&a, solve->run, e);
    if (status == 0)
        status = passes_run(&a.passes, &verdict, e);
    if (status == 0)
        status = passes_finish(&a.passes, verdict, solve->w, solve->outcome, e);
    if (status == 0)
        certify_result(solve);
    passes_free(&a.passes);
    sparse_batch_free(&a.batch);
    free(a.z);
    free(a.slope);
    free(a.latest);
    return status;
}
