/* test_profile.c - the risk at the best offset: its value beside that of offsets all around, planes below the
 * risk; and the bundle methods with an offset, beside the interior point and accelerated gradients, with bounds
 * that hold at every iteration. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"

#include "solvers/bundle/profile.h"
#include "tests/risk_checks.h"
#include "tests/size.h"
#include "tests/solvers/bundle/bundle_fixture.h"

static const char *const losses[] = {"hinge",    "squared-hinge", "logistic", "squared",
                                     "absolute", "epsilon",       "huber",    "quantile"};
enum { LOSSES = sizeof losses / sizeof *losses, POINTS = PART(20, 5) };

static struct history history;

static void random_weights(struct random *random, double size, double *w) {
    for (int j = 0; j < MAX_DIMENSION; j++)
        w[j] = random_below(random, 3) == 0 ? 0 : size * (2 * random_unit(random) - 1);
}

/* Targets of regression are moved by SHIFT. */
static void set_up_shifted(struct fixture *f, int loss, double shift) {
    set_up_with(f, losses[loss], 0.01, loss % 2 ? -1 : 1, loss % 3 == 0, true);
    for (int i = 0; i < ROWS; i++)
        f->target[i] += f->scalar.loss->task == TASK_REGRESSION ? shift : 0;
}

/* R is least at the offset, but for the slack, and the plane touches there and is below everywhere. */
static void check_linearization(const struct risk *risk, struct profile *profile, double *w,
                                struct random *random, double shift) {
    double g[MAX_DIMENSION], v[MAX_DIMENSION], t,
        value = profile_linearize(profile, w, 1e-9, g, &t);
    int64_t n = risk->dimension, offset = risk->regularized;
    double b = w[offset], size = 1 + value + fabs(shift);
    assert_near(value, risk_evaluate(risk, w, 0, NULL), 1e-13 * size);
    assert_near(t + vector_dot(g, w, n), value, 1e-11 * size);
    assert_true(g[offset] == 0);
    for (double step = 1e-6; step < 100; step *= 3)
        for (int side = -1; side <= 1; side += 2) {
            w[offset] = b + side * step;
            assert_true(risk_evaluate(risk, w, 0, NULL) >= value - 1e-12 * size);
        }
    for (int k = 0; k < POINTS; k++) {
        random_weights(random, 3, v);
        v[offset] += b;
        assert_true(risk_evaluate(risk, v, 0, NULL) >= t + vector_dot(g, v, n) - 1e-11 * size);
    }
}

static void the_offset_is_best_and_the_plane_below(void **state) {
    (void)state;
    static const double shifts[] = {0, 2000};
    struct random random;
    random_seed(&random, 8, 1);
    for (int k = 0; k < 2 * LOSSES; k++) {
        struct fixture f;
        struct profile profile;
        double w[MAX_DIMENSION], shift = shifts[k % 2];
        set_up_shifted(&f, k / 2, shift);
        assert_int_equal(profile_init(&profile, f.risk, NULL), 0);
        for (int point = 0; point < POINTS; point++) {
            random_weights(&random, point == 0 ? 0 : 2, w);
            check_linearization(f.risk, &profile, w, &random, shift);
        }
        profile_free(&profile);
        tear_down(&f);
    }
}

static struct risk *f1_with_offset(const struct dataset *data) {
    return risk_row_by_name("f1")->make(
        &(struct risk_settings){
            .scalar = {.data = data, .target = data->label, .bias = -1, .intercept = true}},
        NULL);
}

/* With scores of the size of 1, m and more. */
static void the_offset_of_f1_is_best(void **state) {
    (void)state;
    struct random random;
    random_seed(&random, 9, 1);
    for (uint64_t seed = 0; seed < 12; seed++) {
        int64_t rows = 2 + (int64_t)(seed * seed);
        struct dataset data = random_data(rows, FEATURES, seed % 2, seed);
        struct profile profile;
        double w[MAX_DIMENSION], g[MAX_DIMENSION], h[MAX_DIMENSION], t, u;
        data.label[0] = 1;
        data.label[1] = -1;
        struct risk *risk = f1_with_offset(&data);
        assert_int_equal(profile_init(&profile, risk, NULL), 0);
        for (int point = 0; point < POINTS; point++) {
            random_weights(&random, point == 0 ? 0 : pow(8, point % 4), w);
            check_linearization(risk, &profile, w, &random, 0);
            profile_linearize(&profile, w, 1e-9, g, &t);
            omp_set_num_threads(3);
            profile_linearize(&profile, w, 1e-9, h, &u);
            omp_set_num_threads(1);
            assert_memory_equal(g, h, sizeof *g * (size_t)risk->dimension);
            assert_true(t == u);
        }
        profile_free(&profile);
        risk_free(risk);
        dataset_free(&data);
    }
}

enum { CLASSES = 4, WEIGHTS = (FEATURES + 1) * CLASSES };

static struct risk *classes_with_offsets(const char *name, const struct dataset *data,
                                         const double *weight) {
    return risk_row_by_name(name)->make(&(struct risk_settings){.scalar = {.data = data,
                                                                           .target = data->label,
                                                                           .weight = weight,
                                                                           .bias = -1,
                                                                           .intercept = true},
                                                                .labels = CLASSES},
                                        NULL);
}

