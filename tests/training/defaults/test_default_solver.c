/* test_default_solver.c - which solver a run without -s gets. */
#include "training/defaults/default_solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/default_request_fixture.h"

static void rules_by_loss_and_shape(void **state) {
    static const struct {
        const char *loss, *regularizer;
        int64_t rows, features;
        const char *solver;
    } rows[] = {
        {"hinge", "l2", 30000, 123, "mcpa"},
        {"hinge", "l2", 30000, 40000, "dcd"},
        {"squared-hinge", "l2", 30000, 40000, "dcd"},
        {"absolute", "l2", 30000, 123, "ipm"},
        {"absolute", "l2", 30000, 40000, "dcd"},
        {"logistic", "l2", 50, 123, "ipm"},
        {"logistic", "l2", 30000, 123, "ipm"},
        {"logistic", "l2", 30000, 800, "ipm"},
        {"logistic", "l2", 30000, 40000, "proximal-bundle"},
        {"squared", "l2", 30000, 1000, "ipm"},
        {"squared-epsilon", "l2", 30000, 800, "ipm"},
        {"squared-epsilon", "l2", 500, 800, "dcd"},
        {"huber", "l2", 1599, 800, "ipm"},
        {"squared", "l2", 30000, 1001, "dcd"},
        {"squared", "l2", 30000, 40000, "dcd"},
        {"huber", "l2", 3000, 40000, "dcd"},
        {"softmax", "l2", 3000, 40000, "sdca"},
        {"softmax", "l2", 30000, 50, "lbfgs"},
        {"softmax", "l2", 2, 800, "lbfgs"},
        {"softmax", "l2", 4, 800, "sdca"},
        {"logistic", "l1", 30000, 123, "lps"},
        {"squared", "l1", 30000, 40000, "lps"},
        {"hinge", "l1", 30000, 123, "ipm"},
        {"quantile", "l1", 300, 1000, "ipm"},
        {"epsilon", "l1", 300, 3000, "ipm"},
        {"epsilon", "l1", 1001, 3001, "agm"},
        {"epsilon", "l1", 300, 90000, "ipm"},
        {"huber", "l1", 300, 90000, "ipm"},
        {"hinge", "elastic-net", 300, 3000, "ipm"},
        {"logistic", "elastic-net", 30000, 123, "lps"},
        {"hinge", "elastic-net", 30000, 123, "ipm"},
        {"hinge", "elastic-net", 3000, 12300, "agm"},
        {"logistic", "entropy", 30000, 123, "bundle"},
        {"logistic", "l1-ball", 30000, 123, "agm"},
        {"hinge", "elastic-net-ball", 30000, 40000, "agm"},
        {"squared", "simplex", 30, 12, "agm"},
        {"crammer-singer", "l2", 7291, 256, "sdm"},
        {"crammer-singer", "l2", 30000, 800, "sdm"},
        {"crammer-singer", "l2", 30000, 50, "sdm"},
        {"crammer-singer", "l2", 30000, 123, "proximal-bundle"},
        {"crammer-singer", "l2", 15000, 300000, "sdm"},
        {"crammer-singer", "l1", 30000, 123, "agm"},
        {"softmax", "l2", 30000, 123, "proximal-bundle"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, rows[i].regularizer, rows[i].rows, rows[i].features);
        if (solver_by_name(rows[i].solver) != NULL) /* as the rules do */
            assert_chosen(&request, rows[i].solver);
    }
}

static void the_logistic_loss_on_many_features_goes_by_density(void **state) {
    enum { ROWS = 20000 };
    struct default_request request = default_request_of("logistic", "l2", ROWS, 30000);
    (void)state;
    request.lambda = 4.9 / ROWS;
    assert_chosen(&request, "proximal-bundle");
    request.nonzeros = ROWS * 30000LL;
    assert_chosen(&request, "lbfgs");
    request = default_request_of("logistic", "l2", ROWS, 30000);
    request.lambda = 5.1 / ROWS;
    assert_chosen(&request, "lbfgs");
    request = default_request_of("logistic", "l2", ROWS, 3000000);
    assert_chosen(&request, "proximal-bundle");
    request.features++; /* of planes with so many weights even some are too much memory */
    assert_chosen(&request, "lbfgs");
    request = default_request_of("logistic", "l2", 5000, 5000);
    request.lambda = 1e-9;
    assert_chosen(&request, "lbfgs");
}

