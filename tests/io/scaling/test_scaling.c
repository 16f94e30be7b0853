/* test_scaling.c - scaled values against their definitions, with zeros that are not in the data; the file of a scaling
 * comes back equal, and every other file is refused. */
#include "io/scaling/scaling.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/near.h"
#include "tests/temporary.h"

static const struct svmlight_options from_one = {.threads = 1};

static void write_text(const char *text) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

/* Columns (2, 0, 4, 0), (0, -3, 0, 0), 5 everywhere, and 0 everywhere. */
static const char rows[] = "1 1:2 3:5 4:0\n2 2:-3 3:5\n3 1:4 3:5\n7 3:5\n";

static struct scaling learned(enum scaling_method method) {
    struct scaling scaling = {.method = method, .target = {-1, 1}};
    struct error e = {0};
    write_text(rows);
    assert_int_equal(scaling_learn(&scaling, path, &from_one, &e), 0);
    assert_int_equal(scaling.features, 4);
    return scaling;
}

static void a_range_has_both_ends_and_counts_zeros(void **state) {
    (void)state;
    struct scaling scaling = learned(SCALING_RANGE);
    assert_true(scaling_value(&scaling, 0, 0) == -1);
    assert_true(scaling_value(&scaling, 0, 2) == 0);
    assert_true(scaling_value(&scaling, 0, 4) == 1);
    assert_true(scaling_value(&scaling, 0, 6) == 2);
    assert_true(scaling_value(&scaling, 1, -3) == -1);
    assert_true(scaling_value(&scaling, 1, 0) == 1);
    assert_true(scaling_value(&scaling, 2, 5) == 0); /* constant */
    assert_true(scaling_value(&scaling, 3, 9) == 0);
    assert_true(scaling_value(&scaling, 4, 9) == 0); /* not in the data */
    scaling_free(&scaling);
}

static void the_largest_value_becomes_1(void **state) {
    (void)state;
    struct scaling scaling = learned(SCALING_MAX);
    assert_true(scaling_value(&scaling, 0, 2) == 0.5);
    assert_true(scaling_value(&scaling, 1, -3) == -1);
    assert_true(scaling_value(&scaling, 2, 5) == 1);
    assert_true(scaling_value(&scaling, 0, 0) == 0);
    scaling_free(&scaling);
}

static void standard_values_have_mean_0_and_deviation_1(void **state) {
    (void)state;
    struct scaling scaling = learned(SCALING_STANDARD);
    const double first[] = {2, 0, 4, 0}, second[] = {0, -3, 0, 0};
    for (int32_t j = 0; j < 2; j++) {
        double sum = 0, squares = 0;
        for (int i = 0; i < 4; i++) {
            double x = scaling_value(&scaling, j, j == 0 ? first[i] : second[i]);
            sum += x;
            squares += x * x;
        }
        assert_near(sum, 0, 1e-14);
        assert_near(squares, 4, 1e-14);
    }
    assert_true(scaling_value(&scaling, 2, 5) == 0);
    scaling_free(&scaling);
}

static void a_deviation_keeps_zeros_and_constants(void **state) {
    (void)state;
    struct scaling scaling = learned(SCALING_DEVIATION);
    assert_near(scaling_value(&scaling, 0, 4), 4 / sqrt(2.75), 1e-14); /* 20/4 - 1.5^2 */
    assert_true(scaling_value(&scaling, 0, 0) == 0);
    assert_true(scaling_value(&scaling, 2, 5) == 5);
    scaling_free(&scaling);
}

static void huge_values_keep_their_range(void **state) {
    (void)state;
    struct scaling scaling = {.method = SCALING_RANGE, .target = {-1, 1}};
    struct error e = {0};
    write_text("1 1:-1.6e308\n2 1:1.6e308\n3 1:0.8e308\n");
    assert_int_equal(scaling_learn(&scaling, path, &from_one, &e), 0);
    assert_near(scaling_value(&scaling, 0, 0.8e308), 0.5, 1e-15);
    scaling_free(&scaling);
    scaling = (struct scaling){.method = SCALING_STANDARD};
    if (LDBL_MAX_EXP > DBL_MAX_EXP + 1) { /* squares of doubles are no infinities */
        assert_int_equal(scaling_learn(&scaling, path, &from_one, &e), 0);
        assert_near(scaling_value(&scaling, 0, 1.6e308), 5 / sqrt(26.0), 1e-14);
    } else {
        assert_int_equal(scaling_learn(&scaling, path, &from_one, &e), -1);
        assert_non_null(strstr(e.words, "feature 1 are too large"));
    }
    scaling_free(&scaling);
}

