/* ipm_fixture.h - what the tests of ipm share: a problem of 240 rows, training, J by a plain loop. Included after
 * cmocka.h. */
#ifndef RRM_IPM_FIXTURE_H
#define RRM_IPM_FIXTURE_H

#include "solvers/dual_bound.h"
#include "solvers/solver.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 240, FEATURES = 7, MAX_DIMENSION = 128 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    struct scalar_settings scalar;
    struct problem problem;
    struct outcome outcome;
    struct error error;
    double w[MAX_DIMENSION];
};

static inline void set_up(struct fixture *f, const struct loss *loss, double lambda) {
    struct random random;
    random_seed(&random, 6, 0);
    *f = (struct fixture){.data = random_data(ROWS, FEATURES, false, 8)};
    for (int i = 0; i < ROWS; i++) {
        f->target[i] =
            loss->task == TASK_CLASSIFICATION ? f->data.label[i] : 3 * random_unit(&random) + 1;
        f->weight[i] = i % 5 == 0 ? 0 : 2 * random_unit(&random);
    }
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .loss = loss,
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = -1};
    f->problem = (struct problem){.regularizer = regularizer_by_name("l2"), .lambda = lambda};
}

static inline void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

/* Trains to the relative gap, or to a limit; the status. The fixture's w is the start. */
static inline int train_within(struct fixture *f, double epsilon, double passes, double seconds,
                               const char *const *words) {
    void *settings_of_solver = solver_options_parse(solver_by_name("ipm"), words);
    struct run_settings run = {.passes = passes};
    struct monitor_settings settings = {
        .epsilon = epsilon, .passes = passes, .time_limit = seconds};
    struct monitor monitor;
    risk_free((struct risk *)f->problem.risk);
    f->problem.risk = scalar_risk_new(&f->scalar, NULL);
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status = solver_by_name("ipm")->train(
        &(struct solve){&f->problem, &run, settings_of_solver, &monitor, f->w, &f->outcome},
        &f->error);
    monitor_end(&monitor);
    free(settings_of_solver);
    return status;
}

static inline int train(struct fixture *f, double epsilon, const char *const *words) {
    return train_within(f, epsilon, 10000, INFINITY, words);
}

/* J(w), row by row. */
static inline double plain_objective(const struct fixture *f) {
    double sum = 0, weights = 0;
    for (int64_t i = 0; i < f->data.rows; i++) {
        double a, c = f->scalar.weight == NULL ? 1 : f->scalar.weight[i], u = 0;
        for (int64_t k = f->data.start[i]; k < f->data.start[i + 1]; k++)
            u += f->w[f->data.column[k]] * (f->data.value == NULL ? 1 : f->data.value[k]);
        if (f->scalar.bias >= 0)
            u += f->scalar.bias * f->w[f->data.features];
        if (f->scalar.intercept)
            u += f->w[f->problem.risk->regularized];
        sum += c * f->scalar.loss->value(u, f->scalar.target[i], &f->scalar.parameters, &a);
        weights += c;
    }
    return f->problem.lambda / 2 * vector_dot(f->w, f->w, f->problem.risk->regularized) +
           sum / weights;
}

/* The certified gap, and J at w as reported; no random point near w is below the bound. */
static inline void check_optimum(struct fixture *f, double epsilon) {
    struct random random;
    random_seed(&random, 12, 0);
    assert_int_equal(train(f, epsilon, NULL), 0);
    double j = f->outcome.objective, bound = f->outcome.bound, best[MAX_DIMENSION];
    if (f->outcome.verdict != VERDICT_CONVERGED)
        print_error("%s, lambda %g, bias %g, intercept %d: J %.17g, bound %.17g\n",
                    f->scalar.loss->name, f->problem.lambda, f->scalar.bias, f->scalar.intercept, j,
                    bound);
    assert_int_equal(f->outcome.verdict, VERDICT_CONVERGED);
    assert_true(bound <= j && j - bound <= epsilon * j);
    assert_near(plain_objective(f), j, 1e-12 * j);
    memcpy(best, f->w, sizeof best);
    for (int trial = 0; trial < 100; trial++) {
        for (int k = 0; k < f->problem.risk->dimension; k++)
            f->w[k] = best[k] + pow(10, -trial % 8) * (2 * random_unit(&random) - 1);
        assert_true(plain_objective(f) >= bound - 1e-13 * j);
    }
    memcpy(f->w, best, sizeof best);
}

static inline double gaussian(struct random *random) {
    return sqrt(-2 * log(1 - random_unit(random))) * cos(2 * M_PI * random_unit(random));
}

/* No value is 0; labels by a noisy linear rule. */
static inline struct dataset dense_data(int64_t rows, int32_t features, struct random *random) {
    struct dataset data = random_data(rows, features, false, 1);
    data.nonzeros = rows * features;
    for (int64_t k = 0; k < data.nonzeros; k++) {
        data.column[k] = (int32_t)(k % features);
        data.value[k] = gaussian(random);
    }
    for (int64_t i = 0; i < rows; i++) {
        const double *x = data.value + i * features;
        data.start[i + 1] = (i + 1) * features;
        data.label[i] = x[0] + x[1] > 0.5 * gaussian(random) ? 1 : -1;
    }
    return data;
}

static const double lambdas[] = {1e6, 1, 1e-2, 1e-5, 1e-8, 1e-12};
enum { LAMBDAS = sizeof lambdas / sizeof *lambdas };

static inline void every_loss_reaches_its_optimum(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < LAMBDAS * 6; k++) {
            struct fixture f;
            set_up(&f, &table[l], lambdas[k / 6]);
            f.scalar.weight = k % 2 ? f.weight : NULL;
            f.scalar.intercept = k % 6 >= 4;
            f.scalar.bias = k % 6 >= 2 && k % 6 != 4 ? 0.5 : -1;
            check_optimum(&f, 1e-9);
            tear_down(&f);
        }
}

#endif
