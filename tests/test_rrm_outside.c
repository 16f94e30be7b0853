/* test_rrm_outside.c - what the public library leaves alone: standard output, signals, the locale; and NULL. */
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/rrm_fixture.h"
#include "tests/skipped.h"

enum { SIGNALS = 32, SECONDS_OF_A_CHILD = 60 };

/* Warnings, limits and errors are values: nothing is written to standard output and error, which go to FILE. */
static void train_in_all_ways(void) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    double label[ROWS];
    rrm_model_free(train(data, "solver=bundle,epsilon=1e-9,passes=2,class-weight=99=1", &result));
    assert_true(result.warnings >= 2);
    refuse_training(data, "loss=crf", RRM_FAILURE, "groups");
    struct rrm_model *model = train(data, "solver=asset,passes=1", NULL);
    rrm_predict(model, data, label, NULL, NULL, NULL);
    rrm_model_free(model);
    rrm_data_free(data);
}

static void nothing_is_printed(void **state) {
    FILE *file = tmpfile();
    (void)state;
    assert_non_null(file);
    fflush(NULL);
    int out = dup(1), words = dup(2);
    dup2(fileno(file), 1);
    dup2(fileno(file), 2);
    train_in_all_ways();
    fflush(NULL);
    dup2(out, 1);
    dup2(words, 2);
    close(out);
    close(words);
    fseek(file, 0, SEEK_END);
    assert_int_equal(ftell(file), 0);
    fclose(file);
}

static void signals_stay_as_they_are(void **state) {
    struct sigaction before[SIGNALS], after;
    (void)state;
    for (int s = 1; s < SIGNALS; s++)
        sigaction(s, NULL, &before[s]);
    train_in_all_ways();
    for (int s = 1; s < SIGNALS; s++) {
        sigaction(s, NULL, &after);
        assert_true(after.sa_handler == before[s].sa_handler);
    }
}

/* The same model again, in a child of one thread; the alarm ends a child that waits for threads that it does not
 * have. */
static void train_in_a_child(const struct rrm_data *data, const char *list, const char *expected) {
    alarm(SECONDS_OF_A_CHILD);
    double label[ROWS];
    struct rrm_model *model = train(data, list, NULL);
    int status = rrm_predict(model, data, label, NULL, NULL, NULL);
    char *text = file_of(model);
    _exit(status == 0 && strcmp(text, expected) == 0 ? 0 : 1);
}

