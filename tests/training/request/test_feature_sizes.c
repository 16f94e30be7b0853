/* test_feature_sizes.c - whether features differ in size. */
#include "training/request/feature_sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 1000 };

/* A feature of ones, and one with SMALL in the first COUNT rows; with ZEROS also the others have an entry, of 0. */
static struct feature_sizes sizes_with(double small, int64_t count, bool zeros) {
    static int64_t start[ROWS + 1];
    static int32_t column[2 * ROWS];
    static double value[2 * ROWS];
    int64_t k = 0;
    for (int64_t i = 0; i < ROWS; i++) {
        start[i] = k;
        column[k] = 0;
        value[k++] = 1;
        if (i < count || zeros) {
            column[k] = 1;
            value[k++] = i < count ? small : 0;
        }
    }
    start[ROWS] = k;
    const struct dataset data = {.rows = ROWS,
                                 .nonzeros = k,
                                 .features = 2,
                                 .start = start,
                                 .column = column,
                                 .value = value};
    return feature_sizes_find(&data);
}

static struct feature_sizes sizes_of(double small, int64_t count) {
    return sizes_with(small, count, false);
}

static void entries_of_zero_change_nothing(void **state) {
    const struct feature_sizes bare = sizes_of(0.02, 100), whole = sizes_with(0.02, 100, true);
    (void)state;
    assert_float_equal(whole.smallest, bare.smallest, 0);
    assert_float_equal(whole.largest, bare.largest, 0);
    assert_float_equal(whole.mean_square, bare.mean_square, 0);
    assert_float_equal(whole.effective, bare.effective, 0);
}

static void sizes_are_those_of_nonzero_values(void **state) {
    const struct feature_sizes near = sizes_of(0.02, 100), far = sizes_of(0.005, 100);
    (void)state;
    assert_true(near.smallest > 0.0199 && near.smallest < 0.0201 && near.largest == 1);
    assert_false(feature_sizes_differ(&near));
    assert_true(feature_sizes_differ(&far));
}

/* A grey pixel in one picture of thousands. */
static void rare_features_may_be_small_not_large(void **state) {
    const struct feature_sizes small = sizes_of(0.005, 4), more = sizes_of(0.005, 6),
                               large = sizes_of(101, 1);
    (void)state;
    assert_false(feature_sizes_differ(&small));
    assert_true(small.smallest == 1);
    assert_true(feature_sizes_differ(&more));
    assert_true(feature_sizes_differ(&large));
}

static void the_mean_square_is_that_of_rows(void **state) {
    const struct feature_sizes sizes = sizes_of(2, ROWS / 2);
    (void)state;
    assert_true(sizes.mean_square == 3);
}

/* Sums of squares 1000 and 2000, and 1000 and 1. */
static void a_feature_that_is_hardly_ever_there_hardly_counts(void **state) {
    const struct feature_sizes both = sizes_of(2, ROWS / 2), one = sizes_of(1, 1);
    (void)state;
    assert_float_equal(both.effective, 9.0 / 5, 1e-12);
    assert_float_equal(one.effective, 1001.0 * 1001 / 1000001, 1e-12);
}

static void small_features_matter_at_small_lambda(void **state) {
    const struct feature_sizes even = sizes_of(1, ROWS), uneven = sizes_of(0.005, ROWS);
    double limit = 1e-5 * uneven.mean_square;
    (void)state;
    assert_true(feature_sizes_matter(&uneven, 0.99 * limit));
    assert_false(feature_sizes_matter(&uneven, 1.01 * limit));
    assert_false(feature_sizes_matter(&even, 0.99 * limit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_those_of_nonzero_values),
        cmocka_unit_test(entries_of_zero_change_nothing),
        cmocka_unit_test(rare_features_may_be_small_not_large),
        cmocka_unit_test(the_mean_square_is_that_of_rows),
        cmocka_unit_test(a_feature_that_is_hardly_ever_there_hardly_counts),
        cmocka_unit_test(small_features_matter_at_small_lambda),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
