/* test_rrm.c - the public library, by rrm.h alone: every function and its errors, arrays of each type and files give
 * one model, threads that train at once, and what it leaves alone: standard output, signals, the locale. */
#include "rrm.h"

#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/random_data.h"
#include "tests/temporary.h"

enum { ROWS = 300, FEATURES = 12, CLASSES = 3, SIGNALS = 32 };

/* Numbers that a float holds, so that both types of values are the same; labels are set by each test. */
static struct dataset rows;
static double labels[ROWS], classes[ROWS], numbers[ROWS], weights[ROWS], grades[ROWS];
static int64_t groups[ROWS];

static int set_up(void **state) {
    rows = random_data(ROWS, FEATURES, false, 4);
    for (int64_t k = 0; k < rows.nonzeros; k++)
        rows.value[k] = (float)rows.value[k];
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t from = rows.start[i], to = rows.start[i + 1];
        labels[i] = rows.label[i];
        numbers[i] = to > from ? 3 * rows.value[from] : 0;
        classes[i] = to > from ? rows.column[from] % CLASSES + 2 : 2;
        weights[i] = 0.5 + (double)(i % 4);
        grades[i] = labels[i] > 0 ? 2 : (double)(i % 2);
        groups[i] = i / 5;
    }
    return make_path(state);
}

static int tear_down(void **state) {
    dataset_free(&rows);
    return remove_path(state);
}

/* ---- short words */

static struct rrm_csr arrays(const double *label) {
    return (struct rrm_csr){.rows = ROWS,
                            .start = rows.start,
                            .column = rows.column,
                            .value = rows.value,
                            .label = label};
}

static struct rrm_data *lend(const struct rrm_csr *csr) {
    struct rrm_error error = {0};
    struct rrm_data *data = rrm_data_csr(csr, &error);
    assert_string_equal(error.message, "");
    assert_non_null(data);
    return data;
}

/* Settings from "name=text,name,...". */
static struct rrm_settings *settings_of(const char *list) {
    struct rrm_settings *settings = rrm_settings_new(NULL);
    char copy[256], *rest = copy;
    struct rrm_error error = {0};
    assert_non_null(settings);
    snprintf(copy, sizeof copy, "%s", list);
    for (char *name; (name = strsep(&rest, ",")) != NULL && *name != '\0';) {
        char *sign = strchr(name, '=');
        if (sign != NULL)
            *sign = '\0';
        if (rrm_settings_set(settings, name, sign == NULL ? NULL : sign + 1, &error) != 0)
            fail_msg("%s", error.message);
    }
    return settings;
}

static struct rrm_model *train(const struct rrm_data *data, const char *list,
                               struct rrm_result *result) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = NULL;
    struct rrm_error error = {0};
    if (rrm_train(data, settings, NULL, NULL, &model, result, &error) != 0)
        fail_msg("%s", error.message);
    rrm_settings_free(settings);
    return model;
}

/* The text of the model's file, to be freed. */
static char *text_of(const struct rrm_model *model) {
    size_t size = 1 << 20;
    char *text = calloc(1, size);
    assert_int_equal(rrm_model_write(model, path, NULL), 0);
    FILE *file = fopen(path, "r");
    assert_true(text != NULL && file != NULL);
    assert_true(fread(text, 1, size - 1, file) < size - 1);
    fclose(file);
    return text;
}

/* The model's file, and the model freed. */
static char *file_of(struct rrm_model *model) {
    char *text = text_of(model);
    rrm_model_free(model);
    return text;
}

static void check_same(char *a, char *b) {
    assert_string_equal(a, b);
    free(b);
}

/* ---- data */

static void the_version_is_a_number(void **state) {
    (void)state;
    assert_true(rrm_version()[0] >= '0' && rrm_version()[0] <= '9');
}

static void write_rows(const double *label, int base) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (int64_t i = 0; i < ROWS; i++) {
        fprintf(file, "%.17g cost:%.17g qid:%d", label[i], weights[i], (int)groups[i]);
        for (int64_t k = rows.start[i]; k < rows.start[i + 1]; k++)
            fprintf(file, " %d:%.17g", (int)rows.column[k] + base, rows.value[k]);
        fputc('\n', file);
    }
    fclose(file);
}

