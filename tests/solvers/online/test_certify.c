/* test_certify.c - what a bound from a point costs: the estimate of a Newton step, and steps that bring nothing. */
#include "solvers/online/certify.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/solvers/online/online_fixture.h"

/* Rows of COUNT ones each, in 20 columns: 3 a row are added one by one, 4 are unpacked for dense products. */
static double cost_of_rows(int count, bool dense) {
    enum { MANY = 700, COLUMNS = 20 };
    int64_t start[MANY + 1];
    int32_t column[MANY * COLUMNS];
    double label[MANY] = {0};
    for (int i = 0; i <= MANY; i++)
        start[i] = (int64_t)i * count;
    for (int k = 0; k < MANY * count; k++)
        column[k] = k % count;
    const struct dataset data = {.rows = MANY,
                                 .features = COLUMNS,
                                 .nonzeros = MANY * count,
                                 .start = start,
                                 .column = column,
                                 .label = label};
    struct design design;
    bool is_dense;
    assert_int_equal(design_init(&design, &data, -1, false, NULL), 0);
    gram_work(&design, &is_dense);
    assert_int_equal(is_dense, dense);
    double cost = certify_newton_passes(&design, 0);
    design_free(&design);
    return cost;
}

/* Where dense products begin to be the cheaper ones, they cost what the others did. */
static void dense_steps_cost_what_they_do(void **state) {
    (void)state;
    double ratio = cost_of_rows(4, true) / cost_of_rows(3, false);
    assert_true(ratio > 0.8 && ratio < 1.25);
}

static bool count(void *context) {
    ++*(int *)context;
    return false;
}

/* How often a search without a limit of its time asks whether it shall end: in each step, and within products. */
static int polls_of_search(double size_of_w) {
    struct fixture f;
    struct certify certify;
    struct monitor monitor;
    double w[MAX_DIMENSION];
    int polls = 0;
    set_up(&f, "logistic", 1e-4, -1, false);
    for (int j = 0; j < MAX_DIMENSION; j++)
        w[j] = j % 2 ? size_of_w : -size_of_w;
    struct monitor_settings settings = {.time_limit = INFINITY,
                                        .observer = {.context = &polls, .interrupted = count}};
    monitor_init(&monitor, &settings);
    monitor_begin(&monitor, NULL);
    assert_int_equal(certify_init(&certify, &f.problem, &monitor, NULL), 0);
    certify_bound(&certify, w, 1e9, 1e-9, 1e9);
    certify_free(&certify);
    monitor_end(&monitor);
    tear_down(&f);
    return polls;
}

static void steps_that_bring_nothing_end(void **state) {
    (void)state;
    int all = polls_of_search(10); /* each step raises the bound */
    assert_true(polls_of_search(100) < all / 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dense_steps_cost_what_they_do),
        cmocka_unit_test(steps_that_bring_nothing_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
