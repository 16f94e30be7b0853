/* test_decomposition_hard.c - what is hard for subproblems: collinear basis functions, C far above and below
 * what bends, few variables, ends before the tolerance. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/size.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 0.4};
static const struct kernel linear = {.kind = KERNEL_LINEAR};
static const char *const solvers[] = {"pdsg", "mpd"};

/* 1 and 1e6 + x span what 1 and x do, and their values differ by 1e-6 of themselves. */
static void test_collinear_functions(void **state) {
    (void)state;
    double objective[2];
    for (int k = 0; k < 2; k++) {
        struct kernel_fixture f;
        struct dataset data = random_data(200, 2, true, 8);
        struct random random;
        random_seed(&random, 8, 3);
        data.value = malloc(sizeof *data.value * 400);
        data.nonzeros = 400;
        for (int64_t n = 0; n < 400; n++) {
            data.start[n / 2 + 1] = n / 2 * 2 + 2;
            data.column[n] = (int32_t)(n % 2);
            data.value[n] = random_unit(&random);
            data.label[n / 2] = 10 * data.value[n / 2 * 2] + data.value[n];
        }
        for (int64_t n = 0; n < 400; n += 2)
            data.value[n] += k * 0x1p20;
        kernel_set_up(&f, data, "epsilon", gaussian, "1", "1", 1);
        assert_int_equal(kernel_train(&f, "pdsg", 1e-4, 1e6, INFINITY, false, NULL), 0);
        assert_optimal(&f, 1e-4);
        objective[k] = f.outcome.objective;
        kernel_tear_down(&f);
    }
    assert_near(objective[0], objective[1], 1e-5 * objective[0]);
}

/* C far above and far below what bends; steps of one coordinate and eta that undo each other. */
static void test_steep_and_flat(void **state) {
    (void)state;
    static const char *const words[][3] = {{NULL}, {"alone=on", NULL}, {"newton=off", NULL}};
    const struct kernel smooth = {.kind = KERNEL_GAUSSIAN, .gamma = 0.11};
    for (int s = 0; s < LENGTH(solvers); s++)
        for (int k = 0; k < 6; k++) {
            if ((s + k) % PART(1, 2) != 0)
                continue;
            struct kernel_fixture f;
            bool flat = k >= 3,
                 pure = s == 0 && k == 2; /* Algorithm 5 alone takes long at a large C */
            kernel_set_up(&f, data_for("quantile", flat ? 10 : 50, 30), "quantile",
                          k == 4 ? linear : smooth, flat ? "1,1^3,1^2,2^2" : "3,2^3",
                          flat ? NULL : "2^2,1,2",
                          flat   ? 3e-4
                          : pure ? 30
                                 : 3000);
            assert_int_equal(kernel_train(&f, solvers[s], 1e-3, 1e6, INFINITY, false, words[k % 3]),
                             0);
            assert_optimal(&f, 1e-3);
            kernel_tear_down(&f);
        }
}

/* At any end J is that of the model, the best on the way, and the bound holds. */
static void test_ends(void **state) {
    (void)state;
    static const char *const words[] = {"working-set=12", "fresh=4", "newton=off", NULL};
    struct kernel_fixture f;
    kernel_set_up(&f, data_for("quantile", 100, 15), "quantile", gaussian, "1,2", NULL, 300);
    assert_int_equal(kernel_train(&f, "pdsg", 1e-5, 1e6, INFINITY, false, NULL), 0);
    double optimum = f.outcome.objective, before = INFINITY;
    for (double passes = 0.5; passes < 5; passes *= 1.5) {
        memset(f.w, 0, sizeof *f.w * 102);
        assert_int_equal(kernel_train(&f, "pdsg", 1e-9, passes, INFINITY, false, words), 0);
        struct outside o = outside_look(&f);
        assert_near(f.outcome.objective, o.objective, 1e-12 * o.objective);
        assert_true(f.outcome.objective <= before * (1 + 1e-6));
        assert_true(f.outcome.bound <= optimum);
        before = f.outcome.objective;
    }
    kernel_tear_down(&f);
}

/* Sets that are too small for the equalities grow. */
static void test_small_sets(void **state) {
    (void)state;
    static const char *const words[][3] = {{"working-set=2", NULL},
                                           {"working-set=6", "fresh=4", NULL}};
    for (int s = 0; s < LENGTH(solvers); s++)
        for (int k = 0; k < 2; k++) {
            struct kernel_fixture f;
            kernel_set_up(&f, data_for("epsilon", 90, 16), "epsilon", gaussian, "1,2,3,4,5,2^2",
                          NULL, 100);
            assert_int_equal(kernel_train(&f, solvers[s], 1e-3, 1e6, INFINITY, false, words[k]), 0);
            assert_optimal(&f, 1e-3);
            kernel_tear_down(&f);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_collinear_functions),
        cmocka_unit_test(test_steep_and_flat),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_small_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