static void arrays_of_each_type_and_a_file_give_one_model(void **state) {
    static int32_t start32[ROWS + 1];
    static int64_t column64[ROWS * FEATURES];
    static float value32[ROWS * FEATURES];
    (void)state;
    for (int64_t i = 0; i <= ROWS; i++)
        start32[i] = (int32_t)rows.start[i];
    for (int64_t k = 0; k < rows.nonzeros; k++) {
        column64[k] = rows.column[k];
        value32[k] = (float)rows.value[k];
    }
    for (int base = 0; base < 2; base++) {
        write_rows(classes, base);
        struct rrm_data *read = rrm_data_read(path, base == 0, NULL);
        assert_non_null(read);
        char *expected = file_of(train(read, "loss=logistic,lambda=1e-3,bias=1", NULL));
        rrm_data_free(read);
        for (int mask = 0; mask < 8; mask++) {
            struct rrm_csr csr = arrays(classes);
            csr.weight = weights;
            csr.group = groups;
            csr.zero_based = base == 0;
            csr.start = mask & 1 ? NULL : csr.start;
            csr.start32 = mask & 1 ? start32 : NULL;
            csr.column = mask & 2 ? NULL : csr.column;
            csr.column64 = mask & 2 ? column64 : NULL;
            csr.value = mask & 4 ? NULL : csr.value;
            csr.value32 = mask & 4 ? value32 : NULL;
            struct rrm_data *data = lend(&csr);
            check_same(expected, file_of(train(data, "loss=logistic,lambda=1e-3,bias=1", NULL)));
            rrm_data_free(data);
        }
        free(expected);
    }
}

static void data_are_described(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data_info info;
    (void)state;
    csr.group = groups;
    csr.features = 40;
    struct rrm_data *data = lend(&csr);
    rrm_data_describe(data, &info);
    assert_true(info.rows == ROWS && info.features == 40 && info.entries == rows.nonzeros);
    assert_true(info.groups == ROWS / 5 && info.label == labels);
    rrm_data_free(data);
}

static void bad_data_are_refused(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_error error = {0};
    (void)state;
    csr.features = 3;
    assert_null(rrm_data_csr(&csr, &error));
    assert_int_equal(error.code, RRM_FAILURE);
    assert_non_null(strstr(error.message, "there are 3 features"));
    assert_null(rrm_data_csr(&csr, NULL));
    assert_null(rrm_data_read("/nonexistent/file", 0, &error));
    assert_string_equal(error.message, "/nonexistent/file: No such file or directory");
    FILE *file = fopen(path, "w");
    fputs("1 1:2\n1 2:x\n", file);
    fclose(file);
    char expected[100];
    snprintf(expected, sizeof expected, "%s:2:5: malformed value in \"2:x\"", path);
    assert_null(rrm_data_read(path, 0, &error));
    assert_string_equal(error.message, expected);
}

static void refuse_arrays(const struct rrm_csr *csr, const char *words) {
    struct rrm_error error = {0};
    assert_null(rrm_data_csr(csr, &error));
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, RRM_USAGE);
}

/* Which of two arrays counts is never guessed. */
static void wrong_arrays_are_wrong_arguments(void **state) {
    static const int32_t start32[ROWS + 1];
    static const int64_t column64[1];
    static const float value32[1];
    struct rrm_csr csr = arrays(labels);
    (void)state;
    csr.start32 = start32;
    refuse_arrays(&csr, "starts of the rows are given twice");
    csr = arrays(labels);
    csr.column64 = column64;
    refuse_arrays(&csr, "columns are given twice");
    csr = arrays(labels);
    csr.value32 = value32;
    refuse_arrays(&csr, "values are given twice");
    csr = arrays(labels);
    csr.rows = 0;
    refuse_arrays(&csr, "no rows");
    csr = arrays(labels);
    csr.features = -1;
    refuse_arrays(&csr, "-1 features");
    csr.features = (int64_t)INT32_MAX + 1;
    refuse_arrays(&csr, "2147483648 features");
    csr = arrays(labels);
    csr.start = NULL;
    refuse_arrays(&csr, "starts of the rows are missing");
    csr = arrays(labels);
    csr.column = NULL;
    refuse_arrays(&csr, "columns of the entries are missing");
}

/* ---- settings */

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

/* The last text counts, and a wrong one changes nothing. */
static void settings_may_be_set_again(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("lambda=1,lambda=0.25,loss=squared,loss=logistic");
    struct rrm_model *model = NULL;
    struct rrm_model_info info;
    struct rrm_result result;
    (void)state;
    assert_int_equal(rrm_settings_set(settings, "lambda", "-3", NULL), -1);
    assert_int_equal(rrm_train(data, settings, NULL, NULL, &model, &result, NULL), 0);
    rrm_model_describe(model, &info);
    assert_string_equal(info.loss, "logistic");
    assert_true(result.lambda == 0.25);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void refuse_training(const struct rrm_data *data, const char *list, int code,
                            const char *words) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model = (struct rrm_model *)settings;
    struct rrm_error error = {0};
    assert_int_equal(rrm_train(data, settings, NULL, NULL, &model, NULL, &error), -1);
    assert_null(model);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, code);
    rrm_settings_free(settings);
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
                    "-L crf needs groups of rows: the array `group`");
    refuse_training(data, "loss=qqqqqqqqqq", RRM_USAGE,
                    "unknown loss qqqqqqqqqq; librrm-train -L help lists them");
    refuse_training(data, "loss=rna", RRM_FAILURE, "groups");
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
    refuse_training(data, "loss=ndcg", RRM_FAILURE, "example 10: the grade is 77");
    rrm_data_free(data);
}

