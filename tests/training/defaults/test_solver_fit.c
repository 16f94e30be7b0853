/* test_solver_fit.c - what solvers can do, and how what they lack is told. */
#include "training/defaults/solver_fit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "tests/training/defaults/default_request_fixture.h"

static void the_interior_point_takes_the_1_norm_with_boxes_alone(void **state) {
    struct solver_needs needs = default_request_of("logistic", "l1", 1, 1).needs;
    char lack[96];

    (void)state;
    assert_false(solver_fits(solver_by_name("ipm"), &needs, lack, sizeof lack));
    assert_string_equal(lack, "cannot take -L logistic with -r l1");
    needs.risk = risk_row_by_name("huber");
    assert_true(solver_fits(solver_by_name("ipm"), &needs, lack, sizeof lack));
    needs.regularizer = regularizer_by_name("elastic-net");
    assert_true(solver_fits(solver_by_name("ipm"), &needs, lack, sizeof lack));
}

/* Regularizers of single scores alone. */
static void what_proximal_lacks_with_l1(void **state) {
    const struct solver *proximal = solver_by_name("proximal");
    struct solver_needs needs = default_request_of("softmax", "l1", 1, 1).needs;
    char lack[96];

    (void)state;
    assert_false(solver_fits(proximal, &needs, lack, sizeof lack));
    assert_string_equal(lack, "cannot take -L softmax with -r l1");
    needs.risk = risk_row_by_name("hinge");
    assert_true(solver_fits(proximal, &needs, lack, sizeof lack));
    needs.batches = true;
    assert_false(solver_fits(proximal, &needs, lack, sizeof lack));
    assert_string_equal(lack, "has no mini-batches (-k) with -r l1");
    needs.window = true;
    assert_false(solver_fits(proximal, &needs, lack, sizeof lack));
    assert_string_equal(lack, "needs all examples in memory (--memory)");
    needs.regularizer = regularizer_by_name("l2");
    assert_true(solver_fits(proximal, &needs, lack, sizeof lack));
}

static void what_a_solver_lacks(void **state) {
    static const char *const regularizers[] = {"l2", NULL};
    struct solver narrow = {.name = "narrow",
                            .takes_loss = loss_is_piecewise_linear,
                            .regularizers = regularizers,
                            .tolerance = "some"};
    struct solver_needs needs = default_request_of("logistic", "entropy", 1, 1).needs;
    char lack[96];

    (void)state;
    needs.intercept = needs.batches = needs.tolerance = true;
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "cannot take -L logistic");
    needs.risk = risk_row_by_name("hinge");
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "cannot take -r entropy");
    needs.regularizer = regularizer_by_name("l2");
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack,
                        "has no unregularized offset (--intercept; -B 1 adds a regularized one)");
    needs.intercept = false;
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "has no mini-batches (-k)");
    needs.batches = false;
    assert_true(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "");
    narrow.offset = narrow.distributed = needs.intercept = needs.distributed = true;
    assert_true(solver_fits(&narrow, &needs, lack, sizeof lack));
    narrow.takes_alone = loss_has_box;
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "needs all examples in one process for -L hinge");
    needs.distributed = false;
    assert_true(solver_fits(&narrow, &needs, lack, sizeof lack));
    narrow.takes_alone = NULL;
    narrow.gathers = true;
    assert_true(solver_fits(&narrow, &needs, lack, sizeof lack));
    needs.window = true;
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack, "needs all examples in memory (--memory)");
    needs.window = false;
    needs.distributed = true;
    assert_false(solver_fits(&narrow, &needs, lack, sizeof lack));
    assert_string_equal(lack,
                        "has no unregularized offset (--intercept; -B 1 adds a regularized one)");
    needs.intercept = false;
    assert_true(solver_fits(&narrow, &needs, lack, sizeof lack));
}

/* By `needs` alone, whatever `takes_loss` says. */
static void smooth_solvers_take_smooth_losses(void **state) {
    (void)state;
    const struct solver smooth = {.needs = SOLVER_NEEDS_SMOOTH},
                        all = {.needs = SOLVER_NEEDS_GRADIENT};
    int count;
    const struct loss *table = loss_table(&count);
    for (int l = 0; l < count; l++) {
        assert_true(solver_takes_loss(&smooth, &table[l]) == (table[l].second != NULL));
        assert_true(solver_takes_loss(&all, &table[l]));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interior_point_takes_the_1_norm_with_boxes_alone),
        cmocka_unit_test(what_proximal_lacks_with_l1),
        cmocka_unit_test(what_a_solver_lacks),
        cmocka_unit_test(smooth_solvers_take_smooth_losses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
