/* test_train_table.c - the table of a path whose folds choose lambda, and the kernel, too. */
#include "cli/train_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { POINTS = 2 };

/* Two points: the second one is the best. */
struct fixture {
    struct cross_point point[POINTS];
    struct cross_validation validation;
    struct path_values values;
};

static void set_up(struct fixture *f, const char *measure) {
    static double lambda[] = {0.1};
    *f = (struct fixture){.values = {.count = 1, .lambda = lambda, .from = 0.1, .to = 0.1},
                          .validation = {.folds = 3,
                                         .done = 3,
                                         .count = POINTS,
                                         .finished = POINTS,
                                         .point = f->point,
                                         .best = 1,
                                         .chosen = 1}};
    for (int i = 0; i < POINTS; i++)
        f->point[i] = (struct cross_point){.lambda = 0.1 + i,
                                           .gamma = NAN,
                                           .folds = 3,
                                           .objective = 0.5,
                                           .nonzeros = 7 + 0.5 * i,
                                           .gap = 1e-3,
                                           .standard_error = 0.02,
                                           .list = {{.name = measure, .value = 0.75}},
                                           .measure_count = 1};
}

static void check(struct fixture *f, double lambda_max, const char *lines) {
    char text[1024] = "";
    FILE *stream = fmemopen(text, sizeof text, "w");
    assert_non_null(stream);
    train_table_folds(&f->validation, &f->values, lambda_max, stream);
    fclose(stream);
    assert_string_equal(text, lines);
}

static void an_accuracy_has_percents(void **state) {
    struct fixture f;
    (void)state;
    set_up(&f, "Accuracy");
    f.validation.chosen = 0;
    check(&f, 2,
          "lambda_max 2, not above lambda 0.1: all weights are 0\n"
          "lambda        nonzeros    objective       gap   Accuracy         +-\n"
          "0.1                  7          0.5      0.1%        75%          2\n"
          "1.1                7.5          0.5      0.1%        75%          2\n"
          "best lambda 1.1\n"
          "chosen lambda 0.1, the largest within a standard error\n");
}

/* Each kernel's path may begin elsewhere: there is no line of lambda_max. */
static void kernels_have_columns(void **state) {
    struct fixture f;
    (void)state;
    set_up(&f, "AUC");
    for (int i = 0; i < POINTS; i++)
        f.point[i].gamma = 1 + i;
    check(&f, 2,
          "gamma        lambda        nonzeros    objective       gap        AUC         +-\n"
          "1            0.1                  7          0.5      0.1%       0.75       0.02\n"
          "2            1.1                7.5          0.5      0.1%       0.75       0.02\n"
          "best gamma 2, lambda 1.1\n");
    for (int i = 0; i < POINTS; i++)
        f.point[i].landmarks = 30 + i;
    f.validation.finished = 1; /* the clock ended the other */
    f.validation.best = f.validation.chosen = 0;
    check(&f, 2,
          "gamma        landmarks lambda        nonzeros    objective       gap        AUC         "
          "+-\n"
          "1            30        0.1                  7          0.5      0.1%       0.75       "
          "0.02\n"
          "best gamma 1, landmarks 30, lambda 0.1\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_accuracy_has_percents),
        cmocka_unit_test(kernels_have_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