/* Where lbfgs goes first. */
static void the_logistic_loss_on_few_examples_takes_newton_steps(void **state) {
    static const struct {
        int64_t rows, features, each;
        bool trials;
        const char *solver;
    } rows[] = {
        {60, 5000, 40, true, "ipm"},       {60, 5000, 40, false, "proximal-bundle"},
        {3000, 5000, 40, true, "ipm"},     {3000, 5000, 5000, true, "ipm"},
        {3001, 5000, 5000, true, "lbfgs"}, {3001, 5000, 40, true, "proximal-bundle"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("logistic", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        request.lambda = 1e-7;
        request.trials = rows[i].trials;
        assert_chosen(&request, rows[i].solver);
        request.newton_lacks = true;
        assert_string_not_equal(default_solver(&request)->name, "ipm");
    }
}

/* One step, where no dual steps go first. */
static void squares_on_few_dense_examples_take_a_newton_step(void **state) {
    struct default_request request = default_request_of("squared", "l2", 500, 3000);
    (void)state;
    request.trials = false;
    assert_chosen(&request, "dcd");
    request.nonzeros = request.rows * request.features;
    assert_chosen(&request, "ipm");
    request.trials = true;
    assert_chosen(&request, "dcd");
}

static void the_squared_hinge_of_many_examples_goes_to_quasi_newton_steps(void **state) {
    struct default_request request = default_request_of("squared-hinge", "l2", 20000, 1999);
    (void)state;
    assert_chosen(&request, "lbfgs");
    request = default_request_of("squared-hinge", "l2", 20000, 2001);
    assert_chosen(&request, "dcd");
}

static void rounds_between_processes_are_few(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 30000, 123);

    (void)state;
    request.lambda = 5e-5;
    assert_chosen(&request, "mcpa");
    request.needs.distributed = true;
    assert_chosen(&request, "ipm");
    request.lambda = 1e-3;
    assert_chosen(&request, "mcpa");
}

static void other_losses_go_by_examples_a_feature(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 49749, 300);

    (void)state;
    assert_chosen(&request, "ipm");
    request.lambda = 1e-3;
    assert_chosen(&request, "ipm"); /* after lbfgs */
    request.trials = false;
    assert_chosen(&request, "lbfgs");
    request.features = 200;
    assert_chosen(&request, "ipm");
    request.lambda = 0.01;
    assert_chosen(&request, "lbfgs");
    request.uneven = true;
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.epsilon = 1e-6;
    assert_chosen(&request, "ipm");
    request = default_request_of("logistic", "l2", 2000, 500);
    request.lambda = 1e-6;
    request.uneven = true; /* planes would be many */
    assert_chosen(&request, "ipm");
}

/* Each pass reads the rows from a disk. */
static void rows_from_a_disk_are_read_least_often(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 500000, 54);
    (void)state;
    request.trials = false;
    request.needs.window = true;
    assert_chosen(&request, "proximal-bundle");
    request.newton_fits = true;
    assert_chosen(&request, "ipm");
    request.features = 1001;
    assert_chosen(&request, "lbfgs");
    request.features = 5000000;
    assert_chosen(&request, "lbfgs");
    static const char *const smooth[] = {"squared", "huber", "squared-hinge", "squared-epsilon"};
    for (int k = 0; k < 4; k++) {
        request = default_request_of(smooth[k], "l2", 100000, 50000);
        request.nonzeros = 6500000;
        assert_chosen(&request, "dcd");
        request.needs.window = true;
        assert_chosen(&request, "lbfgs");
        request.features = 210000; /* then readings of dcd are fewer */
        assert_chosen(&request, "dcd");
        request.features = 50000;
    }
    request.uneven = true;
    request.nonzeros = request.rows * request.features;
    assert_chosen(&request, "dcd");
    request = default_request_of("huber", "elastic-net", 500000, 54);
    request.needs.window = request.newton_fits = true;
    assert_chosen(&request, "bundle");
    request = default_request_of("hinge", "l2", 500000, 54);
    request.needs.window = true;
    assert_chosen(&request, "proximal-bundle");
    request.slacks_fit = true;
    assert_chosen(&request, "mcpa");
    request.needs.risk = risk_row_by_name("epsilon");
    assert_chosen(&request, "mcpa");
    request.features = 1001;
    assert_chosen(&request, "proximal-bundle");
    request.features = 54;
    request.needs.risk = risk_row_by_name("hinge");
    request.needs.intercept = true;
    assert_chosen(&request, "mcpa");
}

