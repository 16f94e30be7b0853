/* test_smo_resume.c - smo where interior points fail, since no system has a factor: pairs go on from the best solution
 * so far, and end certified. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "solvers/kernel_machine/smo_interior_kernel.h"
#include "tests/solvers/kernel_machine/kernel_edges.h"

#define LENGTH(array) ((int)(sizeof(array) / sizeof *(array)))

static const char *const losses[] = {"epsilon", "absolute", "quantile"};
static int whole, low;

int __wrap_interior_kernel_factor(struct interior_kernel *k, const double *w);
int __wrap_interior_kernel_factor(struct interior_kernel *k, const double *w) {
    (void)w;
    *(k->rank > 0 ? &low : &whole) += 1;
    return -1;
}

static void check(struct kernel kernel, const char *loss, int64_t rows, double c,
                  const char *const *words) {
    struct kernel_fixture f;
    whole = low = 0;
    kernel_set_up(&f, data_for(loss, rows, 5), loss, kernel, "1", NULL, c);
    assert_int_equal(kernel_train(&f, "smo", 1e-3, 1e6, INFINITY, false, words), 0);
    struct outside o = outside_look(&f);
    assert_int_equal(f.outcome.verdict, VERDICT_CONVERGED);
    assert_near(f.outcome.objective, o.objective, 1e-6 * o.objective);
    assert_true(f.outcome.bound <= o.objective);
    assert_true(o.objective - f.outcome.bound <= 1e-3 * o.objective);
    kernel_tear_down(&f);
}

static void test_whole(void **state) {
    (void)state;
    const struct kernel kernel = {.kind = KERNEL_GAUSSIAN, .gamma = 0.02};
    for (int l = 0; l < LENGTH(losses); l++) {
        check(kernel, losses[l], 60, 1e4, NULL);
        assert_int_equal(whole, 1);
        assert_int_equal(low, 0);
    }
}

/* A K that is of the rank 21 is tried once: of more columns L would be the same. */
static void test_low_rank(void **state) {
    (void)state;
    const struct kernel kernel = {.kind = KERNEL_POLYNOMIAL, .gamma = 0.2, .shift = 1, .degree = 2};
    const char *const small[] = {"kernel-cache=3", NULL}; /* too few for all of K */
    for (int l = 0; l < LENGTH(losses); l++) {
        check(kernel, losses[l], 600, 1e4, small);
        assert_int_equal(low, 1);
        assert_int_equal(whole, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_low_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