/* ---- training */

static void results_say_what_was_reached(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "lambda=1e-3,epsilon=1e-6", &result));
    assert_int_equal(result.status, RRM_CONVERGED);
    assert_true(result.bound <= result.objective && result.gap <= 1e-6 && result.gap >= 0);
    assert_true(result.lambda == 1e-3 && result.passes > 0 && result.seconds >= 0);
    assert_true(result.nonzeros > 0 && result.nonzeros <= FEATURES && result.solver != NULL);
    assert_true(result.warnings == 0 && result.warning[0] == '\0');
    double best = result.bound;
    rrm_model_free(train(data, "lambda=1e-3,epsilon=1e-9,passes=2,solver=bundle", &result));
    assert_true(result.status == RRM_LIMIT && result.objective >= best);
    assert_true(result.warnings == 1 && strstr(result.warning, "pass") != NULL);
    assert_string_equal(result.solver, "bundle");
    rrm_model_free(
        train(data, "ball=l1=0.5,loss=logistic,class-weight=7=2,class-weight=9=1", &result));
    assert_true(isnan(result.lambda));
    assert_non_null(strstr(result.warning, "no example has the label"));
    rrm_data_free(data);
}

static void a_path_ends_with_a_model(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    const char *alone = "regularizer=l1,loss=logistic,lambda=1e-3,path=5";
    rrm_model_free(train(data, alone, &result));
    assert_true(result.lambda == 1e-3);
    rrm_model_free(
        train(data, "regularizer=l1,loss=logistic,lambda=1e-3,path=5,time-limit=1e-9", &result));
    assert_true(result.lambda > 1e-3 && result.status == RRM_LIMIT && result.warnings == 1);
    rrm_model_free(train(data, "regularizer=l1,loss=logistic,lambda=1e-3,path=5,folds=3", &result));
    assert_true(result.lambda >= 1e-3 && result.status == RRM_CONVERGED);
    rrm_data_free(data);
}

struct calls {
    int count, stop;
    double last;
};

static int count_calls(void *context, const struct rrm_progress *progress) {
    struct calls *calls = context;
    calls->count++;
    assert_true(progress->passes >= calls->last && progress->seconds >= 0);
    assert_true(isnan(progress->objective) || progress->bound <= progress->objective);
    calls->last = progress->passes;
    return calls->count == calls->stop;
}

static void progress_is_told_and_may_end_it(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_settings *settings = settings_of("solver=bundle,epsilon=1e-6,lambda=1e-4");
    struct rrm_model *model;
    struct rrm_result result;
    struct calls whole = {0}, ended = {.stop = 3};
    (void)state;
    assert_int_equal(rrm_train(data, settings, count_calls, &whole, &model, &result, NULL), 0);
    assert_true(result.status == RRM_CONVERGED && whole.count > 3);
    rrm_model_free(model);
    assert_int_equal(rrm_train(data, settings, count_calls, &ended, &model, &result, NULL), 0);
    assert_true(result.status == RRM_INTERRUPTED && ended.count == 3);
    assert_int_equal(strncmp(result.warning, "the training was interrupted after ", 35), 0);
    rrm_model_free(model);
    rrm_settings_free(settings);
    rrm_data_free(data);
}

static void check_code(const struct rrm_data *data, const char *list, int stop, int code,
                       const char *words) {
    struct rrm_settings *settings = settings_of(list);
    struct rrm_model *model;
    struct rrm_error error = {0};
    struct calls calls = {.stop = stop};
    assert_int_equal(
        rrm_train(data, settings, stop > 0 ? count_calls : NULL, &calls, &model, NULL, &error), -1);
    assert_null(model);
    assert_int_equal(error.code, code);
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    rrm_settings_free(settings);
}

/* Before there is a model, an end is an error, with a code of its own. */
static void ends_before_a_model_have_codes(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    (void)state;
    check_code(data, "time-limit=1e-9", 0, RRM_TIME, "no label was trained");
    check_code(data, "map=fourier,dimension=16,sigma=1,time-limit=1e-12", 0, RRM_TIME, "mapped");
    check_code(data, "loss=logistic,regularizer=l1,path=4,folds=3,time-limit=1e-9", 0, RRM_TIME,
               "");
    check_code(data, "loss=logistic,regularizer=l1,path=4,folds=3", 1, RRM_STOPPED,
               "the training was interrupted before lambda was chosen");
    rrm_data_free(data);
}

