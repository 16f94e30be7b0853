/* test_agm_ends.c - agm and agm1 come to an end where rounding, units or wrong options are in the way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "near.h"

#include "bundle_fixture.h"

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

/* Where the risk is flatter than was said L falls with every step; it must not fall to 0. */
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

/* Few rows and a small l1: f is next to nothing beside its terms, and rounding must not drive L away. */
static void rounding_does_not_drive_the_constant_away(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++)
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

/* A perfect fit: the gap is relative to 0, and the run ends all the same, and says why. */
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
                (o.verdict == VERDICT_STALLED && o.obstacle.what != NULL));
    assert_true(o.objective <= 1e-15 && o.passes < 5000);
    risk_free((struct risk *)problem.risk);
    dataset_free(&data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_that_falls_for_long_stays_above_zero),
        cmocka_unit_test(rounding_does_not_drive_the_constant_away),
        cmocka_unit_test(passes_do_not_depend_on_the_units_of_the_target),
        cmocka_unit_test(an_optimum_of_zero_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