static void the_file_comes_back_equal(void **state) {
    (void)state;
    for (int method = SCALING_RANGE; method < SCALING_NORM; method++) {
        struct scaling scaling = learned((enum scaling_method)method), again = {0};
        struct error e = {0};
        scaling.has_labels = true;
        scaling.label_target = (struct interval){0, 1};
        assert_int_equal(scaling_write(&scaling, path, false, &e), 0);
        assert_int_equal(scaling_read(&again, path, false, &e), 0);
        assert_int_equal(again.method, method);
        assert_true(scaling_label(&again, 1) == 0 && scaling_label(&again, 4) == 0.5);
        for (int32_t j = 0; j < 5; j++)
            for (double x = -3; x <= 5; x++)
                assert_true(scaling_value(&again, j, x) == scaling_value(&scaling, j, x));
        scaling_free(&scaling);
        scaling_free(&again);
    }
}

static void a_file_of_svm_scale_is_read(void **state) {
    (void)state;
    struct scaling scaling = {0};
    struct error e = {0};
    write_text("y\r\n0 1\n-2 2\nx\n-1 1\n2 0 4\n\n5 -1 0\n");
    assert_int_equal(scaling_read(&scaling, path, false, &e), 0);
    assert_int_equal(scaling.features, 5);
    assert_true(scaling_value(&scaling, 1, 3) == 0.5);
    assert_true(scaling_value(&scaling, 0, 3) == 0);
    assert_true(scaling_label(&scaling, -1) == 0.25);
    scaling_free(&scaling);
    assert_int_equal(scaling_read(&scaling, path, true, &e), 0);
    assert_true(scaling_value(&scaling, 2, 3) == 0.5);
    scaling_free(&scaling);
}

static void other_files_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
        int line;
    } files[] = {
        {"", "it ends where a line x is expected", 0},
        {"1 1:2\n", "no file of ranges", 1},
        {"x\n", "it ends where a range is expected", 0},
        {"x\n1\n", "two numbers expected", 2},
        {"x\n-1 1 2\n", "two numbers expected", 2},
        {"x\n1 -1\n", "the first number must be below the second one", 2},
        {"y\n0 1\n2 1\nx\n-1 1\n", "the first number must be below", 3},
        {"y\n0 1\n2 3\n", "it ends where a line x is expected", 0},
        {"method norm\n", "no method of scaling: 'norm'", 1},
        {"method range\n", "no method of scaling: 'range'", 1},
        {"x\n-1 1\n1 2\n", "an index and two numbers expected", 3},
        {"x\n-1 1\n1.5 2 3\n", "an index and two numbers expected", 3},
        {"x\n-1 1\n1 nan 3\n", "an index and two numbers expected", 3},
        {"x\n-1 1\n0 2 3\n", "index 0: it must be from 1 to 2147483646", 3},
        {"x\n-1 1\n3e9 2 3\n", "index 3000000000: it must be from 1", 3},
        {"x\n-1 1\n2 2 3\n2 2 3\n", "index 2: indices must ascend", 4},
        {"x\n-1 1\n2 4 3\n", "feature 2: the least value is above the largest", 3},
        {"method max\n2 0 0\n", "feature 2: the divisor must be above 0", 2},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct scaling scaling = {0};
        struct error e = {0};
        write_text(files[i].text);
        assert_int_equal(scaling_read(&scaling, path, false, &e), -1);
        if (strstr(e.words, files[i].words) == NULL)
            fail_msg("%s: %s", files[i].text, e.words);
        assert_int_equal(e.line, files[i].line);
        scaling_free(&scaling);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_has_both_ends_and_counts_zeros),
        cmocka_unit_test(the_largest_value_becomes_1),
        cmocka_unit_test(standard_values_have_mean_0_and_deviation_1),
        cmocka_unit_test(a_deviation_keeps_zeros_and_constants),
        cmocka_unit_test(huge_values_keep_their_range),
        cmocka_unit_test(the_file_comes_back_equal),
        cmocka_unit_test(a_file_of_svm_scale_is_read),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