/* From its own model, nothing is left to do; a kernel's stays as it is. */
static void training_starts_from_a_model(void **state) {
    static const char *const lists[] = {
        "loss=logistic,solver=bundle,lambda=1e-4,epsilon=1e-5",
        "loss=logistic,solver=bundle,map=nystrom,landmarks=20,sigma=2,lambda=1e-4,epsilon=1e-5"};
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct rrm_result cold, warm;
        struct rrm_model *first = train(data, lists[i], &cold), *second = NULL;
        char *before = text_of(first);
        struct rrm_settings *settings = settings_of(lists[i]);
        struct rrm_error error = {0};
        rrm_settings_start(settings, first);
        if (rrm_train(data, settings, NULL, NULL, &second, &warm, &error) != 0)
            fail_msg("%s", error.message);
        assert_true(warm.passes < cold.passes);
        check_same(before, text_of(first));
        free(before);
        rrm_model_free(second);
        rrm_settings_set(settings, "loss", "hinge", NULL);
        rrm_settings_set(settings, "intercept", NULL, NULL);
        assert_int_equal(rrm_train(data, settings, NULL, NULL, &second, NULL, &error), -1);
        rrm_settings_free(settings);
        rrm_model_free(first);
    }
    rrm_data_free(data);
}

struct label_stop {
    const char *title; /* the label at which the training ends */
};

static int stop_at_label(void *context, const struct rrm_progress *progress) {
    const struct label_stop *stop = context;
    return progress->title != NULL && strstr(progress->title, stop->title) != NULL;
}

/* The model of a training that ends when LABEL begins. */
static struct rrm_model *train_until(const struct rrm_data *data, const char *label) {
    struct rrm_settings *settings = settings_of("");
    struct label_stop stop = {label};
    struct rrm_model *model = NULL;
    struct rrm_result result;
    assert_int_equal(rrm_train(data, settings, stop_at_label, &stop, &model, &result, NULL), 0);
    assert_int_equal(result.status, RRM_INTERRUPTED);
    rrm_settings_free(settings);
    return model;
}

/* Of the labels 2, 3 and 4 the last is not reached; where only one is, all stay. */
static void labels_that_were_not_reached_are_missing(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train_until(data, "label 4");
    struct rrm_model_info info;
    double said[ROWS];
    (void)state;
    rrm_model_describe(model, &info);
    assert_true(info.labels == 2 && info.vectors == 2 && info.label[0] == 2 && info.label[1] == 3);
    assert_int_equal(rrm_predict(model, data, said, NULL, NULL, NULL), 0);
    for (int i = 0; i < ROWS; i++)
        assert_true(said[i] == 2 || said[i] == 3);
    rrm_model_free(model);
    model = train_until(data, "label 3");
    rrm_model_describe(model, &info);
    assert_true(info.labels == 3 && info.vectors == 3);
    for (int64_t k = info.dimension; k < 3 * info.dimension; k++)
        assert_true(info.weight[k] == 0);
    rrm_model_free(model);
    rrm_data_free(data);
}

/* The model to start from may be of another loss, but not of other labels. */
static void a_start_may_be_of_another_loss(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    struct rrm_model *start = train(data, "loss=hinge", NULL), *model = NULL;
    struct rrm_settings *settings = settings_of("loss=softmax");
    struct rrm_error error = {0};
    (void)state;
    rrm_settings_start(settings, start);
    assert_int_equal(rrm_train(data, settings, NULL, NULL, &model, NULL, &error), 0);
    rrm_model_free(model);
    rrm_data_free(data);
    csr.label = labels;
    data = lend(&csr);
    assert_int_equal(rrm_train(data, settings, NULL, NULL, &model, NULL, &error), -1);
    assert_non_null(strstr(error.message, "labels are not those"));
    rrm_settings_free(settings);
    rrm_model_free(start);
    rrm_data_free(data);
}

/* A setting is checked by itself; a name in its text only when it is looked for. */
static void names_are_looked_for_by_the_training(void **state) {
    static const char *const lists[] = {"loss=foo", "solver=foo", "regularizer=foo"};
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    (void)state;
    for (int i = 0; i < 3; i++)
        refuse_training(data, lists[i], RRM_USAGE, "foo");
    rrm_data_free(data);
}

/* epsilon 0 asks for all the passes: nothing is missed, and nothing warned of. */
static void passes_that_were_asked_for_are_no_warning(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "solver=bundle,epsilon=0,passes=5", &result));
    assert_true(result.status == RRM_LIMIT && result.warnings == 0);
    rrm_model_free(train(data, "solver=bundle,epsilon=1e-9,passes=5", &result));
    assert_true(result.status == RRM_LIMIT && result.warnings == 1);
    rrm_data_free(data);
}

