/* test_default_joint.c - which solver a run of several outputs or rows at once without -s gets. */
#include "training/defaults/default_solver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/default_request_fixture.h"

static void classes_at_large_lambda_need_few_linearizations(void **state) {
    struct default_request request = default_request_of("crammer-singer", "l2", 20000, 250);

    (void)state;
    request.needs.intercept = true; /* no offsets in the dual of single rows */
    assert_chosen(&request, "bundle");
    request.lambda = 0.01;
    assert_chosen(&request, "proximal-bundle");
    request.needs.intercept = false;
    assert_chosen(&request, "sdm");
    request.rows = 200 * request.features;
    assert_chosen(&request, "sdm");
    request.lambda = 9e-4;
    assert_chosen(&request, "proximal-bundle");
}

static void softmax_goes_by_density_examples_and_sizes(void **state) {
    static const struct {
        int64_t rows, features;
        bool dense, uneven;
        double share; /* lambda times the examples */
        const char *solver;
    } rows[] = {
        {2500, 800, true, false, 9e-3, "sdca"},
        {2500, 800, true, false, 2e-4, "lbfgs"},
        {120, 4000, true, false, 2e-4, "lbfgs"},
        {8000, 800, true, false, 9e-3, "lbfgs"},
        {8000, 800, true, false, 2e-2, "sdca"},
        {15000, 450, false, false, 0.09, "lbfgs"},
        {15000, 450, false, false, 0.2, "sdca"},
        {2000, 450, false, false, 0.09, "sdca"},
        {60000, 120, false, false, 0.09, "proximal-bundle"},
        {15000, 1100, false, false, 0.09, "sdca"},
        {2000, 60, false, false, 0.09, "sdca"},
        {4000, 12, true, true, 1, "proximal-bundle"},
        {4000, 300, true, true, 1e-4, "proximal-bundle"},
        {4000, 301, true, true, 1, "sdca"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct default_request request =
            default_request_of("softmax", "l2", rows[i].rows, rows[i].features);
        request.lambda = rows[i].share / (double)rows[i].rows;
        request.nonzeros = rows[i].rows * (rows[i].dense ? rows[i].features : 10);
        request.uneven = rows[i].uneven;
        assert_chosen(&request, rows[i].solver);
    }
}

static void many_weights_leave_no_room_for_bundles(void **state) {
    struct default_request crf = default_request_of("crf", "l2", 4000, 2000);
    struct default_request softmax =
        default_request_of("softmax", "l2", 40000000, 200000); /* not for the dual */
    struct default_request rna = default_request_of("rna", "l2", 4000, 4);

    (void)state;
    crf.weights = 2000 * 100;
    assert_chosen(&crf, "sdca");
    crf.rows = 2000 * 100;
    crf.overlap = 20000;
    assert_chosen(&crf, "sdca");
    crf.needs.risk = risk_row_by_name("m3n");
    assert_chosen(&crf, "proximal-bundle");
    crf.overlap = 2000;
    assert_chosen(&crf, "sdca");
    crf.needs.risk = risk_row_by_name("crf");
    crf.overlap = 20001;
    assert_chosen(&crf, "proximal-bundle");
    crf.rows = 1999; /* fewer than features */
    assert_chosen(&crf, "sdca");
    crf.rows = 4000;
    crf.overlap = 0;
    crf.needs.intercept = true;
    assert_chosen(&crf, "proximal-bundle");
    crf.needs.intercept = false;
    assert_chosen(&rna, "sdca");
    crf.weights = 2000 * 101;
    crf.rows = 2000 * 101;
    assert_chosen(&crf, "proximal-bundle");
    crf.weights++;
    assert_chosen(&crf, "agm");
    softmax.weights = 3000000;
    assert_chosen(&softmax, "proximal-bundle");
    softmax.weights++;
    assert_chosen(&softmax, "proximal");
    softmax.needs.tolerance = true;
    softmax.epsilon = 1e-2;
    assert_chosen(&softmax, "agm");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(classes_at_large_lambda_need_few_linearizations),
        cmocka_unit_test(softmax_goes_by_density_examples_and_sizes),
        cmocka_unit_test(many_weights_leave_no_room_for_bundles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
