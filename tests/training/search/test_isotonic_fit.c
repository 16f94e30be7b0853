/* test_isotonic_fit.c - isotonic regression against scikit-learn's, and few or equal scores. */
#include "training/search/isotonic_fit.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROWS = 150 };

static double score[ROWS], target[ROWS];

/* Each score twice or three times. */
static void make_rows(void) {
    for (int i = 0; i < ROWS; i++) {
        score[i] = ((i * 37) % 61 - 30) / 4.0;
        target[i] = (i * i * 17) % 101 < 50 + 4.2 * score[i] ? 1 : -1;
    }
}

/* IsotonicRegression(out_of_bounds="clip").fit(score, target > 0).predict(x), of scikit-learn 1.2.1. */
static void equals_scikit_learn(void **state) {
    static const double wanted[][2] = {
        {-9, 0.2},
        {-7.5, 0.2},
        {-6.1, 0.25},
        {-4.4, 0.44380952380952376},
        {-3.25, 0.4666666666666667},
        {-0.3, 0.4666666666666667},
        {1.37, 0.5423529411764706},
        {2.6, 0.5882352941176471},
        {5.05, 0.6761904761904761},
        {6.6, 0.7647058823529411},
        {9, 0.7647058823529411},
    };
    struct isotonic isotonic;
    struct error e = {0};
    (void)state;
    make_rows();
    assert_int_equal(isotonic_fit(score, target, ROWS, &isotonic, &e), 0);
    assert_null(isotonic_check(&isotonic));
    assert_true(isotonic.count == 17);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        assert_true(fabs(isotonic_value(&isotonic, wanted[i][0]) - wanted[i][1]) <= 1e-12);
    isotonic_free(&isotonic);
}

static void few_and_equal_scores(void **state) {
    static const double same[] = {2, 2, 2, 2}, falling[] = {4, 3, 2, 1}, kind[] = {1, -1, -1, -1};
    struct isotonic isotonic;
    struct error e = {0};
    (void)state;
    assert_int_equal(isotonic_fit(same, kind, 4, &isotonic, &e), 0);
    assert_true(isotonic.count == 1 && isotonic_value(&isotonic, -1e300) == 0.25);
    isotonic_free(&isotonic);
    assert_int_equal(isotonic_fit(falling, kind, 4, &isotonic, &e),
                     0); /* the largest is positive */
    assert_true(isotonic_value(&isotonic, 3) == 0 && isotonic_value(&isotonic, 3.5) == 0.5);
    assert_true(isotonic_value(&isotonic, 4) == 1 && isotonic_value(&isotonic, INFINITY) == 1);
    isotonic_free(&isotonic);
    assert_int_equal(isotonic_fit(falling, kind, 1, &isotonic, &e), 0);
    assert_true(isotonic_value(&isotonic, 0) == 1);
    isotonic_free(&isotonic);
}

static void scores_far_apart(void **state) {
    double knot[] = {-1.6e308, 0, 1.6e308, 1};
    struct isotonic isotonic = {.count = 2, .knot = knot};
    (void)state;
    assert_true(isotonic_value(&isotonic, 0) == 0.5 && isotonic_value(&isotonic, 0.8e308) == 0.75);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_scikit_learn),
        cmocka_unit_test(few_and_equal_scores),
        cmocka_unit_test(scores_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