/* A constant feature of value 0 has a weight, as any other has. */
static void a_bias_of_zero_is_a_feature(void **state) {
    static const double two[] = {1, 2}, w[] = {3, 4};
    struct rrm_model_info info = {
        .loss = "hinge", .labels = 2, .label = two, .features = 1, .vectors = 1, .weight = w};
    (void)state;
    for (int bias = -1; bias <= 0; bias++) {
        struct rrm_model_info made;
        info.bias = bias;
        struct rrm_model *model = rrm_model_from_weights(&info, NULL);
        assert_non_null(model);
        rrm_model_describe(model, &made);
        assert_int_equal(made.dimension, 2 + bias);
        rrm_model_free(model);
    }
}

static void streams_are_trained_from_memory(void **state) {
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct rrm_result result;
    (void)state;
    rrm_model_free(train(data, "solver=asset-on,lambda=1e-2,passes=3", &result));
    assert_true(result.passes == 3 && result.nonzeros > 0);
    rrm_data_free(data);
}

/* Weights of classes are multiplied into copies; folds are copies. */
static void borrowed_arrays_stay_as_they_are(void **state) {
    struct rrm_csr csr = arrays(labels);
    double weight[ROWS], label[ROWS], *value = malloc(sizeof *value * (size_t)rows.nonzeros);
    (void)state;
    assert_non_null(value);
    memcpy(weight, weights, sizeof weight);
    memcpy(label, labels, sizeof label);
    memcpy(value, rows.value, sizeof *value * (size_t)rows.nonzeros);
    csr.weight = weights;
    struct rrm_data *data = lend(&csr);
    rrm_model_free(
        train(data, "class-weight=1=3,regularizer=l1,loss=logistic,path=3,folds=3", NULL));
    rrm_model_free(train(data, "class-weight=-1=2,solver=asset-on", NULL));
    assert_memory_equal(weight, weights, sizeof weight);
    assert_memory_equal(label, labels, sizeof label);
    assert_memory_equal(value, rows.value, sizeof *value * (size_t)rows.nonzeros);
    rrm_data_free(data);
    free(value);
}

/* ---- models */

static void models_come_back_from_files(void **state) {
    struct rrm_csr csr = arrays(classes);
    struct rrm_data *data = lend(&csr);
    (void)state;
    struct rrm_model *model = train(data, "loss=softmax", NULL);
    char *text = text_of(model);
    struct rrm_model *read = rrm_model_read(path, NULL);
    assert_non_null(read);
    check_same(text, file_of(read));
    free(text);
    struct rrm_error error = {0};
    assert_int_equal(rrm_model_write(model, "/nonexistent/model", &error), -1);
    assert_non_null(strstr(error.message, "/nonexistent/model: "));
    assert_null(rrm_model_read("/nonexistent/model", &error));
    rrm_model_free(model);
    rrm_data_free(data);
}

static void check_scores(const struct rrm_model *a, const struct rrm_model *b,
                         const struct rrm_data *data, int64_t numbers_a_row) {
    double *first = calloc(ROWS, sizeof *first * (size_t)numbers_a_row);
    double *other = calloc(ROWS, sizeof *other * (size_t)numbers_a_row);
    assert_int_equal(rrm_predict(a, data, NULL, first, NULL, NULL), 0);
    assert_int_equal(rrm_predict(b, data, NULL, other, NULL, NULL), 0);
    assert_memory_equal(first, other, sizeof *first * (size_t)(ROWS * numbers_a_row));
    free(first);
    free(other);
}

static void models_are_weights_and_weights_are_models(void **state) {
    static const char *const lists[] = {"loss=softmax,bias=1", "loss=hinge,intercept", "loss=crf"};
    struct rrm_csr csr = arrays(classes);
    (void)state;
    csr.group = groups;
    struct rrm_data *data = lend(&csr);
    for (int i = 0; i < 3; i++) {
        struct rrm_model_info info, again;
        struct rrm_model *model = train(data, lists[i], NULL);
        rrm_model_describe(model, &info);
        assert_true(info.kernel == NULL && info.labels == CLASSES && info.vectors == CLASSES);
        assert_int_equal(info.dimension, FEATURES + (i < 2));
        assert_int_equal(info.shared, i == 2 ? CLASSES * CLASSES : 0);
        assert_true(info.bias == (i == 0 ? 1 : -1) && info.intercept == (i == 1));
        assert_true(info.probabilities == (i != 1) && info.label[2] == 4);
        struct rrm_model *made = rrm_model_from_weights(&info, NULL);
        assert_non_null(made);
        rrm_model_describe(made, &again);
        assert_true(again.weight != info.weight && again.dimension == info.dimension);
        check_scores(model, made, data, CLASSES);
        char *text = file_of(made);
        struct rrm_model *read = rrm_model_read(path, NULL);
        assert_non_null(read);
        check_same(text, file_of(read));
        free(text);
        rrm_model_free(model);
    }
    rrm_data_free(data);
}

