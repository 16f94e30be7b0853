/* dcd_fixture.h - random problems for tests of dcd, and runs of solvers on them. */
#ifndef RRM_DCD_FIXTURE_H
#define RRM_DCD_FIXTURE_H

#include "solvers/checkpoint.h"
#include "solvers/solver.h"
#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

#include <math.h>
#include <stdlib.h>

enum { ROWS_MOST = 60, FEATURES_MOST = 80, MOST = FEATURES_MOST + 1, PROBLEMS = 300 };

static const char *const losses[] = {"hinge",   "squared-hinge", "squared", "absolute",
                                     "epsilon", "huber",         "quantile"};
enum { LOSSES = sizeof losses / sizeof *losses };

struct fixture {
    struct dataset data;
    double target[ROWS_MOST], weight[ROWS_MOST];
    struct scalar_settings scalar;
    struct problem problem;
    double passes, seconds;
    bool warm;
    struct monitor_observer observer;
    struct checkpoint *checkpoint;
    struct error error;
};

struct result {
    struct outcome outcome;
    double w[MOST];
};

/* Rows, features, values, weights, a bias or an offset, and lambda, by the number of the problem. */
static inline void set_up(struct fixture *f, const char *loss, uint64_t number) {
    struct random random;
    random_seed(&random, number, 5);
    int64_t rows = 2 + (int64_t)random_below(&random, ROWS_MOST - 1);
    int32_t features = 1 + (int32_t)random_below(&random, FEATURES_MOST);
    *f = (struct fixture){.data = random_data(rows, features, number % 7 == 0, number),
                          .passes = 1e5,
                          .seconds = INFINITY};
    const struct loss *l = loss_by_name(loss);
    for (int64_t i = 0; i < rows; i++) {
        f->target[i] = l->task == TASK_CLASSIFICATION ? f->data.label[i]
                                                      : f->data.label[i] + random_unit(&random);
        f->weight[i] = i > 0 && random_below(&random, 4) == 0 ? 0 : 3 * random_unit(&random) + 0.01;
    }
    f->scalar = (struct scalar_settings){.data = &f->data,
                                         .target = f->target,
                                         .weight = number % 2 ? f->weight : NULL,
                                         .loss = l,
                                         .parameters = {0.1, 0.3, 0.8},
                                         .bias = number % 3 ? -1 : 0.5,
                                         .intercept = number % 3 == 1};
    f->problem = (struct problem){.risk = scalar_risk_new(&f->scalar, NULL),
                                  .regularizer = regularizer_by_name("l2"),
                                  .lambda = pow(10, 1 - 5 * random_unit(&random))};
    assert_non_null(f->problem.risk);
}

static inline void tear_down(struct fixture *f) {
    risk_free((struct risk *)f->problem.risk);
    dataset_free(&f->data);
}

static inline int try_train(struct fixture *f, const char *name, double epsilon, double *w,
                            struct outcome *outcome) {
    const struct solver *solver = solver_by_name(name);
    void *own = solver_options_parse(solver, NULL);
    struct run_settings run = {.passes = f->passes, .warm = f->warm, .seed = 1};
    struct monitor_settings settings = {.epsilon = epsilon,
                                        .passes = f->passes,
                                        .time_limit = f->seconds,
                                        .observer = f->observer,
                                        .checkpoint = f->checkpoint};
    struct monitor monitor;
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    int status =
        solver->train(&(struct solve){&f->problem, &run, own, &monitor, w, outcome}, &f->error);
    monitor_end(&monitor);
    free(own);
    return status;
}

/* The result; w in it is the start. */
static inline void train(struct fixture *f, const char *name, double epsilon,
                         struct result *result) {
    assert_int_equal(try_train(f, name, epsilon, result->w, &result->outcome), 0);
    double objective = problem_objective(&f->problem, result->w);
    assert_near(result->outcome.objective, objective, 1e-12 * objective);
    assert_true(result->outcome.bound <= result->outcome.objective);
}

static inline bool agree(const struct outcome *a, const struct outcome *b, double epsilon) {
    double slack = 1e-13 * b->objective;
    return a->verdict == VERDICT_CONVERGED && a->objective - a->bound <= epsilon * a->objective &&
           a->bound <= b->objective + slack && b->bound <= a->objective + slack;
}

#endif
