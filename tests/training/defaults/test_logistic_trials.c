/* test_logistic_trials.c - which solvers are tried first with the logistic loss on many features. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/trial_fixture.h"

/* Planes lead with a smooth loss only where the data are nearly separable, which J after 10 passes shows. */
static void quasi_newton_steps_go_before_planes(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 4000, 30000);
    struct report report = {.passes = 10, .objective = 0.081};
    (void)state;
    struct trial trial = trial_of(&request, "proximal-bundle", "lbfgs");
    assert_true(isinf(trial.allowed(&report, trial.passes)));
    report.objective = 0.079;
    assert_true(trial.allowed(&report, trial.passes) == 10);
    report.passes = 9;
    assert_true(isinf(trial.allowed(&report, trial.passes)));
    request.uneven = true;
    assert_false(tries(&request, "proximal-bundle", "lbfgs"));
    request = default_request_of("absolute", "l2", 4000, 30000);
    assert_false(tries(&request, "proximal-bundle", "lbfgs"));
}

/* On sparse data of more features than examples, at any size of the features. */
static void dual_steps_go_first_with_the_logistic_loss(void **state) {
    struct default_request request = default_request_of("logistic", "l2", 4000, 30000);
    struct report report = {.passes = 60, .objective = 1, .bound = 0.951};
    struct trial trials[TRIALS_MOST];
    (void)state;
    default_trials(&request, solver_by_name("proximal-bundle"), trials);
    assert_ptr_equal(trials[0].solver, solver_by_name("sdca"));
    assert_ptr_equal(trials[1].solver, solver_by_name("lbfgs"));
    assert_true(isinf(trials[0].allowed(&report, trials[0].passes)));
    report.bound = 0.949;
    assert_true(trials[0].allowed(&report, trials[0].passes) == 60);
    assert_ptr_equal(first_trial(&request, "lbfgs").solver, solver_by_name("sdca"));
    request.uneven = true;
    assert_ptr_equal(first_trial(&request, "lbfgs").solver, solver_by_name("sdca"));
    request.nonzeros = request.rows * request.features;
    assert_false(tries(&request, "lbfgs", "sdca"));
    request = default_request_of("logistic", "l2", 30000, 4000);
    assert_false(tries(&request, "lbfgs", "sdca"));
    request = default_request_of("logistic", "l2", 3000, 30000); /* few rows are for ipm */
    assert_false(tries(&request, "ipm", "sdca"));
    request = default_request_of("squared-hinge", "l2", 4000, 30000);
    assert_false(tries(&request, "dcd", "sdca"));
    request = default_request_of("logistic", "l2", 4000, 30000);
    request.needs.intercept = true; /* sdca has no offset */
    assert_false(tries(&request, "lbfgs", "sdca"));
    request.needs.intercept = false;
    request.needs.map = true;
    assert_false(tries(&request, "lbfgs", "sdca"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quasi_newton_steps_go_before_planes),
        cmocka_unit_test(dual_steps_go_first_with_the_logistic_loss),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