static void refuse_weights(const struct rrm_model_info *info, const char *words) {
    struct rrm_error error = {0};
    assert_null(rrm_model_from_weights(info, &error));
    if (strstr(error.message, words) == NULL)
        fail_msg("%s", error.message);
    assert_int_equal(error.code, RRM_USAGE);
}

static void weights_that_are_no_model_are_refused(void **state) {
    double w[] = {1, 2, 3, 4}, label[] = {1, 1};
    const struct rrm_model_info good = {
        .loss = "squared", .features = 4, .vectors = 1, .weight = w, .bias = -1};
    struct rrm_model_info info = good;
    (void)state;
    rrm_model_free(rrm_model_from_weights(&good, NULL));
    info.kernel = "gaussian";
    refuse_weights(&info, "only linear models");
    info = good;
    info.loss = "square";
    refuse_weights(&info, "no such loss");
    info = good;
    info.features = -1;
    refuse_weights(&info, "out of range");
    info = good;
    info.vectors = 2;
    refuse_weights(&info, "one vector");
    info = good;
    info.loss = "hinge";
    info.labels = 2;
    info.label = label;
    refuse_weights(&info, "label");
    w[2] = INFINITY;
    refuse_weights(&good, "weight 2 is not finite");
}

/* LOSS with so many labels, vectors, and shared weights, all of one feature. */
static void refuse_counts(const char *loss, int labels, int vectors, int shared,
                          const char *words) {
    static const double label[] = {1, 2, 3}, w[16] = {0};
    const struct rrm_model_info info = {.loss = loss,
                                        .labels = labels,
                                        .label = label,
                                        .features = 1,
                                        .vectors = vectors,
                                        .shared = shared,
                                        .weight = w,
                                        .bias = -1};
    refuse_weights(&info, words);
}

static void counts_fit_the_loss(void **state) {
    (void)state;
    refuse_counts("rna", 0, 0, 5, "323 shared weights");
    refuse_counts("rna", 0, 1, 15, "no vectors");
    refuse_counts("crf", 3, 3, 8, "every pair of labels");
    refuse_counts("hinge", 3, 3, 9, "no shared weights");
    refuse_counts("squared", 0, 1, 1, "no shared weights");
    refuse_counts("hinge", 0, 1, 0, "two labels or more");
    refuse_counts("hinge", 1, 1, 0, "two labels or more");
    refuse_counts("crf", 1, 1, 1, "two labels or more");
    refuse_counts("f1", 3, 1, 0, "a vector for every label");
    refuse_counts("squared", 2, 1, 0, "squared has no labels");
    refuse_counts("pairwise", 2, 1, 0, "pairwise has no labels");
}

/* ---- prediction */

static void predictions_are_labels_scores_and_probabilities(void **state) {
    static double label[ROWS], score[ROWS * CLASSES], probability[ROWS * CLASSES];
    struct rrm_csr csr = arrays(classes);
    struct rrm_measure list[RRM_MEASURES_MAX];
    (void)state;
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=softmax", NULL);
    int64_t right = 0;
    assert_int_equal(rrm_predict(model, data, label, score, probability, NULL), 0);
    for (int64_t i = 0; i < ROWS; i++) {
        int64_t said = (int64_t)label[i] - 2;
        double sum = 0;
        for (int64_t k = 0; k < CLASSES; k++) {
            assert_true(score[i * CLASSES + said] >= score[i * CLASSES + k]);
            assert_true(probability[i * CLASSES + said] >= probability[i * CLASSES + k]);
            sum += probability[i * CLASSES + k];
        }
        assert_true(fabs(sum - 1) < 1e-14);
        right += label[i] == classes[i];
    }
    assert_int_equal(rrm_measures(model, data, list, NULL), 1);
    assert_string_equal(list[0].name, "Accuracy");
    assert_true(list[0].value == (double)right / ROWS && !list[0].smaller && !list[0].approximate);
    rrm_data_free(data);
    csr.label = NULL;
    data = lend(&csr);
    assert_int_equal(rrm_measures(model, data, list, NULL), 0);
    rrm_data_free(data);
    rrm_model_free(model);
}

