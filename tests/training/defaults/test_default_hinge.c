/* test_default_hinge.c - which solver a run of the hinge without -s gets. */
#include "training/defaults/default_solver.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/default_request_fixture.h"

static void small_lambda_or_gap_on_narrow_data_needs_the_interior_point(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 30000, 800);

    (void)state;
    assert_chosen(&request, "ocas");
    request.epsilon = 1e-6;
    assert_chosen(&request, "ipm");
    request.epsilon = 0;
    request.lambda = 1e-7;
    assert_chosen(&request, "ipm");
    request.features = 20000;
    assert_chosen(&request, "dcd");
    request.needs.intercept = true;
    assert_chosen(&request, "dcd");
    request.needs.window = true; /* which dcd has not with an offset */
    assert_chosen(&request, "proximal-bundle");
    request.features = 40000;
    assert_chosen(&request, "agm");
    request.lambda = 2e-5; /* C = 1.7 */
    assert_chosen(&request, "proximal-bundle");
}

/* Shapes of real sets on which one of the methods was measured to be more than twice as fast. */
static void the_hinge_goes_by_what_the_data_cost(void **state) {
    static const struct {
        int64_t rows, features, nonzeros;
        double lambda;
        const char *solver;
    } rows[] = {
        {2000, 180, 91000, 1e-2, "ocas"},
        {452, 279, 58852, 1e-3, "ipm"},
        {35000, 22, 455000, 1e-7, "proximal-bundle"},
        {67557, 126, 2837394, 1.1e-5, "mcpa"},
        {67557, 126, 2837394, 1e-7, "ipm"},
        {49749, 300, 579586, 1.1e-5, "mcpa"},
        {49749, 300, 579586, 1e-7, "ipm"},
        {2000, 500, 1000000, 1e-2, "ocas"},
        {7291, 256, 1866496, 1e-4, "ocas"},
        {62, 2000, 124000, 1e-5, "dcd"},
        {7769, 24691, 518862, 1e-5, "dcd"},
        {16667, 1484441, 3700000, 6e-5, "dcd"},
        {7769, 24691, 518862, 5e-5, "dcd"},
        {15935, 62061, 1272569, 1e-4, "dcd"},
        {7769, 24691, 518862, 1e-2, "dcd"},
        {20000, 20000, 1000000, 1e-5, "dcd"},
        {1000, 1500, 1500000, 1e-2, "dcd"},
        {100000, 1000000, 5900000, 1e-5, "dcd"},
        {300, 7129, 2138700, 1e-4, "dcd"},
        {16000, 400000, 3100000, 1e-5, "dcd"},
        {5000, 1000, 5000000, 1e-4, "ipm"},
        {500, 778, 74000, 1e-7, "dcd"},
        {1599, 800, 120000, 1e-2, "dcd"},
        {1600, 800, 120000, 1e-2, "ocas"},
        {1500, 800, 1200000, 1e-6, "ipm"},
        {7291, 256, 1866496, 1e-3, "ocas"},
        {60000, 780, 46800000, 1e-5, "ocas"},
        {19999, 100, 1999900, 1e-3, "ocas"},
        {20000, 100, 2000000, 1e-3, "mcpa"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("hinge", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].nonzeros;
        request.lambda = rows[i].lambda;
        assert_chosen(&request, rows[i].solver);
    }
}

/* A lambda is small beside rows of a large norm. */
static void the_hinge_goes_by_the_norms_of_rows(void **state) {
    static const struct {
        int64_t rows, features, nonzeros;
        double lambda, mean_square;
        const char *solver;
    } rows[] = {
        {2000, 500, 1000000, 1e-4, 500, "ipm"}, {7291, 256, 1866151, 1e-4, 213, "ocas"},
        {2000, 180, 91000, 1e-4, 45, "ipm"},    {2000, 180, 91000, 1e-4, 5, "ocas"},
        {20000, 254, 4213735, 5e-7, 1, "ocas"}, {20000, 254, 4213735, 5e-7, 100, "ipm"},
        {20000, 254, 4213735, 1e-8, 1, "ipm"},  {5000, 800, 1200987, 1e-5, 240, "ipm"},
        {20000, 254, 4213735, 5e-7, 0, "ipm"}, /* not known */
        {1000, 24, 24000, 1e-4, 5.7, "ipm"},    {32561, 123, 451592, 1e-5, 14, "proximal-bundle"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("hinge", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].nonzeros;
        request.lambda = rows[i].lambda;
        request.mean_square = rows[i].mean_square;
        assert_chosen(&request, rows[i].solver);
    }
    struct default_request uneven = default_request_of("hinge", "l2", 4601, 57);
    uneven.nonzeros = 59231;
    uneven.uneven = true;
    uneven.mean_square = 7e5; /* of a few features */
    assert_chosen(&uneven, "mcpa");
    uneven.lambda = 1e-6;
    uneven.epsilon = 1e-2;
    assert_chosen(&uneven, "ipm");
    uneven.rows = 452; /* few rows for as many features are harder still */
    uneven.features = 279;
    uneven.nonzeros = 58852;
    uneven.lambda = 1e-2;
    assert_chosen(&uneven, "ipm");

    struct default_request wide = default_request_of("hinge", "l2", 300, 1500);
    wide.nonzeros = 300 * 1500;
    wide.uneven = true;
    assert_chosen(&wide, "dcd"); /* planes end by rounding there */
    wide.needs.intercept = true;
    assert_chosen(&wide, "dcd");
    wide.needs.intercept = false;
    wide.rows = 1000;
    wide.nonzeros = 1000 * 1500;
    assert_chosen(&wide, "dcd");
    wide.rows++;
    assert_chosen(&wide, "ipm");
    wide.rows = 1126; /* 0.75 times the features */
    wide.nonzeros = wide.rows * 1500;
    assert_chosen(&wide, "ocas");
    wide.rows = 300;
    wide.features = 1000;
    wide.nonzeros = 300 * 1000;
    assert_chosen(&wide, "ipm");
}

/* Pixels at the edge hardly ever differ from 0: fewer features make planes many. */
static void the_hinge_goes_by_the_features_that_matter(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 5000, 779);
    (void)state;
    request.nonzeros = 748159;
    request.lambda = 1e-5;
    request.mean_square = 87;
    assert_chosen(&request, "ipm"); /* not known */
    request.effective = 779;
    assert_chosen(&request, "ipm");
    request.effective = 293;
    assert_chosen(&request, "ocas");
    request.lambda = 1e-6;
    assert_chosen(&request, "ipm");
    request.epsilon = 1e-2;
    assert_chosen(&request, "ocas");
    request.lambda = 3e-6;
    request.epsilon = 0;
    request.mean_square = 10;
    assert_chosen(&request, "ocas");
    request.uneven = true; /* a few features of a large size are not all that matter */
    assert_chosen(&request, "ipm");
}

/* On data that are hardly separable proximal terms save many passes at small lambda. */
static void the_hinge_of_several_examples_a_feature(void **state) {
    static const struct {
        int64_t rows, features, nonzeros;
        double lambda, mean_square;
        bool uneven;
        const char *solver;
    } rows[] = {
        {30000, 900, 571972, 1e-6, 1, false, "proximal-bundle"},
        {30000, 900, 571972, 1e-5, 1, false, "proximal-bundle"},
        {30000, 900, 571972, 1.01e-5, 1, false, "ocas"},
        {30000, 1000, 571972, 1e-6, 1, false, "proximal-bundle"},
        {30000, 500, 1499999, 1e-6, 1, false, "proximal-bundle"},
        {30000, 500, 1500000, 1e-6, 1, false, "mcpa"},
        {30000, 500, 1499999, 0.9e-6, 1, false, "proximal-bundle"},
        {30000, 500, 1500000, 0.9e-6, 1, false, "ocas"},
        {29999, 1000, 571972, 1e-6, 1, false, "ocas"},
        {20000, 100, 2000000, 9e-6, 1, false, "proximal-bundle"},
        {19999, 100, 1999900, 9e-6, 1, false, "ocas"},
        {30000, 900, 571972, 1e-6, 1, true, "ocas"},
        {25500, 51, 1300500, 1e-6, 1, false, "proximal-bundle"},
        {25000, 50, 1250000, 1e-6, 1, false, "mcpa"},
        {50000, 50, 2500000, 1e-6, 1, false, "proximal-bundle"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("hinge", "l2", rows[i].rows, rows[i].features);
        request.nonzeros = rows[i].nonzeros;
        request.lambda = rows[i].lambda;
        request.mean_square = rows[i].mean_square;
        request.uneven = rows[i].uneven;
        assert_chosen(&request, rows[i].solver);
    }
    struct default_request mapped = default_request_of("hinge", "l2", 30000, 300);
    mapped.lambda = 1e-6;
    mapped.mean_square = 0.1;
    assert_chosen(&mapped, "proximal-bundle");
    mapped.needs.map = true; /* dense, and dear */
    assert_chosen(&mapped, "ocas");
}

/* Features of very different sizes make cutting planes take many passes. */
static void the_hinge_goes_by_the_sizes_of_features(void **state) {
    struct default_request request = default_request_of("hinge", "l2", 452, 279);
    (void)state;
    request.nonzeros = 125000;
    request.lambda = 0.03;
    assert_chosen(&request, "ocas");
    request.uneven = true;
    assert_chosen(&request, "ipm");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_lambda_or_gap_on_narrow_data_needs_the_interior_point),
        cmocka_unit_test(the_hinge_goes_by_what_the_data_cost),
        cmocka_unit_test(the_hinge_goes_by_the_norms_of_rows),
        cmocka_unit_test(the_hinge_goes_by_the_features_that_matter),
        cmocka_unit_test(the_hinge_of_several_examples_a_feature),
        cmocka_unit_test(the_hinge_goes_by_the_sizes_of_features),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
