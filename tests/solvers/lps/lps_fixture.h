/* lps_fixture.h - the small problems of the tests of lps, problems on data of their own, and runs with
 * every report kept. Include after cmocka.h and near.h. */
#ifndef RRM_LPS_FIXTURE_H
#define RRM_LPS_FIXTURE_H

#include "solvers/lps/lps.h"
#include "solvers/optimality.h"
#include "tests/size.h"
#include "tests/solvers/bundle/bundle_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const regularizers[] = {"l1", "elastic-net"};
static const double lambdas[] = {1e-3, 1e-2, 0.1};
static const double some_w[MAX_DIMENSION] = {1, -2, 0, 0.5, 0, 3, 0, -1, 2, -2};
static const double rounding = 1e-13;

/* ---- the small problems */

enum { LAMBDAS = 3, VARIANTS = 8, PROBLEMS = 4 * 2 * VARIANTS * LAMBDAS };

/* From problem to problem; has no factor of PROBLEMS, so some problem has each of two properties. */
enum { STEP = PART(5, 7) };

/* Variants 0 to 7 of the small problem. */
static inline void set_up_variant(struct fixture *f, const char *loss, const char *regularizer,
                                  int variant, double lambda) {
    set_up_with(f, loss, lambda, variant & 1 ? 0.5 : -1, variant & 2, variant & 4);
    f->problem.regularizer = regularizer_by_name(regularizer);
    f->problem.parameters.elastic = 0.3;
}

/* Problem k: every loss, both regularizers, every variant, every lambda. */
static inline void set_up_problem(struct fixture *f, int k) {
    set_up_variant(f, smooth_losses[k / 6 / VARIANTS], regularizers[k / 3 % 2], k / 6 % VARIANTS,
                   lambdas[k % LAMBDAS]);
}

/* ---- runs */

struct limits {
    double epsilon, passes, seconds;
    uint64_t seed;
    bool warm;
    struct monitor_observer observer;
};

static const struct limits tight = {.epsilon = 1e-9, .passes = 10000, .seconds = INFINITY};

static struct history history;

/* The status; w is the start and the result. */
static inline int run_from(const struct problem *problem, const char *const *words,
                           const struct limits *limits, const struct lps_start *start, double *w,
                           struct outcome *outcome) {
    void *options = solver_options_parse(solver_by_name("lps"), words);
    struct run_settings run = {
        .passes = limits->passes, .passes_given = true, .seed = limits->seed, .warm = limits->warm};
    struct monitor_settings settings = {.epsilon = limits->epsilon,
                                        .passes = limits->passes,
                                        .time_limit = limits->seconds,
                                        .trace = tmpfile(),
                                        .observer = limits->observer};
    struct monitor monitor;
    struct error e = {0};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status = start != NULL
                     ? lps_run(&(struct solve){problem, &run, NULL, &monitor, w, outcome}, options,
                               start, &e)
                     : solver_by_name("lps")->train(
                           &(struct solve){problem, &run, options, &monitor, w, outcome}, &e);
    monitor_end(&monitor);
    read_history(settings.trace, &history);
    fclose(settings.trace);
    free(options);
    return status;
}

static inline void run(const struct problem *problem, const char *const *words,
                       const struct limits *limits, double *w, struct outcome *outcome) {
    assert_int_equal(run_from(problem, words, limits, NULL, w, outcome), 0);
    const struct scalar_terms *terms = problem->risk->scalar;
    double digits = 1e-16 * vector_largest(terms->target, terms->design->rows);
    assert_near(outcome->objective, problem_objective(problem, w),
                rounding * outcome->objective + digits);
    assert_true(outcome->bound <= outcome->objective);
}

/* ---- problems on data of their own */

/* A problem on data of its own, w of any length. */
struct other {
    struct dataset data;
    struct scalar_settings scalar;
    struct problem problem;
    struct outcome outcome;
    double *w;
};

static inline void begin_other(struct other *o, struct dataset data, const char *loss,
                               const char *regularizer, bool intercept) {
    *o = (struct other){.data = data};
    o->scalar = (struct scalar_settings){.data = &o->data,
                                         .target = data.label,
                                         .loss = loss_by_name(loss),
                                         .parameters = {0.1, 0.5, 1},
                                         .bias = -1,
                                         .intercept = intercept};
    o->problem = (struct problem){.regularizer = regularizer_by_name(regularizer),
                                  .parameters = {.elastic = 0.3},
                                  .lambda = 1};
}

/* Trains from 0 at this fraction of the largest lambda; if that is 0, at lambda = FRACTION. */
static inline void train_other(struct other *o, const char *const *words, double fraction,
                               double epsilon) {
    struct limits limits = tight;
    limits.epsilon = epsilon;
    risk_free((struct risk *)o->problem.risk);
    o->problem.risk = scalar_risk_new(&o->scalar, NULL);
    size_t n = (size_t)o->problem.risk->dimension;
    double *gradient = malloc(sizeof *gradient * n);
    free(o->w);
    o->w = calloc(n, sizeof *o->w);
    double largest = optimality_lambda_max(&o->problem, o->w, gradient, NULL);
    o->problem.lambda = fraction * (largest > 0 ? largest : 1);
    memset(o->w, 0, sizeof *o->w * n);
    run(&o->problem, words, &limits, o->w, &o->outcome);
    free(gradient);
}

static inline void end_other(struct other *o) {
    risk_free((struct risk *)o->problem.risk);
    dataset_free(&o->data);
    free(o->w);
}

/* Columns of different scales, a few entries in each row; labels from the first columns. */
static inline struct dataset sparse_data(int64_t rows, int32_t features, int filled,
                                         uint64_t seed) {
    struct random random;
    struct dataset data = random_data(rows, filled, false, 1);
    random_seed(&random, seed, 3);
    for (int64_t i = 0; i < rows; i++) {
        double score = 0.2 * (random_unit(&random) - 0.5);
        for (int k = 0; k < filled; k++) {
            int32_t first = features / filled * k, width = features / filled;
            double value = 2 * random_unit(&random) - 1;
            data.column[i * filled + k] =
                first + (int32_t)(width * pow(random_unit(&random), 2 + k % 3));
            data.value[i * filled + k] = value;
            score += k % 2 ? value : -value;
        }
        data.start[i + 1] = (i + 1) * filled;
        data.label[i] = score > 0 ? 1 : -1;
    }
    data.nonzeros = rows * filled;
    data.features = features;
    return data;
}

#endif