static void other_tasks_predict_what_they_are_trained_on(void **state) {
    static double label[ROWS], score[ROWS], probability[ROWS * CLASSES];
    struct rrm_csr csr = arrays(numbers);
    struct rrm_measure list[RRM_MEASURES_MAX];
    struct rrm_error error = {0};
    (void)state;
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=squared", NULL);
    assert_int_equal(rrm_predict(model, data, label, score, NULL, NULL), 0);
    assert_memory_equal(label, score, sizeof label);
    assert_int_equal(rrm_measures(model, data, list, NULL), 3);
    assert_true(list[0].smaller && strcmp(list[2].name, "R2") == 0 && list[2].value > 0.1);
    assert_int_equal(rrm_predict(model, data, NULL, NULL, probability, &error), -1);
    assert_non_null(strstr(error.message, "probability: the model's loss, squared, has no prob"));
    rrm_data_free(data);
    rrm_model_free(model);
    csr.label = labels;
    data = lend(&csr);
    model = train(data, "loss=precision,at=3,lambda=1e-2", NULL);
    assert_int_equal(rrm_measures(model, data, list, NULL), 6);
    assert_string_equal(list[5].name, "precision@3");
    rrm_data_free(data);
    rrm_model_free(model);
    csr.label = grades;
    csr.group = groups;
    data = lend(&csr);
    model = train(data, "loss=pairwise", NULL);
    assert_int_equal(rrm_predict(model, data, label, score, NULL, NULL), 0);
    assert_memory_equal(label, score, sizeof label);
    assert_int_equal(rrm_measures(model, data, list, NULL), 6);
    rrm_data_free(data);
    csr.group = NULL;
    data = lend(&csr);
    assert_int_equal(rrm_predict(model, data, label, NULL, NULL, &error), -1);
    assert_non_null(strstr(error.message, "predicts groups of rows: the array `group` is"));
    assert_int_equal(rrm_measures(model, data, list, &error), -1);
    rrm_data_free(data);
    rrm_model_free(model);
}

/* AAAACCCCUUUU.. of one fold: partners as the data have them, from 1. */
static void structures_are_partners(void **state) {
    enum { LENGTH = 12 };
    static const int base[LENGTH] = {2, 2, 2, 2, 0, 0, 0, 0, 1, 1, 1, 1}; /* GGGG AAAA CCCC */
    double partner[LENGTH], said[LENGTH];
    int64_t start[LENGTH + 1], group[LENGTH] = {0};
    int32_t column[LENGTH];
    (void)state;
    for (int i = 0; i < LENGTH; i++) {
        start[i] = i;
        column[i] = base[i];
        partner[i] = base[i] == 0 ? 0 : LENGTH - i;
    }
    start[LENGTH] = LENGTH;
    const struct rrm_csr csr = {
        .rows = LENGTH, .start = start, .column = column, .label = partner, .group = group};
    struct rrm_data *data = lend(&csr);
    struct rrm_model *model = train(data, "loss=rna,lambda=1e-2", NULL);
    assert_int_equal(rrm_predict(model, data, said, NULL, NULL, NULL), 0);
    assert_memory_equal(said, partner, sizeof said);
    rrm_model_free(model);
    rrm_data_free(data);
}

/* Labels that the time limit left untrained are never predicted, and stay in the file. */
static void untrained_labels_are_not_predicted(void **state) {
    static const char text[] =
        "librrm 1\nsolver bundle\nloss hinge\nregularizer l2\nlambda 0.1\nbias -1\nintercept 0\n"
        "index-base 1\nlabels 2 3 4\nuntrained 3\nrest 0\nfeatures 1\nvectors 3\n"
        "objective 1\nbound 0\nstatus limit\npasses 1\nseed 1\n";
    FILE *file = fopen(path, "w");
    (void)state;
    fprintf(file, "%sw dense 3\n-1\n0\n-2\nend\n", text);
    fclose(file);
    struct rrm_error error = {0};
    struct rrm_model *model = rrm_model_read(path, &error);
    if (model == NULL)
        fail_msg("%s", error.message);
    struct rrm_model_info info;
    rrm_model_describe(model, &info);
    assert_true(info.labels == 2 && info.label[1] == 4 && info.weight[1] == -2);
    char *again = text_of(model);
    assert_non_null(strstr(again, "untrained 3\n"));
    free(again);
    rrm_model_free(model);
}

/* ---- threads */

struct task {
    const struct rrm_data *data;
    const char *list;
    struct rrm_model *model;
};

static void *run_task(void *argument) {
    struct task *task = argument;
    struct rrm_settings *settings = settings_of(task->list);
    if (rrm_train(task->data, settings, NULL, NULL, &task->model, NULL, NULL) != 0)
        task->model = NULL;
    rrm_settings_free(settings);
    return NULL;
}

