/* test_rrm_settings.c - settings of the public library, by name. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "tests/rrm_fixture.h"
#include "tests/size.h"
#include "tests/skipped.h"

static void refuse_setting(const char *name, const char *text, const char *words) {
    struct rrm_settings *settings = rrm_settings_new(NULL);
    struct rrm_error error = {0};
    assert_int_equal(rrm_settings_set(settings, name, text, &error), -1);
    assert_int_equal(error.code, RRM_USAGE);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(rrm_settings_set(settings, name, text, NULL), -1);
    rrm_settings_free(settings);
}

static void wrong_settings_are_refused(void **state) {
    (void)state;
    refuse_setting("lamda", "1", "lambda");
    refuse_setting("lambda", "small", "lambda");
    refuse_setting("lambda", "-1", "out of range");
    refuse_setting("lambda", NULL, "lambda");
    refuse_setting("report", "file", "report");
    refuse_setting("quiet", NULL, "quiet");
    refuse_setting("l", "1", "unknown setting l; did you mean lambda?");
    refuse_setting("c", "1", "unknown setting c; did you mean cost?");
    refuse_setting("class-weight", "1",
                   "class-weight 1: LABEL=W is expected, such as class-weight 1=5");
    refuse_setting("ball", "l1=0", "ball l1=0: out of range");
}

/* The last valid text counts; a wrong one changes nothing. */
static void settings_may_be_set_again(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("lambda=1,lambda=0.25,loss=squared,loss=logistic");
    struct rrm_model *model = NULL;
    struct rrm_model_info info;
    struct rrm_result result;
    (void)state;
    assert_int_equal(rrm_settings_set(settings, "lambda", "-3", NULL), -1);
    assert_int_equal(rrm_train(data, settings, NULL, &model, &result, NULL), 0);
    rrm_model_describe(model, &info);
    assert_string_equal(info.loss, "logistic");
    assert_true(result.lambda == 0.25);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void trainings_that_cannot_be_are_refused(void **state) {
    struct rrm_csr csr = arrays(labels);
    double some[ROWS];
    (void)state;
    struct rrm_data *data = lend(&csr);
    refuse_training(data, "loss=hinges", RRM_USAGE, "hinge");
    refuse_training(data, "solver=lps", RRM_USAGE, "lps");
    refuse_training(data, "folds=5", RRM_USAGE, "path");
    refuse_training(data, "loss=crf", RRM_FAILURE,
                    "loss crf needs groups of rows: the array `group`");
    refuse_training(data, "loss=qqqqqqqqqq", RRM_USAGE,
                    "unknown loss qqqqqqqqqq; librrm-train -L help lists them");
    refuse_training(data, "loss=rna", RRM_FAILURE, "groups");
    refuse_training(data, "lambda=1,cost=1", RRM_USAGE, "lambda and cost exclude each other");
    refuse_training(data, "radius=1,solver=pegasos", RRM_USAGE, "radius is an option of proximal");
    refuse_training(data, "positive=5", RRM_FAILURE, "label 5 (positive) does not occur");
    refuse_training(data, "path=4,folds=301", RRM_FAILURE,
                    "301 folds (folds), but only 300 examples");
    refuse_training(data, "landmarks=5", RRM_USAGE, "landmarks needs map nystrom");
    rrm_data_free(data);
    memcpy(some, labels, sizeof some);
    some[7] = NAN;
    csr.label = some;
    data = lend(&csr);
    refuse_training(data, "", RRM_FAILURE, "row 7 has no label");
    rrm_data_free(data);
    for (int64_t i = 0; i < ROWS; i++)
        some[i] = i == 9 ? 77 : 1;
    csr.group = groups;
    data = lend(&csr);
    refuse_training(data, "loss=ndcg", RRM_FAILURE, "row 9: the grade is 77");
    rrm_data_free(data);
}

/* What the process may not have is memory that lacks, too. */
static void a_lack_of_memory_has_a_code(void **state) {
    static const int64_t start[] = {0, 1, 2};
    static const int32_t column[] = {0, 2000000000};
    static const double label[] = {1, -1};
    const struct rrm_csr csr = {.rows = 2, .start = start, .column = column, .label = label};
    struct rlimit before, limit;
    (void)state;
    if (PART(false, true))
        SKIPPED("a limit of memory, under sanitizers");
    struct rrm_data *data = lend(&csr);
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    limit = (struct rlimit){(rlim_t)8 << 30, before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
    refuse_training(data, "scale=max", RRM_MEMORY,
                    "out of memory: 192000 MB for the ranges of 2000000001 features");
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    rrm_data_free(data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(settings_may_be_set_again),
        cmocka_unit_test(trainings_that_cannot_be_are_refused),
        cmocka_unit_test(a_lack_of_memory_has_a_code),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