/* Whose features may have very different sizes. */
static void regressions_on_few_features_take_newton_steps(void **state) {
    struct default_request request = default_request_of("squared", "l2", 49749, 300);

    (void)state;
    request.lambda = 0.01;
    assert_chosen(&request, "ipm");
    request.features = 301;
    request.trials = false;
    assert_chosen(&request, "lbfgs");
    request.lambda = 1e-6;
    assert_chosen(&request, "ipm");
    request.lambda = 0.01;
    request.uneven = true; /* quasi-Newton steps are many then */
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.epsilon = 1e-6;
    assert_chosen(&request, "ipm");
}

static void the_squared_hinge_on_many_features_takes_coordinate_steps(void **state) {
    struct default_request request = default_request_of("squared-hinge", "l2", 62, 2000);

    (void)state;
    request.nonzeros = request.rows * request.features;
    assert_chosen(&request, "dcd");
    request.lambda = 0.01;
    assert_chosen(&request, "dcd");
    request.needs.map = true;
    assert_chosen(&request, "lbfgs");
    request.needs.map = false;
    request.rows = 799;
    request.features = 400;
    assert_chosen(&request, "dcd");
    request.uneven = true;
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.rows = 800;
    request.lambda = 1e-4;
    assert_chosen(&request, "ipm");
    request.rows = 452;
    request.features = 262; /* a Newton step is cheap */
    assert_chosen(&request, "ipm");
}

