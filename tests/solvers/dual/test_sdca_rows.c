/* test_sdca_rows.c - sdca with the logistic loss, whose items are rows: the optima of another solver, starts, limits,
 * and what it refuses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/solvers/dual/dcd_fixture.h"

/* The numbers of the problems without an offset, which the dual of single rows does not have. */
static bool has_offset(uint64_t number) {
    return number % 3 == 1;
}

/* Bounds of one solver are at most the objectives of the other, with weights, a bias, empty rows and values of 1. */
static void random_problems_reach_their_optima(void **state) {
    static const double epsilon = 1e-6;
    (void)state;
    for (uint64_t number = 0; number < PROBLEMS; number++) {
        struct result result = {0}, reference = {0};
        struct fixture f;
        if (has_offset(number))
            continue;
        set_up(&f, "logistic", number);
        train(&f, "sdca", epsilon, &result);
        train(&f, "ipm", epsilon, &reference);
        if (!agree(&result.outcome, &reference.outcome, epsilon))
            fail_msg("problem %d: objective %.17g, bound %.17g; ipm %.17g, %.17g", (int)number,
                     result.outcome.objective, result.outcome.bound, reference.outcome.objective,
                     reference.outcome.bound);
        tear_down(&f);
    }
}

/* Labels of which one is positive are the targets 1 and -1. */
static void labels_are_targets(void **state) {
    static const double positive = 5;
    (void)state;
    for (uint64_t number = 0; number < 30; number++) {
        struct result signs = {0}, labels = {0};
        struct fixture f;
        if (has_offset(number))
            continue;
        set_up(&f, "logistic", number);
        train(&f, "sdca", 1e-6, &signs);
        for (int64_t i = 0; i < f.data.rows; i++)
            f.target[i] = f.target[i] > 0 ? positive : 2;
        risk_free((struct risk *)f.problem.risk);
        f.scalar.positive = &positive;
        f.problem.risk = scalar_risk_new(&f.scalar, NULL);
        train(&f, "sdca", 1e-6, &labels);
        assert_true(labels.outcome.objective == signs.outcome.objective);
        assert_memory_equal(labels.w, signs.w, sizeof signs.w);
        tear_down(&f);
    }
}

/* From its optimum a run ends at its first look, at the same J. */
static void a_start_at_the_optimum_is_the_end(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 30; number++) {
        struct result result = {0};
        struct fixture f;
        if (has_offset(number))
            continue;
        set_up(&f, "logistic", number);
        train(&f, "sdca", 1e-7, &result);
        double objective = result.outcome.objective;
        f.warm = true;
        train(&f, "sdca", 1e-4, &result);
        assert_int_equal(result.outcome.verdict, VERDICT_CONVERGED);
        assert_true(result.outcome.passes <= 3);
        assert_near(result.outcome.objective, objective, 1e-6 * objective);
        tear_down(&f);
    }
}

static void limits_leave_a_bound_that_holds(void **state) {
    (void)state;
    for (uint64_t number = 0; number < 60; number++) {
        struct result result = {0}, reference = {0};
        struct fixture f;
        if (has_offset(number))
            continue;
        set_up(&f, "logistic", number);
        train(&f, "ipm", 1e-8, &reference);
        f.passes = 3;
        train(&f, "sdca", 0, &result);
        assert_int_equal(result.outcome.verdict, VERDICT_PASSES);
        assert_true(result.outcome.passes <= 3);
        assert_true(result.outcome.bound <= reference.outcome.objective);
        assert_true(result.outcome.objective >= reference.outcome.bound);
        tear_down(&f);
    }
}

/* Of single scores it takes the loss whose dual has no form of its own (dcd.c). */
static void it_takes_one_loss_of_single_scores(void **state) {
    int count;
    (void)state;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        assert_true(solver_by_name("sdca")->takes_loss(&table[l]) ==
                    (strcmp(table[l].name, "logistic") == 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_reach_their_optima),
        cmocka_unit_test(labels_are_targets),
        cmocka_unit_test(a_start_at_the_optimum_is_the_end),
        cmocka_unit_test(limits_leave_a_bound_that_holds),
        cmocka_unit_test(it_takes_one_loss_of_single_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