static void threads_train_at_once(void **state) {
    static const char *const lists[] = {
        "loss=logistic,threads=2,lambda=1e-4",        "solver=pegasos,seed=5,threads=1",
        "solver=agm,threads=2,lambda=1e-3",           "loss=softmax,threads=1",
        "map=fourier,dimension=16,sigma=1,threads=2", "loss=squared,solver=ipm,threads=1"};
    enum { TASKS = sizeof lists / sizeof *lists };
    struct rrm_csr csr = arrays(labels);
    struct rrm_data *data = lend(&csr);
    struct task task[TASKS];
    pthread_t thread[TASKS];
    (void)state;
    for (int i = 0; i < TASKS; i++) {
        task[i] = (struct task){.data = data, .list = lists[i]};
        assert_int_equal(pthread_create(&thread[i], NULL, run_task, &task[i]), 0);
    }
    for (int i = 0; i < TASKS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < TASKS; i++) {
        assert_non_null(task[i].model);
        char *together = file_of(task[i].model);
        check_same(together, file_of(train(data, lists[i], NULL)));
        free(together);
    }
    rrm_data_free(data);
}

/* ---- what is left alone */

/* Warnings, limits, errors: all are values. Standard output and error go to FILE meanwhile. */
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

static int see_locale(void *context, const struct rrm_progress *progress) {
    (void)progress;
    *(char *)context = localeconv()->decimal_point[0];
    return 0;
}

static char folder[] = "/tmp/librrm_locale.XXXXXX";

/* A locale with a decimal comma, in effect; false where the machine has no sources of it. */
static bool make_locale(void) {
    char command[200];
    if (mkdtemp(folder) == NULL)
        return false;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>/dev/null",
             folder);
    return system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
           setlocale(LC_ALL, "de_DE.UTF-8") != NULL;
}

static void remove_locale(void) {
    char command[100];
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
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
        skip();
    }
    struct rrm_settings *settings = settings_of("lambda=0.25,loss=huber,huber=0.5");
    assert_int_equal(rrm_train(data, settings, see_locale, &point, &model, NULL, NULL), 0);
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
    struct rrm_model_info info = {.loss = "hinge", .labels = 2, .features = 1, .vectors = 1};
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
    check_null(rrm_data_read(NULL, 0, &e) == NULL, &e);
    check_null(rrm_settings_set(settings, NULL, "1", &e) == -1, &e);
    check_null(rrm_settings_set(NULL, "lambda", "1", &e) == -1, &e);
    check_null(rrm_train(NULL, settings, NULL, NULL, &none, NULL, &e) == -1, &e);
    assert_null(none);
    check_null(rrm_train(data, NULL, NULL, NULL, &none, NULL, &e) == -1, &e);
    check_null(rrm_train(data, settings, NULL, NULL, NULL, NULL, &e) == -1, &e);
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
        cmocka_unit_test(the_version_is_a_number),
        cmocka_unit_test(arrays_of_each_type_and_a_file_give_one_model),
        cmocka_unit_test(data_are_described),
        cmocka_unit_test(bad_data_are_refused),
        cmocka_unit_test(wrong_arrays_are_wrong_arguments),
        cmocka_unit_test(wrong_settings_are_refused),
        cmocka_unit_test(settings_may_be_set_again),
        cmocka_unit_test(trainings_that_cannot_be_are_refused),
        cmocka_unit_test(results_say_what_was_reached),
        cmocka_unit_test(a_path_ends_with_a_model),
        cmocka_unit_test(progress_is_told_and_may_end_it),
        cmocka_unit_test(ends_before_a_model_have_codes),
        cmocka_unit_test(training_starts_from_a_model),
        cmocka_unit_test(labels_that_were_not_reached_are_missing),
        cmocka_unit_test(a_start_may_be_of_another_loss),
        cmocka_unit_test(names_are_looked_for_by_the_training),
        cmocka_unit_test(passes_that_were_asked_for_are_no_warning),
        cmocka_unit_test(a_bias_of_zero_is_a_feature),
        cmocka_unit_test(streams_are_trained_from_memory),
        cmocka_unit_test(borrowed_arrays_stay_as_they_are),
        cmocka_unit_test(models_come_back_from_files),
        cmocka_unit_test(models_are_weights_and_weights_are_models),
        cmocka_unit_test(weights_that_are_no_model_are_refused),
        cmocka_unit_test(counts_fit_the_loss),
        cmocka_unit_test(predictions_are_labels_scores_and_probabilities),
        cmocka_unit_test(other_tasks_predict_what_they_are_trained_on),
        cmocka_unit_test(structures_are_partners),
        cmocka_unit_test(untrained_labels_are_not_predicted),
        cmocka_unit_test(threads_train_at_once),
        cmocka_unit_test(nothing_is_printed),
        cmocka_unit_test(signals_stay_as_they_are),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(null_is_freed),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
