/* test_kernel_choice.c - the points of several kernels: joined, and one chosen among all. */
#include "training/search/cross_validation.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

enum { FOLDS = 5 };

/* Points of kernel PAIR whose accuracies are VALUE, each with a standard error of 0.03. */
static struct cross_validation validation_of(int64_t pair, const double *value, int64_t count) {
    struct cross_validation v = {
        .folds = FOLDS, .done = FOLDS, .count = count, .finished = count, .seconds = 1.5};
    v.point = calloc((size_t)count, sizeof *v.point);
    assert_non_null(v.point);
    for (int64_t i = 0; i < count; i++)
        v.point[i] = (struct cross_point){.lambda = pow(0.1, (double)i),
                                          .place = i,
                                          .pair = pair,
                                          .folds = FOLDS,
                                          .list = {{.name = "Accuracy", .value = value[i]}},
                                          .measure_count = 1,
                                          .fold_mean = value[i],
                                          .standard_error = 0.03};
    return v;
}

/* Joins a kernel of accuracies 0.8 and 0.9 with one of VALUE: the best point and the chosen one. */
static void check(int chosen_by, const double *value, int64_t count, int64_t best, int64_t chosen) {
    static const double first[] = {0.8, 0.9};
    const struct training_request request = {.settings.chosen = chosen_by};
    struct cross_validation total = validation_of(0, first, 2),
                            one = validation_of(1, value, count);
    assert_int_equal(cross_validation_join(&total, &one, &request, NULL), 0);
    assert_int_equal(one.count, 0);
    assert_int_equal(total.count, 2 + count);
    assert_int_equal(total.finished, 2 + count);
    for (int64_t i = 0; i < total.count; i++)
        assert_int_equal(total.point[i].pair, i >= 2);
    assert_int_equal(total.best, best);
    assert_int_equal(total.chosen, chosen);
    cross_validation_free(&one);
    cross_validation_free(&total);
}

static void the_best_of_all_is_chosen(void **state) {
    (void)state;
    check(CHOSEN_BEST, (double[]){0.7, 0.95, 0.94}, 3, 3, 3);
    check(CHOSEN_BEST, (double[]){0.7, 0.95, 0.95}, 3, 3, 3); /* the larger lambda */
    check(CHOSEN_BEST, (double[]){0.7, 0.9}, 2, 1, 1);        /* the first kernel */
    check(CHOSEN_BEST, (double[]){NAN, 0.91}, 2, 3, 3);
    check(CHOSEN_BEST, (double[]){0.85, NAN}, 2, 1, 1);
}

/* A larger lambda, but of the same kernel, though 0.9 of the other one is as near. */
static void one_standard_error_is_of_a_kernel(void **state) {
    (void)state;
    check(CHOSEN_ONE_SE, (double[]){0.9, 0.91}, 2, 3, 2);
    check(CHOSEN_ONE_SE, (double[]){0.7, 0.91, 0.92}, 3, 4, 3);
    check(CHOSEN_ONE_SE, (double[]){0.91, 0.7}, 2, 2, 2);
    check(CHOSEN_ONE_SE, (double[]){0.7, 0.8}, 2, 1, 1);
}

/* Of errors the least is the best, and what is not a number never. */
static void errors_are_chosen_too(void **state) {
    static const double none[] = {NAN}, value[] = {0.4, NAN, 0.3, 0.35};
    const struct training_request request = {.settings.chosen = CHOSEN_BEST};
    struct cross_validation total = validation_of(0, none, 1), one = validation_of(1, value, 4);
    (void)state;
    total.point[0].list[0].error = true;
    assert_int_equal(cross_validation_join(&total, &one, &request, NULL), 0);
    assert_int_equal(total.best, 3);
    cross_validation_free(&one);
    cross_validation_free(&total);
}

static void what_belongs_to_all_is_joined(void **state) {
    static const double value[] = {0.5};
    const struct training_request request = {.settings.chosen = CHOSEN_BEST};
    struct cross_validation total = validation_of(0, value, 1), one = validation_of(1, value, 1);
    (void)state;
    total.gap = 1e-3;
    total.total = (struct outcome){.passes = 9, .iterations = 20, .verdict = VERDICT_CONVERGED};
    one.gap = 1e-2;
    one.done = FOLDS - 1;
    one.total = (struct outcome){.passes = 7, .iterations = 30, .verdict = VERDICT_PASSES};
    one.null.unknown = 2;
    assert_int_equal(cross_validation_join(&total, &one, &request, NULL), 0);
    assert_true(total.seconds == 3 && total.gap == 1e-2);
    assert_true(total.total.passes == 9 && total.total.iterations == 50);
    assert_int_equal(total.total.verdict, VERDICT_PASSES);
    assert_int_equal(total.null.unknown, 2);
    assert_int_equal(total.done, FOLDS - 1);
    assert_int_equal(total.best, -1); /* folds are missing */
    cross_validation_free(&one);
    cross_validation_free(&total);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_best_of_all_is_chosen),
        cmocka_unit_test(one_standard_error_is_of_a_kernel),
        cmocka_unit_test(errors_are_chosen_too),
        cmocka_unit_test(what_belongs_to_all_is_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
