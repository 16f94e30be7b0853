/* test_class_offsets.c - the offsets of classes that minimize a risk, at scores where the optimum is known. */
#include "risk/class_offsets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/near.h"

enum { CLASSES = 3, MOST_ROWS = 300 };

/* All scores are 0, and class 0 has all rows but one of each other class. With the offset of class 0 larger by t, the
 * loss is the mean of max(0, 1 - t) of its rows and 1 + t of the others: least at t = 1. */
static void check_majority(int64_t rows, double slack) {
    double target[MOST_ROWS] = {0}, constant;
    struct class_offsets o = {.rows = rows,
                              .classes = CLASSES,
                              .target = target,
                              .weight_sum = (double)rows,
                              .margin = true};
    struct error e = {0};
    for (int k = 1; k < CLASSES; k++)
        target[rows / CLASSES * k] = k;
    assert_int_equal(class_offsets_init(&o, &e), 0);
    for (int64_t i = 0; i < rows * CLASSES; i++)
        o.score[i] = 0;
    double optimum = 2.0 * (CLASSES - 1) / (double)rows,
           value = class_offsets_find(&o, slack, &constant);
    assert_near(value, optimum, slack);
    assert_near(constant, optimum, slack); /* the linearization, as all scores are 0 */
    assert_true(constant <= optimum + 1e-12);
    class_offsets_free(&o);
}

static void test_majority(void **state) {
    (void)state;
    for (int64_t rows = 4; rows <= MOST_ROWS; rows += rows / 3)
        for (double slack = 1e-2; slack > 1e-9; slack /= 100)
            check_majority(rows, slack);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_majority)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