/* Of runs that go from lambda to lambda. */
static void certified_paths(void **state) {
    static const struct {
        const char *loss;
        int64_t features;
        bool uneven;
        const char *solver;
    } rows[] = {
        {"squared", 12, false, "ipm"},
        {"squared-hinge", 500, false, "ipm"},
        {"squared", 501, false, "lbfgs"},
        {"logistic", 500, false, "ipm"},
        {"logistic", 501, true, "lbfgs"},
        {"logistic", 40000, true, "lbfgs"},
        {"hinge", 123, false, "dcd"},
        {"hinge", 40000, false, "dcd"},
        {"hinge", 51, false, "dcd"},
        {"hinge", 50, false, "ipm"},
        {"hinge", 300, true, "ipm"},
        {"hinge", 301, true, "ocas"},
        {"squared-hinge", 501, false, "dcd"},
        {"squared-hinge", 501, true, "ipm"},
        {"squared-hinge", 1001, true, "lbfgs"},
        {"squared-hinge", 40000, false, "dcd"},
        {"epsilon", 12, false, "ipm"},
        {"softmax", 180, false, "lbfgs"},
        {"softmax", 40000, false, "sdca"},
        {"squared-epsilon", 8, false, "ipm"},
        {"huber", 8, false, "ipm"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", 8192, rows[i].features);
        request.needs.linearization = true;
        request.uneven = rows[i].uneven;
        assert_chosen(&request, rows[i].solver);
    }
    struct default_request few = default_request_of("hinge", "l2", 2790, 279);
    few.needs.linearization = few.needs.intercept = true;
    assert_chosen(&few, "dcd");
    few.uneven = true;
    assert_chosen(&few, "ocas");
    few.rows--;
    assert_chosen(&few, "ipm");
    few = default_request_of("hinge", "l2", 3000, 200);
    few.needs.linearization = few.needs.intercept = few.uneven = true;
    assert_chosen(&few, "ipm");
    few.rows++;
    assert_chosen(&few, "ocas");
    struct default_request genes = default_request_of("squared-hinge", "l2", 62, 2000);
    genes.nonzeros = genes.rows * genes.features;
    genes.needs.linearization = genes.uneven = true;
    assert_chosen(&genes, "dcd");
    genes.needs.intercept = true;
    assert_chosen(&genes, "dcd");
    struct default_request dense = default_request_of("hinge", "l2", 1200, 2000);
    dense.nonzeros = dense.rows * dense.features;
    dense.uneven = true;
    assert_chosen(&dense, "ipm");
    dense.needs.linearization = true;
    assert_chosen(&dense, "dcd");
}

static void regressions_on_text_take_coordinate_steps_at_any_lambda(void **state) {
    struct default_request request = default_request_of("absolute", "l2", 30000, 40000);
    (void)state;
    request.lambda = 1e-7;
    assert_chosen(&request, "dcd");
    request.features = 1000;
    request.rows = 5000;
    assert_chosen(&request, "ipm");
}

/* By what the interior point and planes are expected to cost. */
static void regressions_on_some_features(void **state) {
    static const struct {
        const char *loss;
        int64_t rows, features, each; /* nonzeros a row */
        double lambda, epsilon;
        const char *solver;
    } rows[] = {
        {"epsilon", 3000, 500, 500, 1e-4, 0, "ipm"},
        {"epsilon", 3000, 500, 500, 1e-2, 0, "proximal-bundle"},
        {"epsilon", 3000, 400, 40, 1e-3, 0, "proximal-bundle"},
        {"epsilon", 3000, 400, 40, 1e-4, 0, "ipm"},
        {"epsilon", 3000, 400, 40, 4e-4, 0, "ipm"},
        {"absolute", 3000, 400, 400, 1e-2, 0, "ipm"},
        {"quantile", 1000, 400, 400, 1e-2, 0, "ipm"},
        {"absolute", 20000, 400, 400, 1e-2, 0, "proximal-bundle"},
        {"absolute", 20000, 400, 400, 1e-2, 1e-6, "ipm"},
        {"absolute", 3000, 1200, 1200, 1e-4, 0, "ipm"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of(rows[i].loss, "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        request.lambda = rows[i].lambda;
        request.epsilon = rows[i].epsilon;
        request.mean_square = (double)rows[i].each; /* the sizes of targets count as much */
        assert_chosen(&request, "ipm");             /* planes go first */
        request.trials = false;
        assert_chosen(&request, rows[i].solver);
        request.uneven = true;
        assert_chosen(&request, "ipm");
    }
}

static void smooth_regressions_on_many_dense_features(void **state) {
    static const struct {
        int64_t rows, features, each; /* nonzeros a row */
        const char *solver;
    } rows[] = {
        {2000, 1050, 1050, "ipm"},
        {3000, 2001, 2001, "dcd"},
        {3000, 2000, 700, "dcd"},
        {1999, 2000, 2000, "dcd"},
    };
    static const char *const losses[] = {"squared", "huber", "squared-epsilon"};
    (void)state;
    for (size_t l = 0; l < sizeof losses / sizeof *losses; l++)
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            struct default_request request =
                default_request_of(losses[l], "l2", rows[i].rows, rows[i].features);
            request.nonzeros = rows[i].rows * rows[i].each;
            assert_chosen(&request, rows[i].solver);
            request.needs.intercept = true;
            assert_chosen(&request, rows[i].solver);
        }
}

static void the_absolute_loss_on_many_dense_features(void **state) {
    static const struct {
        int64_t rows, features, each; /* nonzeros a row */
        const char *solver;
    } rows[] = {
        {3000, 2000, 2000, "ipm"},
        {3000, 2001, 2001, "dcd"},
        {3000, 2000, 700, "dcd"},
        {1999, 2000, 2000, "dcd"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("absolute", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        assert_chosen(&request, rows[i].solver);
    }
}

/* Smoothed, they take ten thousands of passes. */
static void regressions_on_fewer_examples_than_features(void **state) {
    struct default_request request = default_request_of("epsilon", "l2", 200, 300);
    (void)state;
    request.lambda = 1e-6;
    assert_chosen(&request, "ipm");
    request.features = 301;
    assert_chosen(&request, "dcd");
    request.uneven = true;
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.needs.intercept = true;
    assert_chosen(&request, "dcd");
    request.uneven = true;
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.needs.window = true; /* which dcd has not with an offset */
    request.features = 2000;
    assert_chosen(&request, "agm");
}

static void a_tube_and_many_examples_need_few_planes(void **state) {
    struct default_request request = default_request_of("epsilon", "l2", 35000, 35);
    (void)state;
    request.lambda = 1e-6;
    assert_chosen(&request, "proximal-bundle");
    request.uneven = true;
    assert_chosen(&request, "ipm");
    request.uneven = false;
    request.rows--;
    assert_chosen(&request, "ipm");
}

static void mapped_examples_are_too_dense_for_newton_steps(void **state) {
    struct default_request request = {.needs = {.risk = risk_row_by_name("hinge"),
                                                .regularizer = regularizer_by_name("l2"),
                                                .map = true},
                                      .lambda = 1e-7,
                                      .rows = 30000,
                                      .features = 512,
                                      .nonzeros = 30000 * 512};
    (void)state;
    assert_chosen(&request, "ocas");
    request.epsilon = 1e-6;
    assert_chosen(&request, "ipm");
    request.needs.window = true; /* which needs all of them at once */
    assert_chosen(&request, "ocas");
    request.needs.window = false;
    request.epsilon = 0;
    request.features = 200;
    assert_chosen(&request, "ipm");
    request.features = 512;
    request.needs.risk = risk_row_by_name("logistic");
    assert_chosen(&request, "ipm");
    request.needs.risk = risk_row_by_name("hinge");
    request.needs.map = false;
    assert_chosen(&request, "ipm");
}

static void mini_batches_mean_proximal(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 30000, 123);

    (void)state;
    request.needs.batches = true;
    assert_chosen(&request, "proximal");
    request.needs.regularizer = regularizer_by_name("l1");
    assert_chosen(&request, "rda");
    request.needs.regularizer = regularizer_by_name("elastic-net"); /* not with proximal */
    assert_chosen(&request, "sgd");
}

/* Few features, fewer rows, an offset: only the interior point method has a certificate. */
static void an_offset_finds_its_solver(void **state) {
    struct default_request request = default_request_of("absolute", "l2", 50, 123);

    (void)state;
    request.needs.intercept = true;
    assert_chosen(&request, "ipm");
}

/* Squared hinge of many features: dcd where all examples are in memory. */
static void an_offset_of_many_features(void **state) {
    static const struct {
        int64_t rows, features, each;
        bool uneven;
        const char *solver, *from_disk;
    } rows[] = {
        {800, 2000, 40, false, "dcd", "lbfgs"},
        {800, 2000, 2000, true, "dcd", "proximal-bundle"},
        {7770, 24692, 66, false, "dcd", "lbfgs"},
        {7770, 24692, 66, true, "dcd", "lbfgs"},
        {300, 6000, 6000, true, "dcd", "proximal-bundle"},
        {20000, 2000, 40, false, "lbfgs", "lbfgs"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("squared-hinge", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].rows * rows[i].each;
        request.uneven = rows[i].uneven;
        assert_chosen(&request, rows[i].solver);
        request.needs.intercept = true;
        assert_chosen(&request, rows[i].solver);
        request.needs.window = true;
        assert_chosen(&request, rows[i].from_disk);
    }
}

/* For every request the chosen solver can do it, or no solver can. */
static void the_choice_can(void **state) {
    int losses, regularizers;
    const struct loss *loss = loss_table(&losses);
    const struct regularizer *regularizer = regularizer_table(&regularizers);

    (void)state;
    for (int i = 0; i < losses * regularizers * 16; i++) {
        struct default_request request =
            default_request_of(loss[i / 16 % losses].name, regularizer[i / 16 / losses].name,
                               (i & 1) != 0 ? 50 : 30000, 5000);
        char list[512];
        request.needs.intercept = (i & 2) != 0;
        request.needs.batches = (i & 4) != 0;
        request.needs.tolerance = (i & 8) != 0;
        const struct solver *solver = default_solver(&request);
        assert_int_equal(solver == NULL, solvers_that_fit(&request.needs, list, sizeof list) == 0);
        assert_true(solver == NULL || solver_fits(solver, &request.needs, NULL, 0));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rules_by_loss_and_shape),
        cmocka_unit_test(the_logistic_loss_on_many_features_goes_by_density),
        cmocka_unit_test(the_logistic_loss_on_few_examples_takes_newton_steps),
        cmocka_unit_test(squares_on_few_dense_examples_take_a_newton_step),
        cmocka_unit_test(the_squared_hinge_of_many_examples_goes_to_quasi_newton_steps),
        cmocka_unit_test(rounds_between_processes_are_few),
        cmocka_unit_test(other_losses_go_by_examples_a_feature),
        cmocka_unit_test(rows_from_a_disk_are_read_least_often),
        cmocka_unit_test(regressions_on_few_features_take_newton_steps),
        cmocka_unit_test(the_squared_hinge_on_many_features_takes_coordinate_steps),
        cmocka_unit_test(regressions_on_text_take_coordinate_steps_at_any_lambda),
        cmocka_unit_test(regressions_on_some_features),
        cmocka_unit_test(smooth_regressions_on_many_dense_features),
        cmocka_unit_test(the_absolute_loss_on_many_dense_features),
        cmocka_unit_test(regressions_on_fewer_examples_than_features),
        cmocka_unit_test(a_tube_and_many_examples_need_few_planes),
        cmocka_unit_test(certified_paths),
        cmocka_unit_test(mapped_examples_are_too_dense_for_newton_steps),
        cmocka_unit_test(mini_batches_mean_proximal),
        cmocka_unit_test(an_offset_finds_its_solver),
        cmocka_unit_test(an_offset_of_many_features),
        cmocka_unit_test(the_choice_can),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