static void a_forked_child_trains(void **state) {
    static const char list[] = "multiclass=ovo,threads=3";
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    char *expected = file_of(train(data, list, NULL));
    int status = -1;
    (void)state;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        train_in_a_child(data, list, expected);
    assert_true(child > 0 && waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    free(expected);
    rrm_data_free(data);
}

static int see_locale(void *context, const struct rrm_progress *progress) {
    (void)progress;
    *(char *)context = localeconv()->decimal_point[0];
    return 0;
}

/* COMMAND with the folder beside the test's file in place of %s. */
static int run_on_folder(const char *command) {
    char folder[100], line[700];
    snprintf(folder, sizeof folder, "%s.locale", path);
    snprintf(line, sizeof line, command, folder);
    setenv("LOCPATH", folder, 1);
    return system(line);
}

/* A locale that is plain but for its decimal comma, in effect; false where the machine cannot make it. localedef takes
 * seconds for that of a country. It warns of what is left out, and ends with 1. */
static bool make_locale(void) {
    return run_on_folder("mkdir %1$s && cd %1$s && {"
                         " for name in CTYPE COLLATE MONETARY TIME MESSAGES; do"
                         "  echo LC_$name; echo 'copy \"POSIX\"'; echo END LC_$name; done;"
                         " echo LC_NUMERIC; echo 'decimal_point \",\"';"
                         " echo 'thousands_sep \".\"'; echo 'grouping 3;3'; echo END LC_NUMERIC;"
                         "} >source && { localedef -c -i ./source -f ANSI_X3.4-1968 ./comma"
                         " >log 2>&1; [ $? -le 1 ]; }") == 0 &&
           setlocale(LC_ALL, "comma") != NULL;
}

static void remove_locale(void) {
    setlocale(LC_ALL, "C");
    assert_int_equal(run_on_folder("rm -r %s"), 0);
    unsetenv("LOCPATH");
}

/* A program that writes decimal commas reads and writes the same models. */
static void the_locale_does_not_matter(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    char *plain = file_of(train(data, "lambda=0.25,loss=huber,huber=0.5", NULL)), point = '\0';
    struct rrm_model *model = NULL;
    (void)state;
    if (!make_locale()) {
        remove_locale();
        rrm_data_free(data);
        free(plain);
        SKIPPED("a locale with a decimal comma (no localedef)");
    }
    struct rrm_settings *settings = settings_of("lambda=0.25,loss=huber,huber=0.5");
    const struct rrm_training training = {.progress = see_locale, .context = &point};
    assert_int_equal(rrm_train(data, settings, &training, &model, NULL, NULL), 0);
    assert_int_equal(point, ',');
    assert_int_equal(localeconv()->decimal_point[0], ',');
    check_same(plain, text_of(model));
    struct rrm_model *read = rrm_model_read(path, NULL);
    assert_non_null(read);
    check_same(plain, file_of(read));
    remove_locale();
    free(plain);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void check_null(int failed, struct rrm_error *error) {
    assert_true(failed);
    assert_int_equal(error->code, RRM_USAGE);
    assert_non_null(strstr(error->message, "NULL"));
    *error = (struct rrm_error){0};
}

static void refuse_null_models(const struct rrm_model *model, const struct rrm_data *data) {
    struct rrm_model_info info = {
        .loss = "hinge", .labels = 2, .features = 1, .vectors = 1, .dimension = 2};
    struct rrm_measure list[RRM_MEASURES_MAX];
    static const double two[] = {1, 2};
    struct rrm_error e = {0};
    check_null(rrm_model_read(NULL, &e) == NULL, &e);
    check_null(rrm_model_write(model, NULL, &e) == -1, &e);
    check_null(rrm_model_write(NULL, path, &e) == -1, &e);
    check_null(rrm_predict(NULL, data, NULL, NULL, NULL, &e) == -1, &e);
    check_null(rrm_predict(model, NULL, NULL, NULL, NULL, &e) == -1, &e);
    check_null(rrm_measures(NULL, data, list, &e) == -1, &e);
    check_null(rrm_measures(model, NULL, list, &e) == -1, &e);
    check_null(rrm_measures(model, data, NULL, &e) == -1, &e);
    check_null(rrm_model_from_weights(NULL, &e) == NULL, &e);
    check_null(rrm_model_from_weights(&info, &e) == NULL, &e);
    info.label = two;
    check_null(rrm_model_from_weights(&info, &e) == NULL, &e);
    info.weight = two;
    info.loss = NULL;
    check_null(rrm_model_from_weights(&info, &e) == NULL, &e);
}

static void null_is_refused(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("");
    struct rrm_model *model = train(data, "", NULL), *none = model;
    struct rrm_error e = {0};
    (void)state;
    check_null(rrm_data_csr(NULL, &e) == NULL, &e);
    check_null(rrm_data_read(NULL, 0, 0, &e) == NULL, &e);
    check_null(rrm_settings_set(settings, NULL, "1", &e) == -1, &e);
    check_null(rrm_settings_set(NULL, "lambda", "1", &e) == -1, &e);
    check_null(rrm_train(NULL, settings, NULL, &none, NULL, &e) == -1, &e);
    assert_null(none);
    check_null(rrm_train(data, NULL, NULL, &none, NULL, &e) == -1, &e);
    check_null(rrm_train(data, settings, NULL, NULL, NULL, &e) == -1, &e);
    refuse_null_models(model, data);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void null_is_freed(void **state) {
    (void)state;
    rrm_data_free(NULL);
    rrm_settings_free(NULL);
    rrm_model_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_printed),    cmocka_unit_test(signals_stay_as_they_are),
        cmocka_unit_test(a_forked_child_trains), cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(null_is_refused),       cmocka_unit_test(null_is_freed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
