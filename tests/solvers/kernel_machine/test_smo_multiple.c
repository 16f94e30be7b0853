/* test_smo_multiple.c - the best multiple of weights: of all factors none has a smaller J. */
#include "solvers/kernel_machine/smo_multiple.h"

#include "tests/random_data.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/kernel_fixture.h"
#include "tests/near.h"

enum { ROWS = 60 };

static const char *const losses[] = {"hinge", "epsilon", "absolute", "quantile"};

struct point {
    double theta[ROWS], f[ROWS], h[ROWS];
};

/* J of `factor` times the point. */
static double objective_of(const struct canonical *c, const struct point *point, double factor) {
    struct point p = *point;
    for (int i = 0; i < ROWS; i++) {
        p.theta[i] *= factor;
        p.f[i] *= factor;
        p.h[i] *= factor;
    }
    return canonical_objective(c, p.theta, p.f, p.h, 0);
}

/* Of random weights, `size` times those of the optimum. */
static void check_point(const struct kernel_fixture *f, const struct canonical *c, double size,
                        struct random *random) {
    struct point p;
    for (int i = 0; i < ROWS; i++)
        p.theta[i] = size * f->w[i] * (0.99 + 0.02 * random_unit(random));
    for (int i = 0; i < ROWS; i++) {
        p.f[i] = 0;
        for (int k = 0; k < ROWS; k++)
            p.f[i] += p.theta[k] * outside_kernel(f, i, k);
        p.h[i] = p.f[i] + size * f->w[ROWS];
    }
    double first = objective_of(c, &p, 1), objective = first;
    double factor = smo_multiple(c, p.theta, p.f, p.h, &objective);
    assert_true(objective <= first && (factor == 1) == (objective == first));
    assert_near(objective, objective_of(c, &p, factor), 1e-12 * objective);
    for (int k = 0; k <= 1500; k++)
        assert_true(objective <= objective_of(c, &p, 0.5 + 0.001 * k) * (1 + 1e-9));
}

static void test_no_factor_is_better(void **state) {
    (void)state;
    const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 2};
    struct random random;
    random_seed(&random, 3, 3);
    for (int k = 0; k < 12; k++) {
        const char *loss = losses[k % 4];
        const double costs[] = {0.1, 10, 1e4};
        struct kernel_fixture f;
        struct canonical c;
        kernel_set_up(&f, data_for(loss, ROWS, 1 + k), loss, gaussian, "1", NULL, costs[k / 4]);
        assert_int_equal(kernel_train(&f, "smo", 1e-2, 1e6, INFINITY, false, NULL), 0);
        assert_int_equal(canonical_init(&c, &f.problem, &f.error), 0);
        for (double size = 0.8; size < 1.3; size += 0.1)
            check_point(&f, &c, size, &random);
        canonical_free(&c);
        kernel_tear_down(&f);
    }
}

/* Weights of 0 stay. */
static void test_zero(void **state) {
    (void)state;
    const struct kernel gaussian = {.kind = KERNEL_GAUSSIAN, .gamma = 2};
    const struct point p = {.theta = {0}};
    struct kernel_fixture f;
    struct canonical c;
    double objective = 1;
    kernel_set_up(&f, data_for("hinge", ROWS, 1), "hinge", gaussian, "1", NULL, 1);
    assert_int_equal(canonical_init(&c, &f.problem, &f.error), 0);
    assert_true(smo_multiple(&c, p.theta, p.f, p.h, &objective) == 1);
    assert_true(objective == 1);
    canonical_free(&c);
    kernel_tear_down(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_factor_is_better),
        cmocka_unit_test(test_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
