/* test_canonical.c - the dual program of kernel machines: its bound from any point of the box, the columns
 * that the basis hides. */
#include "solvers/kernel_machine/canonical.h"

#include "kernel/parametric.h"
#include "tests/random_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/near.h"

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};
static const char *const losses[] = {"hinge", "epsilon", "absolute", "quantile"};

static void find_scores(const struct kernel_fixture *f, const struct canonical *c, const double *z,
                        double *scores) {
    double theta[100];
    canonical_theta(c, z, theta);
    for (int64_t i = 0; i < c->rows; i++) {
        scores[i] = 0;
        for (int64_t k = 0; k < c->rows; k++)
            scores[i] += theta[k] * outside_kernel(f, i, k);
    }
}

/* Near the optimum and far from it, A z = 0 or not, the bound is none of the optimum's. */
static void test_bounds_hold(void **state) {
    (void)state;
    int found = 0;
    for (int l = 0; l < 4; l++) {
        struct kernel_fixture f;
        struct canonical c;
        struct random random;
        struct dataset data = random_data(80, 4, false, 21);
        double z[160], moved[160], scores[80], given[80];
        random_seed(&random, 5, 5);
        for (int i = 0; i < 80 && l > 0; i++)
            data.label[i] = 4 + data.label[i] + 2 * random_unit(&random);
        kernel_set_up(&f, data, losses[l], gaussian, "1,2", NULL, 3);
        assert_int_equal(kernel_train(&f, "pdsg", 1e-7, 1e6, INFINITY, false, NULL), 0);
        double optimum = f.outcome.objective;
        assert_int_equal(canonical_init(&c, &f.problem, &f.error), 0);
        canonical_variables(&c, f.w, z);
        for (int k = 0; k < 60; k++) {
            double size = pow(10, -k % 10 - 1);
            for (int64_t t = 0; t < c.count; t++) {
                double to = (k / 10 % 2 ? 1 : random_unit(&random)) * c.upper[t];
                moved[t] = random_unit(&random) < 0.5 ? z[t] : z[t] + size * (to - z[t]);
            }
            find_scores(&f, &c, moved, scores);
            canonical_given_scores(&c, scores, f.w + c.rows, given);
            double bound = canonical_bound(&c, moved, scores, given);
            assert_true(bound <= optimum * (1 + 1e-9));
            found += bound > 0.5 * optimum;
        }
        canonical_free(&c);
        kernel_tear_down(&f);
    }
    assert_true(found > 120);
}

/* In the dual at its optimum the bound is the optimum, whatever balances it. */
static void test_bound_is_tight(void **state) {
    (void)state;
    struct kernel_fixture f;
    struct canonical c;
    double z[80], scores[80], given[80];
    kernel_set_up(&f, random_data(80, 4, false, 22), "hinge", gaussian, "1,2,3^2", NULL, 1);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-8, 1e6, INFINITY, false, NULL), 0);
    assert_int_equal(canonical_init(&c, &f.problem, &f.error), 0);
    canonical_variables(&c, f.w, z);
    find_scores(&f, &c, z, scores);
    canonical_given_scores(&c, scores, f.w + c.rows, given);
    assert_near(canonical_bound(&c, z, scores, given), f.outcome.objective, 1e-7);
    canonical_free(&c);
    kernel_tear_down(&f);
}

/* Each column in turn, the first and the last too. */
static void test_hidden_columns(void **state) {
    (void)state;
    const char *const only[] = {"1", "2^2", "5", "1,5", "9"};
    for (int k = 0; k < 5; k++) {
        struct dataset data = random_data(40, 5, false, 23), rest;
        struct basis basis;
        struct error e;
        assert_int_equal(basis_parse("none", only[k], false, &basis, &e), 0);
        assert_int_equal(parametric_kernel_rows(&basis, &data, NULL, data.rows, &rest, &e), 0);
        assert_int_equal(rest.rows, 40);
        for (int64_t i = 0; i < 40; i++)
            for (int32_t j = 0; j < 5; j++)
                assert_true(outside_value(&rest, i, j) ==
                            (basis_hides(&basis, j) ? 0 : outside_value(&data, i, j)));
        assert_true(basis_hides(&basis, 4) == (k == 2 || k == 3));
        dataset_free(&rest);
        dataset_free(&data);
        basis_free(&basis);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds_hold),
        cmocka_unit_test(test_bound_is_tight),
        cmocka_unit_test(test_hidden_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
