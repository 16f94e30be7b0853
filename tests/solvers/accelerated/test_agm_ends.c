/* test_agm_ends.c - agm and agm1 end despite rounding, units of any scale or unsuitable options. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

#include "tests/solvers/bundle/bundle_fixture.h"

static const char *const solvers[] = {"agm", "agm1"};
enum { SOLVERS = 2 };

static struct history history;

/* Rows of FEATURES numbers as a data set of its own. */
static struct problem small_problem(struct dataset *data, const char *loss, const char *regularizer,
                                    double lambda, double bias) {
    struct scalar_settings scalar = {.data = data,
                                     .target = data->label,
                                     .loss = loss_by_name(loss),
                                     .parameters = {2, 0.5, 1},
                                     .bias = bias};
    return (struct problem){.risk = scalar_risk_new(&scalar, NULL),
                            .regularizer = regularizer_by_name(regularizer),
                            .lambda = lambda};
}

/* If the risk is flatter than the first L, L falls with every step; it must not fall to 0. */
static void a_constant_that_falls_for_long_stays_above_zero(void **state) {
    (void)state;
    static const double label[] = {97, 1002, -1435, -1044, -690, -1044, 366, 1950};
    static const double value[] = {-1, 0.9, 1.8, 0.5, -0.9, -0.25, -0.05, 0.36};
    static const char *const words[] = {"strong=1", NULL};
    enum { ROWS_OF_IT = 8 };
    struct dataset data = random_data(ROWS_OF_IT, 1, false, 1);
    data.nonzeros = ROWS_OF_IT;
    for (int i = 0; i < ROWS_OF_IT; i++) {
        data.label[i] = label[i];
        data.value[i] = value[i];
        data.column[i] = 0;
        data.start[i + 1] = i + 1;
    }
    for (int k = 0; k < 2 * SOLVERS; k++) {
        struct problem problem =
            small_problem(&data, k / 2 ? "epsilon" : "absolute", "l2", 1e-4, 0.1);
        struct outcome o;
        double w[2] = {0};
        assert_int_equal(
            run_with(&problem, solvers[k % 2], words, 1e-3, 20000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        risk_free((struct risk *)problem.risk);
    }
    dataset_free(&data);
}

/* Few rows and a small l1: f is much smaller than its terms, and rounding must not make L large. */
static void rounding_does_not_drive_the_constant_away(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= PART(12, 4); seed++)
        for (int s = 0; s < SOLVERS; s++) {
            struct dataset data = random_data(4, 6, false, seed);
            struct problem problem = small_problem(&data, "hinge", "l1", 0.01, -1);
            struct outcome o;
            double w[6] = {0};
            data.label[0] = 1;
            data.label[1] = -1;
            assert_int_equal(
                run_with(&problem, solvers[s], NULL, 1e-5, 20000, w, &history, &o, NULL), 0);
            assert_int_equal(o.verdict, VERDICT_CONVERGED);
            risk_free((struct risk *)problem.risk);
            dataset_free(&data);
        }
}

/* The same problem in other units of the target takes as many passes. */
static void passes_do_not_depend_on_the_units_of_the_target(void **state) {
    (void)state;
    double passes[3];
    for (int k = 0; k < 3; k++) {
        static const double units[] = {1, 1e-8, 1e8};
        struct dataset data = random_data(50, 4, false, 3);
        struct outcome o;
        double w[4] = {0};
        for (int i = 0; i < 50; i++)
            data.label[i] *= units[k] * (1 + i % 7);
        struct problem problem = small_problem(&data, "absolute", "l2", 0.01 / units[k], -1);
        assert_int_equal(run_with(&problem, "agm", NULL, 1e-4, 20000, w, &history, &o, NULL), 0);
        assert_int_equal(o.verdict, VERDICT_CONVERGED);
        passes[k] = o.passes;
        risk_free((struct risk *)problem.risk);
        dataset_free(&data);
    }
    assert_true(passes[1] <= 1.2 * passes[0] && passes[2] <= 1.2 * passes[0]);
}

/* With a perfect fit J is 0, so the relative gap is not defined; the run ends and says why. */
static void an_optimum_of_zero_ends_the_run(void **state) {
    (void)state;
    struct dataset data = random_data(3, 6, false, 5);
    struct problem problem = small_problem(&data, "squared", "l1-ball", 1, -1);
    struct outcome o;
    double w[6] = {0};
    problem.parameters.ball = 100;
    data.label[0] = data.label[1] = 0; /* they may be empty rows */
    assert_int_equal(run_with(&problem, "agm", NULL, 1e-3, 50000, w, &history, &o, NULL), 0);
    assert_true(o.verdict == VERDICT_CONVERGED ||
                (o.verdict == VERDICT_STALLED && o.obstacle.what[0] != '\0'));
    assert_true(o.objective <= 1e-15 && o.passes < 5000);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

/* ---- ends without a tolerance that can be reached */

enum { MANY = 200, WIDE = 12 };

/* WORDS: the solver's options, or NULL. */
static struct outcome run_on(const char *loss, double lambda, const char *solver,
                             const char *const *words, double epsilon, double passes, double *w) {
    struct dataset data = random_data(MANY, WIDE, false, 8);
    struct problem problem = small_problem(&data, loss, "l2", lambda, -1);
    struct outcome o;
    assert_int_equal(run_with(&problem, solver, words, epsilon, passes, w, &history, &o, NULL), 0);
    assert_near(o.objective, problem_objective(&problem, w), 1e-12 * o.objective);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
    return o;
}

/* No gap is small enough: the run ends when nothing changes, also where the last digits of J and its bound never
 * agree. */
static void a_run_that_stands_still_ends(void **state) {
    (void)state;
    int stalled = 0;
    for (uint64_t seed = 1; seed <= 40; seed++)
        for (int s = 0; s < SOLVERS; s++) {
            struct dataset data = random_data(57, 7, false, seed);
            struct problem problem =
                small_problem(&data, "logistic", "l2", seed % 4 == 0 ? 1e-3 : 10, -1);
            struct outcome o;
            double w[7] = {0};
            assert_int_equal(run_with(&problem, solvers[s], NULL, 0, 5000, w, &history, &o, NULL),
                             0);
            assert_true(o.verdict == VERDICT_STALLED || o.verdict == VERDICT_CONVERGED);
            assert_true(o.passes < 500 && o.objective - o.bound <= 1e-15 * o.objective);
            stalled += o.verdict == VERDICT_STALLED;
            risk_free((struct risk *)problem.risk);
            dataset_free(&data);
        }
    assert_true(stalled > 0);
}

/* The run ends at the first check that allows it. */
static void no_more_passes_are_made_than_allowed(void **state) {
    (void)state;
    for (int k = 0; k < 2 * SOLVERS; k++) {
        double w[WIDE] = {0};
        const char *loss = k / 2 ? "absolute" : "hinge";
        struct outcome o = run_on(loss, 1e-6, solvers[k % 2], NULL, 1e-12, 200, w);
        assert_int_equal(o.verdict, VERDICT_PASSES);
        assert_true(o.passes >= 200 && o.passes <= 204);
    }
}

/* From its own result a run needs little: smoothing begins where it was left. And a step that is worse than
 * the start does not take its place. */
static void a_warm_start_is_not_left_for_a_worse_point(void **state) {
    static const char *const coarse[] = {"mu=1", NULL};
    static const char *const forms[][2] = {{"form=primal", NULL}, {"form=dual", NULL}};
    (void)state;
    for (int k = 0; k < 2 * SOLVERS; k++) {
        const char *solver = solvers[k % 2], *loss = k / 2 ? "absolute" : "hinge";
        double w[WIDE] = {0}, again[WIDE];
        for (int form = 1; form >= 0; form--) {
            memset(w, 0, sizeof w);
            struct outcome cold = run_on(loss, 0.01, solver, forms[form], 1e-3, 100000, w);
            assert_int_equal(cold.verdict, VERDICT_CONVERGED);
            memcpy(again, w, sizeof w);
            struct outcome warm = run_on(loss, 0.01, solver, forms[form], 1e-3, 100000, again);
            assert_int_equal(warm.verdict, VERDICT_CONVERGED);
            assert_true(warm.passes <= cold.passes / 2);
            assert_true(warm.objective <= cold.objective * (1 + 1e-12));
            memcpy(again, w, sizeof w);
            struct outcome one = run_on(loss, 0.01, solver, coarse, 1e-3, 1, again);
            assert_true(one.objective <= cold.objective * (1 + 1e-12));
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_that_falls_for_long_stays_above_zero),
        cmocka_unit_test(rounding_does_not_drive_the_constant_away),
        cmocka_unit_test(passes_do_not_depend_on_the_units_of_the_target),
        cmocka_unit_test(an_optimum_of_zero_ends_the_run),
        cmocka_unit_test(a_run_that_stands_still_ends),
        cmocka_unit_test(no_more_passes_are_made_than_allowed),
        cmocka_unit_test(a_warm_start_is_not_left_for_a_worse_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
