/* Risks over items in a metric: the mean squares of features, and accelerated gradient methods in this metric. */
#include "risk/multiclass.h"
#include "risk/sequences/sequences.h"
#include "solvers/accelerated/accelerated.h"
#include "solvers/solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/random_data.h"
#include "tests/solver_options.h"

enum { ROWS = 60, FEATURES = 5, CLASSES = 3, MAX_DIMENSION = 64, PASSES = 3000 };

struct fixture {
    struct dataset data;
    double target[ROWS], weight[ROWS];
    int64_t start[ROWS / 4 + 1];
};

static void open_fixture(struct fixture *f, double scale) {
    f->data = random_data(ROWS, FEATURES, false, 4);
    for (int64_t k = 0; k < f->data.nonzeros; k++)
        if (f->data.column[k] == 1)
            f->data.value[k] *= scale;
    for (int i = 0; i < ROWS; i++) {
        f->target[i] = i * 7 % 11 % CLASSES;
        f->weight[i] = 1 + i / 4 % 3;
    }
    for (int g = 0; g <= ROWS / 4; g++)
        f->start[g] = 4 * g;
    f->data.groups = ROWS / 4;
    f->data.group_start = f->start;
}

static void close_fixture(struct fixture *f) {
    f->data.groups = 0;
    f->data.group_start = NULL;
    dataset_free(&f->data);
}

static struct risk *make(struct fixture *f,
                         struct risk *(*maker)(const struct risk_settings *, struct error *)) {
    const struct risk_settings settings = {
        .scalar = {.data = &f->data, .target = f->target, .weight = f->weight, .bias = 3},
        .labels = CLASSES};
    struct risk *risk = maker(&settings, NULL);
    assert_non_null(risk);
    assert_true(risk->dimension <= MAX_DIMENSION);
    return risk;
}

static void squares_are_means_over_rows(void **state) {
    (void)state;
    struct fixture f;
    open_fixture(&f, 10);
    struct risk *risk = make(&f, crf_risk_new);
    double square[MAX_DIMENSION], expected[FEATURES + 1] = {0}, sum = 0;
    risk->kind->squares(risk, square);
    for (int i = 0; i < ROWS; i++) {
        sum += f.weight[i];
        for (int64_t k = f.data.start[i]; k < f.data.start[i + 1]; k++)
            expected[f.data.column[k]] += f.weight[i] * f.data.value[k] * f.data.value[k];
        expected[FEATURES] += 9 * f.weight[i];
    }
    for (int j = 0; j <= FEATURES; j++)
        for (int k = 0; k < CLASSES; k++)
            assert_near(square[j * CLASSES + k], expected[j] / sum, 1e-12 * expected[j]);
    for (int k = (FEATURES + 1) * CLASSES; k < risk->dimension; k++)
        assert_near(square[k], 1. / CLASSES, 0);
    risk_free(risk);
    close_fixture(&f);
}

/* The result of agm with this metric. */
static struct outcome run_agm(const struct risk *risk, const char *metric) {
    const struct solver *agm = solver_by_name("agm");
    const char *const words[] = {metric, NULL};
    void *options = solver_options_parse(agm, words);
    struct outcome outcome = {0};
    struct monitor monitor;
    double w[MAX_DIMENSION] = {0};
    const struct problem problem = {
        .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 1e-2};
    const struct run_settings run = {.passes = PASSES, .batch_size = 1};
    monitor_init(&monitor, &(struct monitor_settings){
                               .epsilon = 1e-3, .passes = PASSES, .time_limit = INFINITY});
    monitor_begin(&monitor, NULL);
    assert_int_equal(
        agm->train(&(struct solve){&problem, &run, options, &monitor, w, &outcome}, NULL), 0);
    monitor_end(&monitor);
    assert_near(problem_objective(&problem, w), outcome.objective, 1e-12 * outcome.objective);
    free(options);
    return outcome;
}

/* Every bound is below every objective, and all but the first, the plain metric, converge. */
static void compare_metrics(const struct risk *risk, bool scaled) {
    static const char *const metrics[] = {"metric=plain", "metric=root", "metric=scaled",
                                          "metric=auto"};
    struct outcome outcome[4];
    for (int k = 0; k < 4; k++) {
        outcome[k] = run_agm(risk, metrics[k]);
        for (int l = 0; l <= k; l++) {
            assert_true(outcome[l].bound <= outcome[k].objective);
            assert_true(outcome[k].bound <= outcome[l].objective);
        }
    }
    for (int k = scaled ? 2 : 0; k < 4; k++)
        assert_int_equal(outcome[k].verdict, VERDICT_CONVERGED);
    if (scaled)
        assert_true(outcome[3].passes < outcome[0].passes / 2);
}

static struct risk *(*const makers[])(const struct risk_settings *, struct error *) = {
    softmax_risk_new, crammer_singer_risk_new, crf_risk_new, m3n_risk_new};

static void for_all(double scale, bool scaled) {
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        struct fixture f;
        open_fixture(&f, scale);
        struct risk *risk = make(&f, makers[k]);
        compare_metrics(risk, scaled);
        risk_free(risk);
        close_fixture(&f);
    }
}

static void metrics_have_one_optimum(void **state) {
    (void)state;
    for_all(1, false);
}

static void a_feature_out_of_scale_is_met(void **state) {
    (void)state;
    for_all(1000, true);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_are_means_over_rows),
        cmocka_unit_test(metrics_have_one_optimum),
        cmocka_unit_test(a_feature_out_of_scale_is_met),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
