/* test_path_bounds.c - what two models of a certified path have in common. */
#include "training/search/path_bounds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

enum { ABOVE_OMEGA = 3 };
static const double above_lambda = 2, below_lambda = 1;

/* Of a model with this Omega(w) and R(w) at lambda. */
static struct outcome outcome_of(double lambda, double omega, double risk) {
    return (struct outcome){.objective = lambda * omega + risk,
                            .bound = 0.999 * (lambda * omega + risk),
                            .penalty = lambda * omega,
                            .low = 1,
                            .high = 1};
}

/* Where a model with Omega = ABOVE_OMEGA and R = 1 has the same J as another below it. */
static double crossing(double omega, double risk) {
    struct outcome above = outcome_of(above_lambda, ABOVE_OMEGA, 1),
                   below = outcome_of(below_lambda, omega, risk);
    struct path_point a = {.lambda = above_lambda, .at = &above},
                      b = {.lambda = below_lambda, .at = &below};
    struct path_pair pair;
    path_pair_init(&pair, &a, &b, 0.01, 1, false);
    return path_pair_crossing(&pair);
}

static void models_have_the_same_objective_between_them(void **state) {
    (void)state;
    assert_near(crossing(3.5, 0.25), 1.5, 1e-12);  /* 3 lambda + 1 = 3.5 lambda + 0.25 */
    assert_true(crossing(5, 0.5) == below_lambda); /* worse at its own lambda */
    assert_true(crossing(3.1, 0.5) == above_lambda);
}

/* Solved to a gap only, the one below may be smaller in both: it is better at all lambdas between. */
static void a_model_that_is_better_everywhere(void **state) {
    (void)state;
    assert_true(crossing(ABOVE_OMEGA, 0.9) == above_lambda);
    assert_true(crossing(ABOVE_OMEGA - 1e-9, 0.9) == above_lambda);
    assert_true(crossing(ABOVE_OMEGA - 1, 0.9) == above_lambda);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_have_the_same_objective_between_them),
        cmocka_unit_test(a_model_that_is_better_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