/* The linearization is a lower bound of R; at w it is within the slack, and so is the minimum over offsets. */
static void check_classes(const struct risk *risk, struct profile *profile, double size,
                          double slack, struct random *random) {
    double w[WEIGHTS], v[WEIGHTS], g[WEIGHTS], t;
    for (int j = 0; j < WEIGHTS; j++)
        w[j] = size * (2 * random_unit(random) - 1);
    double value = profile_linearize(profile, w, slack, g, &t);
    assert_near(value, risk_evaluate(risk, w, 0, NULL), 1e-13 * (1 + value + size));
    for (int j = WEIGHTS - CLASSES; j < WEIGHTS; j++)
        assert_true(g[j] == 0);
    double plane = t + vector_dot(g, w, risk->dimension);
    assert_true(plane <= value + 1e-12 * (1 + size) && plane >= value - slack);
    for (int k = 0; k < 10 * POINTS; k++) {
        double shift = pow(10, -6 + 8 * random_unit(random));
        for (int j = 0; j < WEIGHTS; j++) {
            bool moves = j >= WEIGHTS - CLASSES || k % 2;
            v[j] = w[j] + (moves ? shift * (2 * random_unit(random) - 1) : 0);
        }
        double other = risk_evaluate(risk, v, 0, NULL);
        assert_true(other >= t + vector_dot(g, v, risk->dimension) - 1e-12 * (1 + size + shift));
        assert_true(k % 2 || other >= value - slack);
    }
}

static void offsets_of_classes_are_best(void **state) {
    (void)state;
    static const char *const names[] = {"softmax", "crammer-singer"};
    struct random random;
    random_seed(&random, 12, 1);
    for (int k = 0; k < 12; k++) {
        struct profile profile;
        double weight[ROWS];
        struct dataset data = random_data(ROWS, FEATURES, k % 4 == 0, (uint64_t)k);
        for (int i = 0; i < ROWS; i++) {
            data.label[i] = (double)(data.label[i] > 0 ? i % 2 : i % CLASSES);
            weight[i] = i % 9 == 5 ? 0 : 1 + i % 4;
        }
        struct risk *risk = classes_with_offsets(names[k % 2], &data, k % 3 ? weight : NULL);
        assert_int_equal(risk->dimension - risk->regularized, CLASSES);
        assert_int_equal(profile_init(&profile, risk, NULL), 0);
        for (int point = 0; point < POINTS; point++)
            check_classes(risk, &profile, pow(6, point % 4 - 1), pow(10, -1 - point % 6), &random);
        check_risk(risk, 3, 0.3, 5);
        profile_free(&profile);
        risk_free(risk);
        dataset_free(&data);
    }
}

/* So many scores that threads are used. */
static void threads_change_no_offset(void **state) {
    (void)state;
    struct dataset data = random_data(14000, FEATURES, false, 3);
    for (int64_t i = 0; i < data.rows; i++)
        data.label[i] = (double)(data.label[i] > 0 ? i % 2 : i % CLASSES);
    for (int k = 0; k < 2; k++) {
        struct risk *risk = classes_with_offsets(k ? "softmax" : "crammer-singer", &data, NULL);
        struct problem problem = {
            .risk = risk, .regularizer = regularizer_by_name("l2"), .lambda = 0.01};
        check_threads(&problem, "proximal-bundle", NULL, 4);
        risk_free(risk);
    }
    dataset_free(&data);
}

static void the_optimum_is_that_of_others(const char *solver, const char *regularizer, int loss,
                                          double lambda) {
    struct fixture f;
    struct outcome known, o;
    double best[MAX_DIMENSION] = {0}, w[MAX_DIMENSION] = {0};
    bool l2 = strcmp(regularizer, "l2") == 0;
    double epsilon = strcmp(solver, "bundle-ls") == 0 ? 1e-3 : l2 ? 1e-7 : 1e-5;
    set_up_with(&f, losses[loss], lambda, loss % 2 ? -1 : 1, loss % 3 == 0, true);
    f.problem.regularizer = regularizer_by_name(regularizer);
    f.problem.parameters.elastic = 0.4;
    assert_int_equal(run_with(&f.problem, l2 ? "ipm" : "agm", NULL, l2 ? 1e-9 : 1e-5, 1e5, best,
                              NULL, &known, NULL),
                     0);
    assert_int_equal(run_with(&f.problem, solver, NULL, epsilon, 4000, w, &history, &o, NULL), 0);
    assert_int_equal(o.verdict, VERDICT_CONVERGED);
    assert_true(o.objective - o.bound <= epsilon * o.objective);
    assert_true(o.objective >= known.bound - 1e-12 && o.bound <= known.objective + 1e-12);
    check_history(&f.problem, &history, &o, w, known.objective,
                  known.objective - known.bound + 1e-12);
    check_threads(&f.problem, solver, NULL, 20);
    tear_down(&f);
}

static void bundles_reach_the_optimum(void **state) {
    (void)state;
    for (int l = 0; l < LOSSES; l++) {
        the_optimum_is_that_of_others("bundle", "l2", l, 0.1);
        the_optimum_is_that_of_others("bundle", "l2", l, 1e-3);
        the_optimum_is_that_of_others("proximal-bundle", "l2", l, 0.1);
        the_optimum_is_that_of_others("proximal-bundle", "l2", l, 1e-4);
        the_optimum_is_that_of_others("bundle-ls", "l2", l, 0.1);
        the_optimum_is_that_of_others("bundle", "elastic-net", l, 0.05);
        the_optimum_is_that_of_others("bundle", "entropy", l, 0.05);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_offset_is_best_and_the_plane_below),
        cmocka_unit_test(the_offset_of_f1_is_best),
        cmocka_unit_test(offsets_of_classes_are_best),
        cmocka_unit_test(threads_change_no_offset),
        cmocka_unit_test(bundles_reach_the_optimum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
