/* test_ipm_rounding.c - ipm where rounding is near: unequal weights, more features than rows, gaps below that of J. */
#include "risk/loss.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/solvers/interior_point/ipm_fixture.h"

/* Gaussian features, 300 x 20, and weights of twelve magnitudes: the gap stays high for long. */
static void unequal_weights_converge(void **state) {
    (void)state;
    enum { WEIGHED = 300, GAUSSIAN = 20 };
    for (uint64_t seed = 0; seed < 6; seed++) {
        double weight[WEIGHED];
        struct random random;
        struct fixture f;
        random_seed(&random, seed, 3);
        set_up(&f, loss_by_name("hinge"), 1e-9);
        dataset_free(&f.data);
        f.data = dense_data(WEIGHED, GAUSSIAN, &random);
        for (int i = 0; i < WEIGHED; i++)
            weight[i] = pow(10, 12 * random_unit(&random) - 6);
        f.scalar.target = f.data.label;
        f.scalar.weight = weight;
        assert_int_equal(train(&f, 1e-6, NULL), 0);
        assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
        tear_down(&f);
    }
}

/* More features than rows and a small lambda: J is far below the scores, and their rounding of many
 * steps would close the gap too early: a run converges in truth, or rounding ends it. */
static void wide_data_keep_the_gap(void **state) {
    (void)state;
    static const char *const names[] = {"absolute", "quantile", "epsilon", "huber"};
    enum { FEW = 30, MANY = 50 };
    for (int k = 0; k < 4 * 8; k++) {
        struct random random;
        struct fixture f;
        random_seed(&random, (uint64_t)k, 4);
        set_up(&f, loss_by_name(names[k % 4]), 1e-9);
        dataset_free(&f.data);
        f.data = dense_data(FEW, MANY, &random);
        for (int i = 0; i < FEW; i++)
            f.target[i] = gaussian(&random);
        f.scalar.parameters.tube = 0;
        assert_int_equal(train(&f, 1e-8, NULL), 0);
        double j = f.outcome.objective, gap = j - f.outcome.bound;
        bool kept = gap <= 1e-8 * j;
        assert_near(plain_objective(&f), j, 1e-15);
        assert_true(gap >= 0 && gap <= 1e-14);
        assert_int_equal(f.outcome.verdict, kept ? VERDICT_CONVERGED : VERDICT_STALLED);
        tear_down(&f);
    }
}

/* Gaps below the rounding of J, or none asked for: the run ends all the same. */
static void rounding_ends_a_run(void **state) {
    (void)state;
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < LAMBDAS * 2; k++) {
            struct fixture f;
            set_up(&f, &table[l], lambdas[k / 2]);
            f.scalar.intercept = k % 2;
            assert_int_equal(train(&f, k % 4 < 2 ? 1e-20 : 0, NULL), 0);
            assert_true(f.outcome.verdict == VERDICT_STALLED ||
                        f.outcome.verdict == VERDICT_CONVERGED);
            assert_true(f.outcome.objective - f.outcome.bound <= 1e-10 * f.outcome.objective);
            tear_down(&f);
        }
}

/* Columns of many sizes and hardly any regularization: J falls by its rounding for thousands of iterations. */
static void rounding_is_no_progress(void **state) {
    (void)state;
    enum { FEW = 36, SIZES = 5 };
    for (int k = 0; k < 24; k++) {
        struct random random;
        struct fixture f;
        random_seed(&random, (uint64_t)k, 7);
        set_up(&f, loss_by_name("squared"), 1e-12);
        dataset_free(&f.data);
        f.data = dense_data(FEW, FEW + 2, &random);
        for (int64_t i = 0; i < f.data.nonzeros; i++)
            f.data.value[i] *= pow(10, f.data.column[i] % SIZES - 2);
        for (int i = 0; i < FEW; i++)
            f.target[i] = gaussian(&random);
        f.scalar.weight = NULL;
        assert_int_equal(train(&f, 1e-12, NULL), 0);
        assert_true(f.outcome.verdict == VERDICT_STALLED || f.outcome.verdict == VERDICT_CONVERGED);
        assert_true(f.outcome.bound <= f.outcome.objective && f.outcome.iterations <= 20);
        tear_down(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unequal_weights_converge),
        cmocka_unit_test(wide_data_keep_the_gap),
        cmocka_unit_test(rounding_ends_a_run),
        cmocka_unit_test(rounding_is_no_progress),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
