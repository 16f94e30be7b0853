/* test_measures_lines.c - measures as they are printed: shares with their counts, numbers, what is not defined. */
#include "cli/measures_lines.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void check_of(const struct measure *list, int count, const char *positive,
                     const char *lines) {
    char text[256] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    measures_print(list, count, positive, stream);
    fclose(stream);
    assert_string_equal(text, lines);
}

static void check(const struct measure *list, int count, const char *lines) {
    check_of(list, count, NULL, lines);
}

static void shares_have_their_counts(void **state) {
    const struct measure list[] = {
        {.name = "Accuracy", .value = 0.5, .numerator = 3, .denominator = 6},
        {.name = "AUC", .value = 8.0 / 9, .approximate = true},
        {.name = "F1", .value = 2.0 / 3}};
    (void)state;
    check(list, 3, "Accuracy = 50% (3/6)\nAUC = 0.888889 (approximate)\nF1 = 0.666667\n");
}

static void of_one_label(void **state) {
    const double label = -2.5;
    const struct measure list[] = {{.name = "AUC", .value = 0.5},
                                   {.name = "F1", .value = 0.25, .positive = &label}};
    (void)state;
    check(list, 2, "AUC = 0.5\nF1 = 0.25 (of label -2.5)\n");
    check_of(list, 2, "New York", "AUC = 0.5\nF1 = 0.25 (of label New York)\n");
}

static void what_divides_by_zero_is_nan_without_a_sign(void **state) {
    const struct measure list[] = {{.name = "A", .value = NAN}, {.name = "B", .value = -NAN}};
    (void)state;
    check(list, 2, "A = nan\nB = nan\n");
}

/* In the order of the words, each once. */
static void words_choose_measures(void **state) {
    struct measure list[] = {{.name = "Accuracy"}, {.name = "AUC"}, {.name = "log loss"}};
    (void)state;
    assert_int_equal(measures_choose(list, 3, NULL), 3);
    assert_int_equal(measures_choose(list, 3, "log-loss,f1,auc,accuracy,LOG_LOSS"), 3);
    assert_string_equal(list[0].name, "log loss");
    assert_string_equal(list[1].name, "AUC");
    assert_string_equal(list[2].name, "Accuracy");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_have_their_counts),
        cmocka_unit_test(of_one_label),
        cmocka_unit_test(words_choose_measures),
        cmocka_unit_test(what_divides_by_zero_is_nan_without_a_sign),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
